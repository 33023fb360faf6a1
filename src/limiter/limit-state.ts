import type { LimitState } from '../model/limit.js';
import { type Limit, SHAPE } from './algorithms/algorithm.js';
import { slidingUsed } from './algorithms/windows.js';
import { type CheckedRequest, type EngineResult, type EngineTime, NUMBERS_PER_SHAPE } from './charge-request.js';
import { borrowedAfter, windowsToRepay } from './outage/local-share.js';

/** The states of all limits of a charge, in the order asked. */
export function toLimitStates({ limits, costs }: CheckedRequest, result: EngineResult): LimitState[] {
  if (result.states !== undefined) return result.states;
  const states: LimitState[] = new Array(limits.length);
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    states[i] = toLimitState(limit, costs[i]!, result.times?.[i] ?? result, result.numbers, offset);
    offset += NUMBERS_PER_SHAPE[limit.shape];
  }
  return states;
}

/** Describes the limit whose numbers start at `offset` of `numbers`. */
export function toLimitState(
  limit: Limit,
  cost: number,
  time: EngineTime,
  numbers: readonly number[],
  offset: number,
): LimitState {
  const { now } = time;
  const first = numbers[offset]!;
  const lacking = first < 0;
  const used = lacking ? -1 - first : first;
  let usedTokens: number;
  let resetAtMs: number;
  let retryAtMs = 0;
  switch (limit.shape) {
    case SHAPE.BUCKET: {
      const taken = used + numbers[offset + 1]!;
      usedTokens = Math.ceil(taken / limit.refillPeriodMs);
      resetAtMs = now + Math.ceil(taken / limit.refillAmount);
      if (lacking) retryAtMs = now + bucketRetryMs(limit, taken, cost);
      break;
    }
    case SHAPE.SLIDING: {
      const previous = numbers[offset + 1]!;
      usedTokens = slidingUsed(limit, now, used, previous);
      resetAtMs = (Math.floor(now / limit.windowMs) + 1) * limit.windowMs;
      if (lacking) retryAtMs = slidingRetryAtMs(limit, now, used, previous, cost);
      break;
    }
    case SHAPE.FIXED:
      usedTokens = used;
      resetAtMs = (Math.floor(now / limit.windowMs) + 1) * limit.windowMs;
      retryAtMs = lacking ? resetAtMs + (fixedWaits(limit, used, cost) - 1) * limit.windowMs : resetAtMs;
      break;
    default:
      usedTokens = used;
      resetAtMs = numbers[offset + 1]! || now;
      retryAtMs = numbers[offset + 2]!;
  }
  return {
    id: limit.id,
    limit: limit.wholeCapacity,
    // Of a share: the others' shares count as used once this one is in use. What is left is what would pass here.
    used: usedTokens === 0 ? 0 : usedTokens + limit.wholeCapacity - limit.capacity,
    remaining: usedTokens === 0 ? limit.wholeCapacity : Math.max(0, limit.capacity - usedTokens),
    resetAtMs,
    // Counted from what the clock says: while stored times are ahead of it, time stands still for the counters.
    retryAfterMs: lacking && cost <= limit.wholeCapacity ? retryAtMs - time.clock : 0,
    violated: lacking && !limit.shadow,
    shadow: limit.shadow,
    wouldDeny: lacking && limit.shadow,
  };
}

function bucketRetryMs(limit: Limit, taken: number, cost: number): number {
  // On credit: once the share is unused.
  if (cost > limit.capacity) return Math.ceil(taken / limit.refillAmount);
  const lacks = Math.ceil((cost * limit.refillPeriodMs - (limit.capacityUnits - taken)) / limit.refillAmount);
  if (limit.maxDelayMs === 0) return lacks;
  // Throttled: it is admitted as soon as the wait it would be told is short enough.
  const wait = limit.leaky ? Math.ceil(taken / limit.refillAmount) : lacks;
  return Math.min(lacks, wait - limit.maxDelayMs);
}

/** The first millisecond at which the weighted count leaves room for `cost`; the count only falls until then. */
function slidingRetryAtMs(limit: Limit, now: number, current: number, previous: number, cost: number): number {
  const { windowMs, capacity } = limit;
  const start = Math.floor(now / windowMs) * windowMs;
  if (cost > capacity) return start + (current === 0 ? 1 : windowsToRepay(limit, current) + 1) * windowMs;
  if (current > capacity && capacity < limit.wholeCapacity) {
    // It has borrowed: the windows in which not even an empty one before it would leave room are skipped.
    const windows = Math.ceil((current + cost - capacity) / capacity);
    const before = Math.min(capacity, borrowedAfter(limit, current, windows - 1));
    return slidingRetryAtMs(limit, start + windows * windowMs, borrowedAfter(limit, current, windows), before, cost);
  }
  const room = capacity - current - cost;
  if (room >= 0 && previous > 0) {
    const sinceStartMs = windowMs - Math.floor((room * windowMs) / previous);
    if (sinceStartMs < windowMs) return start + sinceStartMs;
  }
  // In the next window the current count is the previous one.
  const nextRoom = capacity - cost;
  const sinceNextMs = current <= nextRoom ? 0 : windowMs - Math.floor((nextRoom * windowMs) / current);
  return start + windowMs + sinceNextMs;
}

/** How many windows a cost has to wait for, at least one. */
function fixedWaits(limit: Limit, used: number, cost: number): number {
  if (limit.capacity === limit.wholeCapacity) return 1;
  // On credit it needs an unused share, else only room.
  const toPay = cost > limit.capacity ? used : used + cost - limit.capacity;
  return windowsToRepay(limit, toPay);
}

/** How long an admitted operation has to wait: reserved tokens, or what lies ahead in a leaky bucket. */
export function delayMsOf(limit: Limit, cost: number, numbers: readonly number[], offset: number): number {
  if (!limit.mayDelay || cost > limit.capacity) return 0;
  const taken = numbers[offset]! + numbers[offset + 1]!;
  const ahead = limit.leaky ? taken - cost * limit.refillPeriodMs : taken - limit.capacityUnits;
  return Math.max(0, Math.ceil(ahead / limit.refillAmount));
}

/** The largest cost that would pass now, given the limit's state before a charge. */
export function maxAdmissible(limit: Limit, state: LimitState, numbers: readonly number[], offset: number): number {
  if (limit.shape !== SHAPE.BUCKET || limit.maxDelayMs === 0) return state.remaining;
  const first = numbers[offset]!;
  const taken = (first < 0 ? -1 - first : first) + numbers[offset + 1]!;
  const ahead = limit.maxDelayMs * limit.refillAmount;
  if (limit.leaky) return taken <= ahead ? limit.capacity : state.remaining;
  const tokens = Math.floor((limit.capacityUnits - taken + ahead) / limit.refillPeriodMs);
  return Math.max(0, Math.min(limit.capacity, tokens));
}
