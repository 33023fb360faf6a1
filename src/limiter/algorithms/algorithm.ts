import type { OnUnavailable } from '../../model/limit.js';
import type { Scope } from '../../model/subject.js';

/** How a limit's state is kept. Both bucket algorithms share one shape, and so do the log and the leases. */
export const SHAPE = { BUCKET: 1, FIXED: 2, SLIDING: 3, STRICT: 4, LIST: 5 } as const;
export type Shape = (typeof SHAPE)[keyof typeof SHAPE];

/** Which counter a limit charges. */
export interface CounterIdentity {
  /** The first bits of the record id: most counters that differ, differ here, and comparing numbers is cheap. */
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
  readonly shape: Shape;
  readonly leaky: boolean;
  readonly leases: boolean;
  /** Tokens, calls or slots: `capacity` or `amount`. */
  readonly capacity: number;
  /** What `capacity` is this process' share of, while Redis is away; else the same. */
  readonly wholeCapacity: number;
  /** Buckets: `capacity` in units of 1 / refillPeriodMs token. One millisecond gives back `refillAmount` units. */
  readonly capacityUnits: number;
  readonly refillAmount: number;
  readonly refillPeriodMs: number;
  /** Windows: `windowMs`. Leases: `leaseMs`. */
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
}

export function isSameCounter(a: CounterIdentity, b: CounterIdentity): boolean {
  return a.hash === b.hash && a.recordId === b.recordId;
}
