import type { LimitState } from '../../model/limit-parameters.js';
import type { ChargeSubject } from '../../model/subject.js';
import { type EngineTime, type Limit, SHAPE } from '../algorithms/limit-algorithm.js';

/**
 * A validated request: limits with their costs, and properties of the limits that are read on every
 * charge.
 */
export interface CheckedRequest {
  readonly subject: ChargeSubject;
  readonly limits: readonly Limit[];
  readonly costs: readonly number[];
  /** Whether the cost exceeds the capacity of an enforced limit. Nothing may be charged then. */
  readonly impossible: boolean;
  readonly hasShadows: boolean;
  readonly hasLists: boolean;
  readonly mayDelay: boolean;
  readonly hasLeased: boolean;
  /** Number of values that an engine reports for all limits together. */
  readonly numberCount: number;
}

/**
 * Limits that are charged together, with the properties of a request that do not depend on the
 * costs.
 */
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

/** Returns the request for a set of limits. `costs` are in the order of the limits. */
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

/**
 * Result of an engine. `numbers` contains the numbers of each limit in turn, as `toLimitState`
 * reads them.
 */
export interface EngineResult extends EngineTime {
  admitted: boolean;
  numbers: number[];
  /** Time of each limit, if several calls of a Cluster or several leases decided the charge. */
  times: readonly EngineTime[] | undefined;
  /**
   * For each limit, whether the call that charged it was denied. Such a call has also counted the
   * charge on limits with `countDenied`. Present only if several calls of a Cluster decided.
   */
  deniedAt?: readonly boolean[];
  /** States of the limits for the client, if the engine has already computed them. */
  states?: LimitState[] | undefined;
  /**
   * For a peek: the numbers as a charge would have reported them. `numbers` then contains the
   * numbers without a charge.
   */
  wouldBe?: number[] | undefined;
}

/**
 * Callbacks of engine methods that return no promise. The engine calls exactly one of the two,
 * once.
 */
export type OnDecided = (result: EngineResult) => void;
export type OnFailed = (error: unknown) => void;

/** The part of an admitted charge that a settlement needs. */
export interface ChargeRecord {
  readonly request: CheckedRequest;
  /** Id of six bytes, one per character. */
  readonly chargeId: string;
  /**
   * Time of the charge, which determines the window that it counted in. `times` contains the time
   * of each limit, if several calls of a Cluster or several leases decided the charge.
   */
  readonly time: EngineTime;
  readonly times: readonly EngineTime[] | undefined;
  /**
   * Time until which a refund may wait for a moment, in monotonic milliseconds (see
   * `settleLaterUntilMs`). Absent: it may not wait.
   */
  readonly settleLaterUntilMs?: number;
}

/** Counts of faults in stored state that were repaired, and of usage that was lost. */
export interface Anomalies {
  /** Number of values that were unreadable or foreign and were treated as empty state. */
  repaired: number;
  /** Number of partitions written by a clock that was more than five seconds ahead. */
  rebased: number;
  /**
   * Number of counters in the memory of this process that were evicted while they still held usage.
   */
  forgotten: number;
}

/** Returns the part of a request with the limits at the given indexes. */
export function selectAt({ subject, limits, costs }: CheckedRequest, places: readonly number[]): CheckedRequest {
  const set = places.length === 1 ? setOfOne(limits[places[0]!]!) : createLimitSet(places.map((i) => limits[i]!));
  return checkedRequestOf(
    subject,
    set,
    places.map((i) => costs[i]!),
  );
}

/** Returns the part of a request with the limits whose indexes `keep` accepts. */
export function select(request: CheckedRequest, keep: (index: number) => boolean): CheckedRequest {
  return selectAt(
    request,
    request.limits.map((_, i) => i).filter((i) => keep(i)),
  );
}

/**
 * Sets of one limit, cached: on a Cluster, most requests are split into parts of one limit each.
 */
const setsOfOne = new WeakMap<Limit, LimitSet>();

function setOfOne(limit: Limit): LimitSet {
  let set = setsOfOne.get(limit);
  if (set === undefined) {
    set = createLimitSet([limit]);
    setsOfOne.set(limit, set);
  }
  return set;
}

/** Returns the part of a charge with the limits whose indexes `keep` accepts. */
export function selectCharged(charge: ChargeRecord, keep: (index: number) => boolean): ChargeRecord {
  return {
    request: select(charge.request, keep),
    chargeId: charge.chargeId,
    time: charge.time,
    times: charge.times?.filter((_, i) => keep(i)),
    ...(charge.settleLaterUntilMs !== undefined && { settleLaterUntilMs: charge.settleLaterUntilMs }),
  };
}

/**
 * Returns the part of a charge that a settlement to `actual` changes. Most settlements leave most
 * limits unchanged.
 */
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

/** Returns the time of the charge on the limit at this index, in epoch milliseconds. */
export function stampMsOf({ time, times }: ChargeRecord, index: number): number {
  return (times?.[index] ?? time).now;
}

/**
 * Returns whether a settlement to `actual` changes the limit at `i`: the cost differs, or a slot is
 * released.
 */
export function changes(
  { limits, costs }: CheckedRequest,
  i: number,
  actual: Readonly<Record<string, number>>,
): boolean {
  const spent = actual[limits[i]!.id];
  return spent !== undefined && (spent !== costs[i] || limits[i]!.hasSlots);
}
