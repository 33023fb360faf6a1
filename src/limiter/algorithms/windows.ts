import { STRICT_PARTS } from '../../model/limit.js';
import { borrowedAfter, windowsToRepay } from '../outage/local-share.js';
import { type Limit, SHAPE } from './algorithm.js';
import type { Counter } from './counter.js';

// Windows aligned to the epoch: fixed, sliding (weighted), and strict (sliding over parts that are counted in full).

export function refreshFixed(limit: Limit, counter: Counter, now: number): void {
  const index = Math.floor(now / limit.windowMs);
  if (counter.at !== index) counter.used = borrowedAfter(limit, counter.used, index - counter.at);
  counter.at = index;
}

export function refreshSliding(limit: Limit, counter: Counter, now: number): void {
  const index = Math.floor(now / limit.windowMs);
  const passed = index - counter.at;
  if (passed === 0) return;
  const owed = borrowedAfter(limit, counter.used, passed);
  counter.extra =
    passed === 1 ? counter.used - owed : Math.min(limit.capacity, borrowedAfter(limit, counter.used, passed - 1));
  counter.used = owed;
  counter.at = index;
}

/** The previous window counts by the share of it that the true window still overlaps, rounded up. */
export function slidingUsed(limit: Limit, now: number, current: number, previous: number): number {
  const overlapMs = limit.windowMs - (now - Math.floor(now / limit.windowMs) * limit.windowMs);
  return current + Math.ceil((previous * overlapMs) / limit.windowMs);
}

export function refreshStrict(limit: Limit, counter: Counter, now: number): void {
  const newest = Math.floor(now / limit.partMs);
  const oldest = Math.floor((now - limit.windowMs + 1) / limit.partMs);
  const passed = newest - counter.at;
  const parts: number[] = [];
  let used = 0;
  for (let back = 0; back <= STRICT_PARTS; back++) {
    const count = newest - back < oldest ? 0 : (counter.parts[back - passed] ?? 0);
    parts.push(count);
    used += count;
  }
  // What a share has still borrowed when its part leaves begins anew.
  const owed = used === 0 ? borrowedAfter(limit, counter.used, Math.max(1, Math.floor(passed / STRICT_PARTS))) : 0;
  parts[0]! += owed;
  counter.parts = parts;
  counter.used = used + owed;
  counter.at = newest;
}

/** A part is left behind when no true window that ends now can reach into it. */
export function partEndsAtMs(limit: Limit, index: number): number {
  return (index + 1) * limit.partMs + limit.windowMs - 1;
}

/** When enough parts have left for `cost` to fit. */
export function strictRetryAtMs(limit: Limit, counter: Counter, cost: number): number {
  if (cost > limit.capacity) return strictEmptyAtMs(limit, counter); // A share, on credit.
  let used = counter.used;
  for (let back = STRICT_PARTS; back > 0; back--) {
    if (used + cost <= limit.capacity) return partEndsAtMs(limit, counter.at - back - 1);
    used -= counter.parts[back] ?? 0;
  }
  const last = used + cost <= limit.capacity ? 1 : 0;
  return partEndsAtMs(limit, counter.at - last);
}

export function strictEmptyAtMs(limit: Limit, counter: Counter): number {
  const back = counter.parts.findIndex((count) => count > 0);
  if (back < 0) return 0;
  return partEndsAtMs(limit, counter.at - back) + (windowsToRepay(limit, counter.used) - 1) * limit.windowMs;
}

/** Takes a cost that fits from the window (and part) that runs. */
export function takeFromWindow(limit: Limit, counter: Counter, cost: number): void {
  counter.used += cost;
  if (limit.shape === SHAPE.STRICT) counter.parts[0]! += cost;
}

/** Changes the count of the window (or part) that `stampMs` lies in, while it still counts; never below zero. */
export function correctWindow(limit: Limit, counter: Counter, stampMs: number, difference: number): void {
  if (limit.shape === SHAPE.STRICT) {
    const back = counter.at - Math.floor(stampMs / limit.partMs);
    const count = counter.parts[back];
    if (count === undefined) return;
    const corrected = clampCount(limit, count + difference);
    counter.parts[back] = corrected;
    counter.used += corrected - count;
    return;
  }
  const passed = counter.at - Math.floor(stampMs / limit.windowMs);
  if (passed === 0) counter.used = clampCount(limit, counter.used + difference);
  else if (passed === 1 && limit.shape === SHAPE.SLIDING) counter.extra = clampCount(limit, counter.extra + difference);
}

function clampCount(limit: Limit, count: number): number {
  return Math.max(0, Math.min(count, limit.maxCount));
}
