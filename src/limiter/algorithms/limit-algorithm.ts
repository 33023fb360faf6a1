import type { LimitParameters, LimitState, OnUnavailable, RegionPart } from '../../model/limit-parameters.js';
import type { Scope } from '../../model/subject.js';
import type { Counter } from './counter.js';
import type { LimitCalendar } from './limit-calendar.js';

/**
 * Storage form of a limit's state. Both bucket algorithms use `BUCKET`. Calendar windows use
 * `FIXED`. Sliding window logs and concurrency slots use `LIST`.
 */
export const SHAPE = { BUCKET: 1, FIXED: 2, SLIDING: 3, STRICT: 4, LIST: 5 } as const;
type Shape = (typeof SHAPE)[keyof typeof SHAPE];

/** Identity of the counter that a limit charges. */
export interface CounterIdentity {
  /**
   * First bits of the record id, as a number. Two counters rarely have the same number, and numbers
   * are compared faster than strings.
   */
  readonly hash: number;
  /** Id of the record in Redis: six bytes, one per character. */
  readonly recordId: string;
  /** A longer form of the same id, for keys: twelve bytes in base64url. */
  readonly name: string;
}

/**
 * A compiled limit: a `LimitCharge` without its cost, validated, with defaults and with values that
 * the algorithms derive.
 */
export interface Limit {
  readonly id: string;
  readonly scope: Scope;
  readonly identity: CounterIdentity;
  readonly algorithm: LimitAlgorithm;
  /**
   * Shape of the algorithm. The fast path and the writer of requests read it without a further
   * look-up.
   */
  readonly shape: Shape;
  readonly leaky: boolean;
  readonly hasSlots: boolean;
  /**
   * Parameter `capacity` or `amount`, in tokens, slots, or whatever else the limit counts. Calendar
   * windows: `hardCap` plus the largest amount that can be carried over.
   */
  readonly capacity: number;
  /**
   * Capacity of the whole limit. While Redis is unavailable, `capacity` is the share of this
   * process; otherwise both are equal.
   */
  readonly wholeCapacity: number;
  /**
   * Buckets: `capacity` in units of 1 / refillPeriodMs token. One millisecond refills
   * `refillAmount` units.
   */
  readonly capacityUnits: number;
  /**
   * Buckets: used amount after a charge, in units, up to which the fast path admits the charge
   * without computing a wait.
   */
  readonly promptUnits: number;
  readonly refillAmount: number;
  readonly refillPeriodMs: number;
  /** Calendar windows: the periods and what is carried over. Undefined for all other limits. */
  readonly calendar: LimitCalendar | undefined;
  /** Windows: `windowMs`. Slots: `leaseMs`. 0 for calendar windows. */
  readonly windowMs: number;
  /** Strict sliding windows: length of one part, in milliseconds. */
  readonly partMs: number;
  /**
   * Windows: maximum count. It fits into five bytes and stays exact when a sliding window scales
   * it.
   */
  readonly maxCount: number;
  readonly shadow: boolean;
  readonly countDenied: boolean;
  readonly maxDebt: number;
  readonly maxDelayMs: number;
  /** Whether an operation that the limit admits may have to wait. */
  readonly mayDelay: boolean;
  /** Slots: `maxWaitMs`; 0 if operations do not wait. Also 0 for a limit in shadow mode. */
  readonly maxWaitMs: number;
  /** Slots: `maxQueue`. */
  readonly maxQueue: number;
  readonly onUnavailable: OnUnavailable;
  readonly rank: number;
  /** Whether its tokens may be leased: its `precision` is `LEASED`, and `isLeasable` allows it. */
  readonly isLeased: boolean;
  /** Part of the region. Undefined unless the limit is split between regions. */
  readonly part: RegionPart | undefined;
}

export function isSameCounter(a: CounterIdentity, b: CounterIdentity): boolean {
  return a.hash === b.hash && a.recordId === b.recordId;
}

/**
 * Engine time in epoch milliseconds. `clock` is the reading of the clock; `now` is the time of the
 * decision. `now` is later than `clock` while stored times are ahead of the clock.
 */
export interface EngineTime {
  clock: number;
  now: number;
}

type ParameterName = keyof LimitParameters | 'maxDebt' | 'maxDelayMs';

/**
 * Reads the parameters of a limit. Its methods throw a `TypeError` that names the limit and the
 * parameter.
 */
export interface ParameterReader {
  /** Reads a required whole number from `from` to `to`. */
  whole(field: ParameterName, from: number, to: number): number;
  /** Reads a whole number from 0 to `to`. Returns `otherwise` if it is absent. */
  optional(field: ParameterName, otherwise: number, to: number): number;
  /** Reads the parameters of a calendar window. */
  calendar(): LimitCalendar;
  /** Returns the error for a parameter. */
  fail(field: ParameterName, expected: string, got: unknown): TypeError;
}

