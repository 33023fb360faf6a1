import { callerOf } from '../../model/subject.js';
import { TIMINGS, type Timings } from '../../runtime/timings.js';
import { type ChargeRecord, selectCharged } from '../charge/checked-request.js';

/**
 * Concurrency slots that have ended while Redis did not answer, or whose end may have been lost on its way. A slot ends by the
 * id of its charge: told twice, or of a slot that Redis does not know, this changes nothing, so that it is sent until it is
 * confirmed. Refunds are not: the same refund twice would be tokens for free.
 */
export interface UnsentReleases {
  /** Keeps of a settlement that was not confirmed what ends slots, and nothing else. */
  keep(charge: ChargeRecord, actual: Readonly<Record<string, number>>): void;
  /** Redis is back: sends what waits. */
  send(): Promise<void>;
  readonly totals: Readonly<SlotReleaseTotals>;
  /** Tries once more, and no longer than a call may take. */
  close(): Promise<void>;
}

export interface SlotReleaseTotals {
  /** Operations that have ended and whose slots are taken in Redis until it is told. */
  waiting: number;
  /** Of them, so far, those that made room for others: their slots are taken until their `leaseMs` ends. */
  dropped: number;
}

interface UnsentReleasesOptions {
  /** Ends all slots of these charges; rejects where one of them was not confirmed. `confirmed` is called with each that was. */
  release: (charges: readonly ChargeRecord[], confirmed: (charge: ChargeRecord) => void) => Promise<void>;
  /** Redis is not asked while this is so; `send` is called when it is over. */
  isAway: () => boolean;
  timings?: Timings;
  /** Charges of which slots wait; the oldest make room, and end after their `leaseMs`. @default 10000 */
  maxWaiting?: number;
}

export const MAX_WAITING = 10_000;

/** Charges in one step: about a call, which takes Redis less than a millisecond. */
const STEP = 128;

/** A connection that was lost is back within half a second; with what is refused for longer there is no hurry. */
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 2000;

/** When it was charged, which says what window it went to: slots have none. */
const NO_TIME = { clock: 0, now: 0 };

export function createUnsentReleases(options: UnsentReleasesOptions): UnsentReleases {
  const { release, isAway, timings = TIMINGS, maxWaiting = MAX_WAITING } = options;
  const { clock, schedule, random } = timings;
  /** Each with when the last of its slots has ended by itself at the latest. In the order in which they came, or were tried. */
  const waiting = new Map<ChargeRecord, number>();
  let cancel: (() => void) | undefined;
  let retryMs = FIRST_RETRY_MS;
  let sending: Promise<void> | undefined;
  let isClosed = false;
  let dropped = 0;

  function sendLater(): void {
    if (cancel !== undefined || sending !== undefined || isClosed || waiting.size === 0 || isAway()) return;
    cancel = schedule(
      () => {
        cancel = undefined;
        if (!isAway()) void send();
      },
      // Jitter: a fleet that lost its Redis does not come back in step.
      retryMs * (0.75 + random() / 2),
    );
  }

  function takeStep(): Map<ChargeRecord, number> {
    const step = new Map<ChargeRecord, number>();
    const nowMs = clock();
    for (const [charge, endsAtMs] of waiting) {
      if (step.size === STEP) break;
      waiting.delete(charge);
      if (endsAtMs > nowMs) step.set(charge, endsAtMs);
    }
    return step;
  }

  /** One step after the other, so that operations are not kept waiting behind all of them; until nothing of one is confirmed. */
  async function sendAll(): Promise<void> {
    for (;;) {
      const step = takeStep();
      const charges = [...step.keys()];
      if (charges.length === 0) return;
      try {
        await release(charges, (charge) => {
          step.delete(charge);
          // It was given up, and is confirmed late.
          waiting.delete(charge);
        });
      } catch {
        // Behind the others: on a Cluster they may be of nodes that answer.
        for (const [charge, endsAtMs] of step) waiting.set(charge, endsAtMs);
        makeRoom();
        if (step.size === charges.length) {
          retryMs = Math.min(LAST_RETRY_MS, 2 * retryMs);
          return;
        }
      }
      retryMs = FIRST_RETRY_MS;
    }
  }

  function send(): Promise<void> {
    cancel?.();
    cancel = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
      sendLater();
    });
    return sending;
  }

  function makeRoom(): void {
    for (const charge of waiting.keys()) {
      if (waiting.size <= maxWaiting) return;
      waiting.delete(charge);
      dropped++;
    }
  }

  return {
    keep(charge, actual) {
      const { limits } = charge.request;
      const ends = (i: number) => limits[i]!.hasSlots && actual[limits[i]!.id] !== undefined;
      if (isClosed || !limits.some((_, i) => ends(i))) return;
      const { request, chargeId } = selectCharged(charge, ends);
      const lastsMs = Math.max(...request.limits.map(({ windowMs }) => windowMs));
      const kept = { ...request, subject: callerOf(request.subject) };
      // Without what was found when it was charged.
      waiting.set({ request: kept, chargeId, time: NO_TIME, times: undefined }, clock() + lastsMs);
      makeRoom();
      sendLater();
    },

    send,

    async close() {
      await sending;
      isClosed = true;
      if (waiting.size > 0) await send();
    },
    get totals() {
      return { waiting: waiting.size, dropped };
    },
  };
}

/** A settlement that ends every slot of a charge. */
export function endingAll({ request }: Pick<ChargeRecord, 'request'>): Record<string, number> {
  return Object.fromEntries(request.limits.map(({ id }) => [id, 0]));
}
