import { callerOf } from '../../model/subject.js';
import { TIMINGS, type Timings } from '../../runtime/timings.js';
import { type ChargeRecord, selectCharged } from '../charge/checked-request.js';

/**
 * Concurrency slots that ended while Redis did not respond, or whose release may have been lost. A
 * release is idempotent: it names the id of its charge and has no effect if repeated, or if Redis
 * does not know the slot. Tollgate therefore resends it until Redis confirms it. Refunds are not
 * resent: a refund that Redis executes twice would give the caller free tokens.
 */
export interface UnsentReleases {
  /**
   * Keeps only the slot releases of a settlement that was not confirmed, not its other corrections.
   */
  keep(charge: ChargeRecord, actual: Readonly<Record<string, number>>): void;
  /** Sends the waiting releases, because Redis is back. */
  send(): Promise<void>;
  totals(): Readonly<SlotReleaseTotals>;
  /** Tries once more, for at most the time that a call may take. */
  close(): Promise<void>;
}

export interface SlotReleaseTotals {
  /**
   * Number of operations that have ended and whose slots stay occupied in Redis until their release
   * arrives.
   */
  waiting: number;
  /**
   * Total number of operations whose releases were dropped because too many waited. Their slots
   * stay occupied until `leaseMs` has passed.
   */
  dropped: number;
}

interface UnsentReleasesOptions {
  /**
   * Releases all slots of these charges. Calls `confirmed` with each confirmed charge; rejects if
   * one was not confirmed.
   */
  release: (charges: readonly ChargeRecord[], confirmed: (charge: ChargeRecord) => void) => Promise<void>;
  /**
   * Whether Redis is unavailable. Redis is not called then; `send` is called when Redis is back.
   */
  isAway: () => boolean;
  timings?: Timings;
  /**
   * Maximum number of charges whose slots wait. The oldest are dropped, and their slots end after
   * `leaseMs`. @default 10000
   */
  maxWaiting?: number;
}

export const MAX_WAITING = 10_000;

/** Number of charges in one step: about one call, which takes Redis less than a millisecond. */
const STEP = 128;

/**
 * First retry interval, in milliseconds. A lost connection is usually back within half a second.
 * Later retries are not urgent.
 */
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 2000;

/**
 * Placeholder for the time of the charge. Only windows need that time, and slots have no window.
 */
const NO_TIME = { clock: 0, now: 0 };

export function createUnsentReleases(options: UnsentReleasesOptions): UnsentReleases {
  const { release, isAway, timings = TIMINGS, maxWaiting = MAX_WAITING } = options;
  const { clock, schedule, random } = timings;
  /**
   * Time by which all slots of a charge have expired, by charge. The entries are in the order of
   * arrival, or of the last attempt.
   */
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
      // Jitter: instances that lost the same Redis do not retry at the same moment.
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

  /**
   * Sends the releases in steps, so that operations do not have to wait behind all of them. Stops
   * when Redis confirms no release of a step.
   */
  async function sendAll(): Promise<void> {
    for (;;) {
      const step = takeStep();
      const charges = [...step.keys()];
      if (charges.length === 0) return;
      try {
        await release(charges, (charge) => {
          step.delete(charge);
          // This also runs if Redis confirms a release after its call was given up.
          waiting.delete(charge);
        });
      } catch {
        // Moves these releases behind the others: on a Cluster, the others may be for nodes that
        // respond.
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
      // Stores only the data that the release needs, without the result of the charge.
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
    totals: () => ({ waiting: waiting.size, dropped }),
  };
}

/**
 * Returns an actual cost of zero for every limit of a charge: a settlement to it refunds the charge
 * and releases its slots.
 */
export function endingAll({ request }: Pick<ChargeRecord, 'request'>): Record<string, number> {
  return Object.fromEntries(request.limits.map(({ id }) => [id, 0]));
}