/** Values derived from the parameters of a limit. */
type ParsedParameters = Pick<Limit, 'capacity'> &
  Partial<
    Pick<
      Limit,
      | 'leaky'
      | 'hasSlots'
      | 'refillAmount'
      | 'refillPeriodMs'
      | 'windowMs'
      | 'maxCount'
      | 'maxDebt'
      | 'maxDelayMs'
      | 'mayDelay'
      | 'maxWaitMs'
      | 'maxQueue'
      | 'calendar'
    >
  >;

/**
 * One algorithm: how its counters change with time, which costs they admit, and which state clients
 * receive. An engine calls the methods for one limit at a time. It calls `refresh` first, so the
 * other methods receive a counter that is up to date.
 *
 * The memory engine and the scripts in Redis report the same few whole numbers for each limit.
 * `state` derives the client's state from them, so that the engines do not implement it twice. If a
 * limit lacked room for its cost, its first number n is reported as -1 - n.
 */
export interface LimitAlgorithm {
  readonly shape: Shape;
  /** Number of values that an engine reports for a limit. */
  readonly numberCount: number;
  parse(read: ParameterReader): ParsedParameters;
  /** Updates a counter to the time `now`. */
  refresh(limit: Limit, counter: Counter, now: number): void;
  /** Adopts the refill rate of `limit`. Returns true if the counter had another rate. */
  adoptRate(limit: Limit, counter: Counter): boolean;
  /** Returns whether there is room for `cost`. */
  admits(limit: Limit, counter: Counter, now: number, cost: number): boolean;
  /** Charges an admitted cost. */
  take(limit: Limit, counter: Counter, now: number, cost: number, chargeId: string): void;
  /** Counts a denied operation. */
  takeDenied(limit: Limit, counter: Counter, now: number, cost: number, chargeId: string): void;
  /** Corrects a charge of `charged`, made at `stampMs`, to `actual`. */
  correct(limit: Limit, counter: Counter, stampMs: number, chargeId: string, charged: number, actual: number): void;
  /** Concurrency slots only: makes the slot of a charge end `leaseMs` from now, even without room. */
  renew?(limit: Limit, counter: Counter, now: number, cost: number, chargeId: string): void;
  /**
   * Returns the time at which a counter is empty if nothing else is charged. If the result is at
   * most `now`, the counter is already empty.
   */
  emptyAtMs(limit: Limit, counter: Counter): number;
  /** Moves the time of a counter from `from` to `to`, without a refill for the difference. */
  rebase(limit: Limit, counter: Counter, from: number, to: number): void;
  /** Writes the numbers of the counter into `numbers`, starting at `offset`. */
  report(limit: Limit, counter: Counter, cost: number, hasRoom: boolean, numbers: number[], offset: number): void;
  /** Returns the client's state, from the numbers that start at `offset`. */
  state(limit: Limit, cost: number, time: EngineTime, numbers: readonly number[], offset: number): LimitState;
  /**
   * Changes the numbers that were reported after a charge of `charged` to the numbers after its
   * settlement to `actual`.
   */
  correctNumbers(limit: Limit, numbers: number[], charged: number, actual: number): void;
  /** Returns the time that an admitted operation has to wait, in milliseconds. */
  delayMs(limit: Limit, cost: number, numbers: readonly number[], offset: number): number;
  /**
   * Returns the largest cost that would be admitted now, from the limit's state before a charge.
   */
  maxAdmissible(limit: Limit, state: LimitState, numbers: readonly number[], offset: number): number;
}

/**
 * Returns the state of a limit of any algorithm. `retryAtMs` is used only if the limit lacked room
 * for `cost`.
 */
export function stateOf(
  limit: Limit,
  cost: number,
  clock: number,
  lacking: boolean,
  usedTokens: number,
  resetAtMs: number,
  retryAtMs: number,
): LimitState {
  return {
    id: limit.id,
    limit: limit.wholeCapacity,
    // While Redis is unavailable, `capacity` is a share. Once it is in use, the shares of the other
    // instances count as used too, so `remaining` is what this instance would admit.
    used: usedTokens === 0 ? 0 : usedTokens + limit.wholeCapacity - limit.capacity,
    remaining: usedTokens === 0 ? limit.wholeCapacity : Math.max(0, limit.capacity - usedTokens),
    resetAtMs,
    // The wait is relative to the clock, because `now` does not advance while stored times are
    // ahead of the clock.
    retryAfterMs: lacking && cost <= limit.wholeCapacity ? retryAtMs - clock : 0,
    violated: lacking && !limit.shadow,
    shadow: limit.shadow,
    wouldDeny: lacking && limit.shadow,
    part: limit.part,
  };
}
