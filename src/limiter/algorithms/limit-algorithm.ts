import type { LimitParameters, LimitState, OnUnavailable } from '../../model/limit-parameters.js';
import type { Scope } from '../../model/subject.js';
import type { Counter } from './counter.js';

/** How a limit's state is kept. Both bucket algorithms share one shape, and so do the log and the slots. */
export const SHAPE = { BUCKET: 1, FIXED: 2, SLIDING: 3, STRICT: 4, LIST: 5 } as const;
type Shape = (typeof SHAPE)[keyof typeof SHAPE];

/** Which counter a limit charges. */
export interface CounterIdentity {
  /** The first bits of the record id: most counters that differ, differ here, and comparing numbers is fast. */
  readonly hash: number;
  /** Six bytes, one per character: how Redis knows the record. */
  readonly recordId: string;
  /** The same in base64url, for keys. */
  readonly name: string;
}

/** A `LimitCharge` without its cost: checked, with defaults filled in and with what the algorithms derive from it. */
export interface Limit {
  readonly id: string;
  readonly scope: Scope;
  readonly identity: CounterIdentity;
  readonly algorithm: LimitAlgorithm;
  /** That of the algorithm: what the fast path and the writer of requests ask without a further look-up. */
  readonly shape: Shape;
  readonly leaky: boolean;
  readonly hasSlots: boolean;
  /** Tokens, calls or slots: `capacity` or `amount`. */
  readonly capacity: number;
  /** What `capacity` is this process' share of, while Redis is away; else the same. */
  readonly wholeCapacity: number;
  /** Buckets: `capacity` in units of 1 / refillPeriodMs token. One millisecond refills `refillAmount` units. */
  readonly capacityUnits: number;
  /** Buckets: units that may be taken without a look at how long the operation would wait. */
  readonly promptUnits: number;
  readonly refillAmount: number;
  readonly refillPeriodMs: number;
  /** Windows: `windowMs`. Slots: `leaseMs`. */
  readonly windowMs: number;
  /** Strict sliding windows: the length of one part. */
  readonly partMs: number;
  /** Windows: counts end here; they fit their five bytes and stay exact when a sliding window scales them. */
  readonly maxCount: number;
  readonly shadow: boolean;
  readonly countDenied: boolean;
  readonly maxDebt: number;
  readonly maxDelayMs: number;
  /** An operation that it admits may have to wait. */
  readonly mayDelay: boolean;
  readonly onUnavailable: OnUnavailable;
  readonly rank: number;
  /** Its tokens may be taken ahead: it was asked for, and its algorithm allows it. */
  readonly isLeased: boolean;
}

export function isSameCounter(a: CounterIdentity, b: CounterIdentity): boolean {
  return a.hash === b.hash && a.recordId === b.recordId;
}

/** Engine time: `clock` is what the clock said, `now` what was decided by (later, while stored times are ahead). */
export interface EngineTime {
  clock: number;
  now: number;
}

type ParameterName = keyof LimitParameters | 'maxDebt' | 'maxDelayMs';

/** Reads the parameters of a limit, and throws a `TypeError` that names the limit and the parameter. */
export interface ParameterReader {
  whole(field: ParameterName, from: number, to: number): number;
  /** From zero; `otherwise` where it is not given. */
  optional(field: ParameterName, otherwise: number, to: number): number;
  fail(field: ParameterName, expected: string, got: unknown): TypeError;
}

/** What the parameters of a limit come to. */
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
    >
  >;

/**
 * One algorithm: how its counters move with time, what they admit, and what clients are told of them. An engine asks it limit
 * by limit; `counter` is always refreshed but where it says otherwise.
 *
 * What an engine reports of one limit is a few whole numbers, from which `state` works out the client's, once for all engines;
 * the scripts report the same. A limit that lacked room for its cost has its first number n given as -1 - n.
 */
export interface LimitAlgorithm {
  readonly shape: Shape;
  /** How many numbers an engine reports of a limit. */
  readonly numberCount: number;
  parse(read: ParameterReader): ParsedParameters;
  /** Brings a counter up to `now`. */
  refresh(limit: Limit, counter: Counter, now: number): void;
  /** Goes over to the refill rate of `limit`; true when that is another one. */
  adoptRate(limit: Limit, counter: Counter): boolean;
  /** Whether there is room for `cost`. */
  admits(limit: Limit, counter: Counter, now: number, cost: number): boolean;
  /** Takes a cost that was admitted. */
  take(limit: Limit, counter: Counter, now: number, cost: number, chargeId: string): void;
  /** Counts an operation that was denied. */
  takeDenied(limit: Limit, counter: Counter, now: number, cost: number, chargeId: string): void;
  /** Corrects a charge of `charged`, made at `stampMs`, to `actual`. */
  correct(limit: Limit, counter: Counter, stampMs: number, chargeId: string, charged: number, actual: number): void;
  /** When a counter is empty if nothing else happens; at most `now`, or 0: it is empty. */
  emptyAtMs(limit: Limit, counter: Counter): number;
  /** Goes on from `to` where the counter, refreshed, stands at `from`: without a refill for the jump. */
  rebase(limit: Limit, counter: Counter, from: number, to: number): void;
  /** Writes its numbers, from `offset` on. */
  report(limit: Limit, counter: Counter, cost: number, hasRoom: boolean, numbers: number[], offset: number): void;
  /** The client's state, from the numbers that start at `offset`. */
  state(limit: Limit, cost: number, time: EngineTime, numbers: readonly number[], offset: number): LimitState;
  /** Corrects numbers that were reported of a charge of `charged` to what they are once it is settled to `actual`. */
  correctNumbers(limit: Limit, numbers: number[], charged: number, actual: number): void;
  /** How long an operation that was admitted has to wait. */
  delayMs(limit: Limit, cost: number, numbers: readonly number[], offset: number): number;
  /** The largest cost that would pass now, given the limit's state before a charge. */
  maxAdmissible(limit: Limit, state: LimitState, numbers: readonly number[], offset: number): number;
}

/** The state of a limit, whatever its algorithm: `retryAtMs` counts where it lacked room for `cost`. */
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
    // Of a share: the others' shares count as used once this one is in use. What is left is what would pass here.
    used: usedTokens === 0 ? 0 : usedTokens + limit.wholeCapacity - limit.capacity,
    remaining: usedTokens === 0 ? limit.wholeCapacity : Math.max(0, limit.capacity - usedTokens),
    resetAtMs,
    // Counted from what the clock says: while stored times are ahead of it, time stands still for the counters.
    retryAfterMs: lacking && cost <= limit.wholeCapacity ? retryAtMs - clock : 0,
    violated: lacking && !limit.shadow,
    shadow: limit.shadow,
    wouldDeny: lacking && limit.shadow,
  };
}
