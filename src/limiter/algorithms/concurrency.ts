import {
  DEFAULT_MAX_QUEUE,
  MAX_COUNT,
  MAX_HOLDS_KEPT_MS,
  MAX_SLOT_QUEUE_MS,
  MAX_SLOTS,
  MAX_WAITING_OPERATIONS,
  MIN_SLOT_WAIT_MS,
} from '../../model/limit-parameters.js';
import type { Counter } from './counter.js';
import { addEntry, correctEntry, entryList, reportList } from './entry-list.js';
import type { Limit, LimitAlgorithm } from './limit-algorithm.js';
import { correctCount } from './parse-window.js';

/**
 * Concurrency slots. An operation occupies a slot until it is settled, at any actual cost, or until
 * `leaseMs` have passed.
 *
 * Tollgate estimates the wait after a denial from an exponentially weighted mean of hold times, in
 * which the latest hold time has the weight 1/4. The counter stores the mean in `debt`. A slot that
 * expires adds nothing to the mean, because it is unknown how long its operation ran.
 */
export const concurrency: LimitAlgorithm = {
  ...entryList,

  parse(read) {
    const capacity = read.whole('capacity', 1, MAX_SLOTS);
    const maxWaitMs = read.optional('maxWaitMs', 0, MAX_SLOT_QUEUE_MS);
    const maxQueue = read.optional('maxQueue', DEFAULT_MAX_QUEUE, MAX_WAITING_OPERATIONS);
    if (maxQueue === 0) throw read.fail('maxQueue', `a whole number from 1 to ${MAX_WAITING_OPERATIONS}`, maxQueue);
    return { capacity, windowMs: read.whole('leaseMs', 1, MAX_COUNT), hasSlots: true, maxWaitMs, maxQueue };
  },

  refresh(limit, counter, now) {
    entryList.refresh(limit, counter, now);
    if (counter.entries.length === 0 && counter.at + holdsKeptMs(limit) <= now) counter.debt = 0;
    counter.at = now;
  },

  take: addSlot,
  takeDenied: addSlot,

  correct(limit, counter, stampMs, chargeId) {
    const wasHeld = correctEntry(counter, chargeId, 0);
    // The hold time is unknown if the release has no time because it was resent after an outage, or
    // if the clock was set back.
    if (wasHeld && stampMs > 0 && stampMs <= counter.at) addHold(limit, counter, counter.at - stampMs);
  },

  renew(limit, counter, now, cost, chargeId) {
    correctEntry(counter, chargeId, 0);
    addSlot(limit, counter, now, cost, chargeId);
  },

  emptyAtMs(limit, counter) {
    const untilMs = counter.debt > 0 ? counter.at + holdsKeptMs(limit) : 0;
    return Math.max(untilMs, entryList.emptyAtMs(limit, counter));
  },

  rebase(limit, counter, from, to) {
    entryList.rebase(limit, counter, from, to);
    counter.at = to;
    counter.debt = 0;
  },

  report(limit, counter, _cost, hasRoom, numbers, offset) {
    reportList(counter, hasRoom, hasRoom ? 0 : slotAtMs(limit, counter), numbers, offset);
  },

  correctNumbers(limit, numbers, charged) {
    correctCount(limit, numbers, charged, 0);
  },
};

function addSlot(limit: Limit, counter: Counter, now: number, cost: number, chargeId: string): void {
  addEntry(counter, { endsAtMs: now + limit.windowMs, cost, chargeId });
}

/** Returns the time for which the mean is kept after the last change of the counter. */
function holdsKeptMs({ windowMs }: Limit): number {
  return Math.min(windowMs, MAX_HOLDS_KEPT_MS);
}

/**
 * Adds a hold time to the mean. A hold time counts as at least one millisecond, because 0 stands
 * for an unknown mean.
 */
function addHold({ windowMs }: Limit, counter: Counter, heldMs: number): void {
  const last = Math.min(windowMs, Math.max(1, heldMs));
  counter.debt = counter.debt === 0 ? last : Math.ceil((3 * counter.debt + last) / 4);
}

/**
 * Returns the time at which a slot is expected to become free. Of the slots that have been held for
 * less than the mean hold time, the oldest is expected to end when its hold time reaches the mean.
 * If every slot has been held for longer, the newest one is expected to be held for twice as long
 * as it has been so far. The result is never later than the expiry of the first slot, and equals it
 * if no hold time is known.
 */
function slotAtMs({ windowMs }: Limit, { at: now, debt: meanHoldMs, entries }: Counter): number {
  const firstEndsAtMs = entries[0]?.endsAtMs ?? 0;
  if (meanHoldMs === 0 || entries.length === 0) return firstEndsAtMs;
  const startedAtMs = (entry: { endsAtMs: number }) => entry.endsAtMs - windowMs;
  const next = entries.find((entry) => startedAtMs(entry) + meanHoldMs > now);
  // After an edit that shortened `leaseMs`, an older slot seems to have started in the future.
  const waitMs = next ? meanHoldMs - Math.max(0, now - startedAtMs(next)) : now - startedAtMs(entries.at(-1)!);
  return Math.min(firstEndsAtMs, now + Math.max(MIN_SLOT_WAIT_MS, waitMs));
}
