import { mayBorrow, windowsToRepay } from '../outage/local-share.js';
import { type Limit, SHAPE } from './algorithm.js';
import type { Counter } from './counter.js';
import { addEntry, correctEntry, listEmptyAtMs, refreshList } from './log-and-leases.js';
import {
  bucketAdmits,
  bucketEmptyAtMs,
  overdrawBucket,
  refreshBucket,
  refundToBucket,
  takeFromBucket,
} from './token-bucket.js';
import {
  correctWindow,
  refreshFixed,
  refreshSliding,
  refreshStrict,
  slidingUsed,
  strictEmptyAtMs,
  takeFromWindow,
} from './windows.js';

/** Brings a counter up to `now`. */
export function refresh(limit: Limit, counter: Counter, now: number): void {
  if (limit.shape === SHAPE.BUCKET) refreshBucket(counter, now);
  else if (limit.shape === SHAPE.SLIDING) refreshSliding(limit, counter, now);
  else if (limit.shape === SHAPE.FIXED) refreshFixed(limit, counter, now);
  else if (limit.shape === SHAPE.STRICT) refreshStrict(limit, counter, now);
  else refreshList(counter, now);
}

/** Whether a refreshed counter has room for `cost`. */
export function admits(limit: Limit, counter: Counter, now: number, cost: number): boolean {
  switch (limit.shape) {
    case SHAPE.BUCKET:
      return bucketAdmits(limit, counter, cost);
    case SHAPE.SLIDING: {
      const used = slidingUsed(limit, now, counter.used, counter.extra);
      return used + cost <= limit.capacity || mayBorrow(limit, used, cost);
    }
    default:
      return counter.used + cost <= limit.capacity || mayBorrow(limit, counter.used, cost);
  }
}

/** Takes a cost that was admitted. */
export function take(limit: Limit, counter: Counter, now: number, cost: number, chargeId: string): void {
  if (limit.shape === SHAPE.BUCKET) takeFromBucket(counter, cost);
  else if (limit.shape === SHAPE.LIST) {
    const lastsMs = limit.leases ? limit.windowMs : limit.windowMs * windowsToRepay(limit, cost);
    addEntry(counter, { endsAtMs: now + lastsMs, cost, chargeId });
  } else takeFromWindow(limit, counter, cost);
}

/** Counts an operation that was denied. */
export function takeDenied(limit: Limit, counter: Counter, now: number, cost: number, chargeId: string): void {
  if (limit.shape === SHAPE.BUCKET) overdrawBucket(limit, counter, cost);
  else if (limit.shape === SHAPE.LIST) take(limit, counter, now, cost, chargeId);
  else correctWindow(limit, counter, now, cost);
}

/** Corrects a charge of `charged`, made at `stampMs`, to `actual`. */
export function correct(
  limit: Limit,
  counter: Counter,
  stampMs: number,
  chargeId: string,
  charged: number,
  actual: number,
): void {
  if (limit.shape === SHAPE.LIST) correctEntry(limit, counter, chargeId, actual);
  else if (limit.shape !== SHAPE.BUCKET) correctWindow(limit, counter, stampMs, actual - charged);
  else if (actual > charged) overdrawBucket(limit, counter, actual - charged);
  else refundToBucket(counter, charged - actual);
}

/** When a refreshed counter is empty if nothing else happens; at most `now`, or 0: it is empty. */
export function emptyAtMs(limit: Limit, counter: Counter): number {
  switch (limit.shape) {
    case SHAPE.BUCKET:
      return bucketEmptyAtMs(counter);
    case SHAPE.SLIDING:
      if (counter.used > 0) return (counter.at + 1 + windowsToRepay(limit, counter.used)) * limit.windowMs;
      return counter.extra > 0 ? (counter.at + 1) * limit.windowMs : 0;
    case SHAPE.FIXED:
      return counter.used > 0 ? (counter.at + windowsToRepay(limit, counter.used)) * limit.windowMs : 0;
    case SHAPE.STRICT:
      return strictEmptyAtMs(limit, counter);
    case SHAPE.LIST:
      return listEmptyAtMs(counter);
  }
}

/**
 * The clock that `counter` was written by ran ahead and was set back, from `from` to `to`: the counter is brought up to
 * the old time and goes on from the new one, without a refill for the jump.
 */
export function rebase(limit: Limit, counter: Counter, from: number, to: number): void {
  refresh(limit, counter, from);
  if (limit.shape === SHAPE.BUCKET) counter.at = to;
  else if (limit.shape === SHAPE.STRICT) counter.at = Math.floor(to / limit.partMs);
  else if (limit.shape !== SHAPE.LIST) counter.at = Math.floor(to / limit.windowMs);
  else counter.entries = counter.entries.map((entry) => ({ ...entry, endsAtMs: entry.endsAtMs + to - from }));
}
