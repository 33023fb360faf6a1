import { type Counter, NO_ENTRIES, NO_PARTS } from '../algorithms/counter.js';
import type { EngineTime, Limit } from '../algorithms/limit-algorithm.js';
import { SHAPE } from '../algorithms/limit-algorithm.js';
import type { CheckedRequest, EngineResult } from '../charge/checked-request.js';

/** What Redis found when it denied a request. */
export interface FoundDenial {
  request: CheckedRequest;
  result: EngineResult;
  /** It was asked to look only, as the request can never pass; nothing was brought up to date there. */
  isLook: boolean;
  /** Before Redis read its clock. */
  sentAtMs: number;
  /** When the numbers were so: as they were found, or later where a charge that is under way is taken to be admitted. */
  asOfMs: number;
  /** What was told last: those who flood are denied many times in one millisecond, and share it. */
  told: { clock: number; costs: readonly number[]; result: EngineResult } | undefined;
  /** Set where charges that are under way are taken to be admitted, though what they share with others may be full by now. */
  assumed: Assumed | undefined;
}

/** What a reply says. @param sentAtMs when the call was sent */
export function foundBy(request: CheckedRequest, result: EngineResult, isLook: boolean, sentAtMs: number): FoundDenial {
  return { request, result, isLook, sentAtMs, asOfMs: sentAtMs, told: undefined, assumed: undefined };
}

export interface Assumed {
  /** By limit: the most that one of these charges asks of it, where it is not noticed what others take; else 0. */
  readonly costs: readonly number[];
  /** What is known without them. */
  readonly before: FoundDenial;
}

/**
 * What may be said to a request with these costs. One that asks as much of all that is shared is refused there too where those
 * under way are; one that asks for less may find all that was meant for them.
 */
export function knownFor(found: FoundDenial, costs: readonly number[]): FoundDenial {
  const { assumed } = found;
  if (assumed === undefined) return found;
  for (let i = 0; i < costs.length; i++) if (costs[i]! < assumed.costs[i]!) return assumed.before;
  return found;
}

/** What the clock of Redis says so much later, at the latest: it was read after the call was sent, and says whole milliseconds. */
export function clockAfter({ result }: FoundDenial, laterMs: number, { clock }: EngineTime = result): number {
  return Math.ceil(clock + laterMs);
}

/**
 * Whether the denial can be worked out again later: no limit counts what is denied, every clock was in order, and what refused
 * are buckets and fixed windows, which time alone moves in one known way.
 */
export function canRemember({ limits }: CheckedRequest, result: EngineResult): boolean {
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const { clock, now } = result.times?.[i] ?? result;
    if (limit.countDenied || clock !== now) return false;
    if (result.numbers[offset]! < 0 && !limit.shadow && !isProjected(limit)) return false;
    offset += limit.algorithm.numberCount;
  }
  return limits.length > 0;
}

/**
 * What Redis would find of `request`, which has the same limits, so much later; undefined where it would admit it, or where that
 * cannot be told. Buckets and windows are moved to now and asked for these costs; counters of other kinds, which did not
 * refuse, are told as they were found, for the same cost alone.
 */
export function projectDenial(found: FoundDenial, request: CheckedRequest, laterMs: number): EngineResult | undefined {
  if (found.isLook && !request.impossible) return undefined;
  // Of several slots what refused nothing is only told: charges that were pending then may have been taken back since.
  const isOfSeveral = found.result.times !== undefined;
  const { limits, costs } = request;
  const { result } = found;
  const numbers = new Array<number>(request.numberCount);
  // Mostly all are as of one moment.
  const times = isOfSeveral || !limits.every(isProjected) ? new Array<EngineTime>(limits.length) : undefined;
  let denied = false;
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const { algorithm } = limit;
    const cost = costs[i]!;
    const time = result.times?.[i] ?? result;
    if (isProjected(limit)) {
      const now = clockAfter(found, laterMs, time);
      load(limit, result.numbers, offset, time.now);
      algorithm.refresh(limit, counter, now);
      const hasRoom = cost === 0 || algorithm.admits(limit, counter, now, cost);
      if (!hasRoom && !limit.shadow && (!isOfSeveral || result.numbers[offset]! < 0)) denied = true;
      algorithm.report(limit, counter, cost, hasRoom, numbers, offset);
      if (times !== undefined) times[i] = { clock: now, now };
    } else {
      if (cost !== found.request.costs[i]) return undefined;
      for (let j = 0; j < algorithm.numberCount; j++) numbers[offset + j] = result.numbers[offset + j]!;
      times![i] = time;
    }
    offset += algorithm.numberCount;
  }
  if (!denied) return undefined;
  const asOf = clockAfter(found, laterMs);
  const { clock = asOf, now = asOf } = times?.[0] ?? {};
  return { admitted: false, clock, now, numbers, times };
}

