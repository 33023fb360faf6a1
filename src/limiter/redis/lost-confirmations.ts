import { TIMINGS } from '../../runtime/timings.js';
import type { ChargeRecord } from '../charge/checked-request.js';

/**
 * Pending charges of a Cluster whose confirmation was not answered. Each is confirmed again until Redis answers: others would
 * refund it at its deadline, although its operation has run.
 */
export interface LostConfirmations {
  keep(charge: ChargeRecord): void;
  /** Removes the charges with this id and returns them, because they travel with the settlement. */
  take(chargeId: string): readonly ChargeRecord[];
  /** Tries once more. */
  close(): Promise<void>;
}

/** A connection that was lost is back within half a second, which is before the deadline of what is pending. */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2000;

/** A node that is away for longer has lost what was pending on it, or others have refunded it long ago. */
const KEPT_MS = 60_000;

/** The oldest make room, and are refunded at their deadline. */
const MAX_KEPT = 10_000;

interface Kept {
  readonly charges: readonly ChargeRecord[];
  readonly untilMs: number;
}

/** @param confirmAgain confirms a charge again, and keeps it here where that fails too */
export function createLostConfirmations(confirmAgain: (charge: ChargeRecord) => Promise<void>): LostConfirmations {
  const { clock, schedule, random } = TIMINGS;
  /** By the id of the charge, which may have been pending on several nodes. */
  const kept = new Map<string, Kept>();
  /** Charges whose confirmation is repeated now: what they lose again keeps its time. */
  const untilMsOf = new Map<string, number>();
  let cancel: (() => void) | undefined;
  let retryMs = FIRST_RETRY_MS;
  let isClosed = false;

  function retryLater(): void {
    if (cancel !== undefined || isClosed || kept.size === 0) return;
    cancel = schedule(
      () => {
        cancel = undefined;
        void retry();
      },
      // Jitter: a fleet that lost a node does not come back in step.
      retryMs * (0.75 + random() / 2),
    );
  }

  async function retry(): Promise<void> {
    const now = clock();
    const again = [...kept].filter(([, { untilMs }]) => untilMs > now);
    kept.clear();
    for (const [chargeId, { untilMs }] of again) untilMsOf.set(chargeId, untilMs);
    await Promise.all(again.flatMap(([, { charges }]) => charges.map(confirmAgain)));
    untilMsOf.clear();
    retryMs = kept.size === 0 ? FIRST_RETRY_MS : Math.min(LAST_RETRY_MS, 2 * retryMs);
    retryLater();
  }

  return {
    keep(charge) {
      const { chargeId } = charge;
      const before = kept.get(chargeId);
      const untilMs = before?.untilMs ?? untilMsOf.get(chargeId) ?? clock() + KEPT_MS;
      kept.set(chargeId, { charges: [...(before?.charges ?? []), charge], untilMs });
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
      retryLater();
    },

    take(chargeId) {
      if (kept.size === 0) return [];
      const charges = kept.get(chargeId)?.charges ?? [];
      kept.delete(chargeId);
      return charges;
    },

    async close() {
      isClosed = true;
      cancel?.();
      if (kept.size > 0) await retry();
    },
  };
}
