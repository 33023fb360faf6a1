import { TIMINGS } from '../../runtime/timings.js';
import type { ChargeRecord } from '../charge/checked-request.js';

/**
 * Pending charges of a Cluster whose confirmation got no reply. Each is confirmed again until Redis
 * replies. Otherwise other instances would refund it at its deadline, although its operation has
 * run.
 */
export interface LostConfirmations {
  keep(charge: ChargeRecord): void;
  /**
   * Removes the charges with this id and returns them, because they are confirmed together with the
   * settlement.
   */
  take(chargeId: string): readonly ChargeRecord[];
  /** Retries once more and stops. */
  close(): Promise<void>;
}

/**
 * First retry interval, in milliseconds. A lost connection is back within half a second, before the
 * deadline of pending charges.
 */
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 2000;

/**
 * Time for which charges are kept, in milliseconds. If a node is unavailable for longer, it has
 * lost its pending charges, or other instances have already refunded them.
 */
const KEPT_MS = 60_000;

/** Maximum number of charges. The oldest are dropped, and refunded at their deadline. */
const MAX_KEPT = 10_000;

interface Kept {
  readonly charges: readonly ChargeRecord[];
  readonly untilMs: number;
}

/** @param confirmAgain confirms a charge again, and keeps it here if that fails too */
export function createLostConfirmations(confirmAgain: (charge: ChargeRecord) => Promise<void>): LostConfirmations {
  const { clock, schedule, random } = TIMINGS;
  /** Lost charges by id. One charge may have been pending on several nodes. */
  const kept = new Map<string, Kept>();
  /**
   * Deadlines of the charges that are being confirmed now: a charge that fails again keeps its
   * deadline.
   */
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
      // Jitter: instances that lost the same node do not retry at the same moment.
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
