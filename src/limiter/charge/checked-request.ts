import type { LimitState } from '../../model/limit-parameters.js';
import type { ChargeSubject } from '../../model/subject.js';
import { type EngineTime, type Limit, SHAPE } from '../algorithms/limit-algorithm.js';

/** Limits that were checked, with their costs beside them, and what is asked of them often enough to be known. */
export interface CheckedRequest {
  readonly subject: ChargeSubject;
  readonly limits: readonly Limit[];
  readonly costs: readonly number[];
  /** An enforced limit can never hold its cost: nothing may be charged. */
  readonly impossible: boolean;
  readonly hasShadows: boolean;
  readonly hasLists: boolean;
  readonly mayDelay: boolean;
  readonly hasLeased: boolean;
  /** How many numbers an engine reports of all of them. */
  readonly numberCount: number;
}

/** Limits that are charged together, and what a request says of them whatever the costs. */
export interface LimitSet {
  readonly limits: readonly Limit[];
  readonly hasShadows: boolean;
  readonly hasLists: boolean;
  readonly mayDelay: boolean;
  readonly hasLeased: boolean;
  readonly numberCount: number;
}

export function createLimitSet(limits: readonly Limit[]): LimitSet {
  return {
    limits,
    hasShadows: limits.some(({ shadow }) => shadow),
    hasLists: limits.some(({ shape }) => shape === SHAPE.LIST),
    mayDelay: limits.some((limit) => limit.mayDelay),
    hasLeased: limits.some(({ isLeased }) => isLeased),
    numberCount: limits.reduce((sum, { algorithm }) => sum + algorithm.numberCount, 0),
  };
}

/** The request for a set of limits, whose costs are in the same order. */
export function checkedRequestOf(subject: ChargeSubject, set: LimitSet, costs: readonly number[]): CheckedRequest {
  const { limits, hasShadows, hasLists, mayDelay, hasLeased, numberCount } = set;
  let impossible = false;
  for (let i = 0; i < limits.length; i++) {
    if (costs[i]! > limits[i]!.wholeCapacity && !limits[i]!.shadow) impossible = true;
  }
  return { subject, limits, costs, impossible, hasShadows, hasLists, mayDelay, hasLeased, numberCount };
}

export function createCheckedRequest(
  subject: ChargeSubject,
  limits: readonly Limit[],
  costs: readonly number[],
): CheckedRequest {
  return checkedRequestOf(subject, createLimitSet(limits), costs);
}

/** What an engine found: `numbers` as `toLimitState` reads them, limit after limit. */
export interface EngineResult extends EngineTime {
  admitted: boolean;
  numbers: number[];
  /** By limit, where several servers have answered. */
  times: readonly EngineTime[] | undefined;
  /** Of several servers, by limit: whether its server has refused the charge, and counted it where denied operations count. */
  refusedAt?: readonly boolean[];
  /** What clients may know of them, where the engine has worked it out on the way. */
  states?: LimitState[] | undefined;
  /** Of a look: the numbers as a charge would have reported them, where `numbers` are as they were found. */
  wouldBe?: number[] | undefined;
}

/** One of the two is told once, by an engine that makes no promise of a decision. */
export type OnDecided = (result: EngineResult) => void;
export type OnFailed = (error: unknown) => void;

/** An admitted charge, as far as a settlement needs it. */
export interface ChargeRecord {
  readonly request: CheckedRequest;
  /** Six bytes, one per character. */
  readonly chargeId: string;
  /** When it was charged, which says what window it went to; `times` by limit, where several servers did. */
  readonly time: EngineTime;
  readonly times: readonly EngineTime[] | undefined;
}

/** What was wrong with stored state, and was repaired on the way. */
export interface Anomalies {
  /** Unreadable or foreign data that was taken for empty state. */
  repaired: number;
  /** Partitions that a clock more than five seconds ahead had written. */
  rebased: number;
  /** Counters in the memory of this process that made room for others, though something was used of them. */
  forgotten: number;
}

/** The part of a request that stands at these places of it. */
export function selectAt({ subject, limits, costs }: CheckedRequest, places: readonly number[]): CheckedRequest {
  const set = places.length === 1 ? setOfOne(limits[places[0]!]!) : createLimitSet(places.map((i) => limits[i]!));
  return checkedRequestOf(
    subject,
    set,
    places.map((i) => costs[i]!),
  );
}

/** The part of a request whose indexes are kept. */
export function select(request: CheckedRequest, keep: (index: number) => boolean): CheckedRequest {
  return selectAt(
    request,
    request.limits.map((_, i) => i).filter((i) => keep(i)),
  );
}

/** On a Cluster a request is most often taken apart into parts of one limit each. */
const setsOfOne = new WeakMap<Limit, LimitSet>();

function setOfOne(limit: Limit): LimitSet {
  let set = setsOfOne.get(limit);
  if (set === undefined) {
    set = createLimitSet([limit]);
    setsOfOne.set(limit, set);
  }
  return set;
}

export function selectCharged(charge: ChargeRecord, keep: (index: number) => boolean): ChargeRecord {
  return {
    request: select(charge.request, keep),
    chargeId: charge.chargeId,
    time: charge.time,
    times: charge.times?.filter((_, i) => keep(i)),
  };
}

/** The part of a charge that a settlement to `actual` changes; most leave most limits as they are. */
export function selectChanged(charge: ChargeRecord, actual: Readonly<Record<string, number>>): ChargeRecord {
  const { request, times } = charge;
  const limits: Limit[] = [];
  const costs: number[] = [];
  const changedTimes: EngineTime[] | undefined = times && [];
  for (let i = 0; i < request.limits.length; i++) {
    if (!changes(request, i, actual)) continue;
    limits.push(request.limits[i]!);
    costs.push(request.costs[i]!);
    if (times) changedTimes!.push(times[i]!);
  }
  if (limits.length === request.limits.length) return charge;
  const { chargeId, time } = charge;
  return { request: createCheckedRequest(request.subject, limits, costs), chargeId, time, times: changedTimes };
}

export function stampMsOf({ time, times }: ChargeRecord, index: number): number {
  return (times?.[index] ?? time).now;
}

/** Whether a settlement to `actual` changes the limit at `i`: another cost, or a slot that ends. */
export function changes(
  { limits, costs }: CheckedRequest,
  i: number,
  actual: Readonly<Record<string, number>>,
): boolean {
  const spent = actual[limits[i]!.id];
  return spent !== undefined && (spent !== costs[i] || limits[i]!.hasSlots);
}
