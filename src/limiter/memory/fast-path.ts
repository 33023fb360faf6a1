import type { LimitState } from '../../model/limit.js';
import { type Limit, SHAPE } from '../algorithms/algorithm.js';
import type { StoredCounter } from '../algorithms/counter.js';
import { slidingUsed } from '../algorithms/windows.js';
import type { Partition } from './partitions.js';

/**
 * Most charges are of a bucket or an aligned window that has room, and that `limit` was the last to write. Takes the cost, and
 * describes the limit after it; undefined where it is not that simple, and nothing is taken. The general way (algorithms/ and
 * limit-state.ts), which is for all others, comes to the same with a copy of the counter. A cost of zero is written too: whoever
 * has one puts back what was there.
 */
export function tryFastCharge(
  limit: Limit,
  partition: Partition,
  counter: StoredCounter,
  cost: number,
  now: number,
): LimitState | undefined {
  const { capacity } = limit;
  if (counter.limit !== limit || limit.shape > SHAPE.SLIDING || capacity !== limit.wholeCapacity) return undefined;
  let { used, extra } = counter;
  let usedTokens: number;
  let resetAtMs: number;
  if (limit.shape === SHAPE.BUCKET) {
    const { refillAmount, refillPeriodMs } = limit;
    if (counter.refillAmount !== refillAmount || counter.refillPeriodMs !== refillPeriodMs) return undefined;
    const refilled = Math.max(0, now - counter.at) * refillAmount;
    const paid = Math.min(extra, refilled);
    extra -= paid;
    used = Math.max(0, used - (refilled - paid)) + cost * refillPeriodMs;
    const taken = used + extra;
    if (taken > limit.capacityUnits && cost > 0) return undefined;
    usedTokens = Math.ceil(taken / refillPeriodMs);
    resetAtMs = now + Math.ceil(taken / refillAmount);
    counter.at = now;
    counter.emptyAtMs = resetAtMs;
  } else {
    const { windowMs } = limit;
    const index = Math.floor(now / windowMs);
    const passed = index - counter.at;
    if (passed !== 0) {
      extra = passed === 1 && limit.shape === SHAPE.SLIDING ? used : 0;
      used = 0;
    }
    used += cost;
    usedTokens = extra === 0 ? used : slidingUsed(limit, now, used, extra);
    if (usedTokens > capacity && cost > 0) return undefined;
    resetAtMs = (index + 1) * windowMs;
    counter.at = index;
    counter.emptyAtMs = limit.shape === SHAPE.SLIDING ? resetAtMs + windowMs : resetAtMs;
  }
  counter.used = used;
  counter.extra = extra;
  partition.seenAt = now;
  return {
    id: limit.id,
    limit: capacity,
    used: usedTokens,
    remaining: Math.max(0, capacity - usedTokens),
    resetAtMs,
    retryAfterMs: 0,
    violated: false,
    shadow: limit.shadow,
    wouldDeny: false,
  };
}