/**
 * What Redis will have found once it has admitted `request`, which is on its way to it and has room so much later; undefined where
 * that cannot be told. What is charged after it meets what it left.
 */
export function projectAdmission(
  found: FoundDenial,
  request: CheckedRequest,
  laterMs: number,
): EngineResult | undefined {
  const { result } = found;
  if (found.isLook || result.times !== undefined || !isAllProjected(request)) return undefined;
  const { limits, costs } = request;
  const numbers = new Array<number>(request.numberCount);
  const now = Math.ceil(result.clock + laterMs);
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const { algorithm } = limit;
    const cost = costs[i]!;
    load(limit, result.numbers, offset, result.now);
    algorithm.refresh(limit, counter, now);
    if (cost > 0 && !algorithm.admits(limit, counter, now, cost)) return undefined;
    algorithm.take(limit, counter, now, cost, '');
    algorithm.report(limit, counter, cost, true, numbers, offset);
    offset += algorithm.numberCount;
  }
  return { admitted: true, clock: now, now, numbers, times: undefined };
}

/** Whether what an admitted charge leaves can be told later, as what was denied can. */
export function canRememberAdmission(request: CheckedRequest, { clock, now, times }: EngineResult): boolean {
  return clock === now && times === undefined && isAllProjected(request);
}

/** Whether the same could be charged once more, as far as buckets and fixed windows tell. */
export function hasRoomLeft({ limits, costs }: CheckedRequest, result: EngineResult): boolean {
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    if (isProjected(limit) && !limit.shadow) {
      const { now } = result.times?.[i] ?? result;
      load(limit, result.numbers, offset, now);
      if (!limit.algorithm.admits(limit, counter, now, costs[i]!)) return false;
    }
    offset += limit.algorithm.numberCount;
  }
  return true;
}

function isAllProjected({ limits, hasShadows, mayDelay }: CheckedRequest): boolean {
  return !hasShadows && !mayDelay && limits.every(isProjected);
}

/** Whether one limit, which was among those of the denial, has no room for this cost at a moment. */
export function isStillRefused(found: FoundDenial, limit: Limit, cost: number, atMs: number): boolean {
  // The other costs of the request are not known here.
  const { request, result, isLook, asOfMs } = found.assumed?.before ?? found;
  if (isLook || cost === 0 || !isProjected(limit)) return false;
  const laterMs = atMs - asOfMs;
  let offset = 0;
  for (let i = 0; i < request.limits.length; i++) {
    if (request.limits[i] === limit) {
      if (result.times !== undefined && result.numbers[offset]! >= 0) return false;
      const time = result.times?.[i] ?? result;
      const now = Math.ceil(time.clock + laterMs);
      load(limit, result.numbers, offset, time.now);
      limit.algorithm.refresh(limit, counter, now);
      return !limit.algorithm.admits(limit, counter, now, cost);
    }
    offset += request.limits[i]!.algorithm.numberCount;
  }
  return false;
}

function isProjected({ shape }: Limit): boolean {
  return shape === SHAPE.BUCKET || shape === SHAPE.FIXED;
}

/** Reused by every call: what a limit's numbers say of its counter. */
const counter: Counter = {
  at: 0,
  used: 0,
  debt: 0,
  previousCount: 0,
  refillAmount: 0,
  refillPeriodMs: 0,
  parts: NO_PARTS,
  entries: NO_ENTRIES,
};

function load(limit: Limit, numbers: readonly number[], offset: number, now: number): void {
  const first = numbers[offset]!;
  const isBucket = limit.shape === SHAPE.BUCKET;
  counter.used = first < 0 ? -1 - first : first;
  counter.debt = isBucket ? numbers[offset + 1]! : 0;
  counter.at = isBucket ? now : Math.floor(now / limit.windowMs);
  counter.refillAmount = limit.refillAmount;
  counter.refillPeriodMs = limit.refillPeriodMs;
}
