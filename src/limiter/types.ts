import type { LimitParameters, OnUnavailable, Scope, Subject } from '../model/rule.js';

/** Who is charged. The tier plays no part here: it chose the limits. */
export type ChargeSubject = Pick<Subject, 'user' | 'tenant' | 'apiKey' | 'ip'>;

/**
 * One limit of one charge, with the cost this operation brings to it. All numbers are whole.
 * Members that the algorithm does not know are ignored.
 */
export interface LimitCharge extends LimitParameters {
  /** Identity of the counter, with `scope`, `algorithm` and (windows) `windowMs`: other parameters may be edited freely. */
  id: string;
  scope: Scope;
  /** 0 to 2^31 - 1. Zero only reads this limit, and is never denied by it. */
  cost: number;
  /** `SHADOW` is evaluated and reported, and denies nobody. @default 'ENFORCE' */
  mode?: 'ENFORCE' | 'SHADOW';
  /** Denied operations are counted too, for abuse rules; not for `CONCURRENCY`. @default false */
  countDenied?: boolean;
  /** Buckets: how many tokens below zero a settlement may take the level. @default capacity */
  maxDebt?: number;
  /** Buckets: an operation that lacks tokens is admitted with a delay of at most this. @default 0 */
  maxDelayMs?: number;
  /** What happens to this limit while the engine does not answer. @default 'LOCAL' */
  onUnavailable?: OnUnavailable;
  /** Lower is narrower: of all limits that refuse, `deniedBy` names the one with the lowest rank. @default 0 */
  rank?: number;
}

/** What a client may know about one limit, after the charge. `used` and `remaining` are whole tokens, calls or places. */
export interface LimitState {
  id: string;
  limit: number;
  /** More than `limit` while in debt, reserved ahead, or after the limit was lowered. */
  used: number;
  remaining: number;
  /** Epoch milliseconds: when the limit is full again; of a window, its end. */
  resetAtMs: number;
  /** 0 unless this limit lacks room for its cost; also 0 when the cost can never fit. */
  retryAfterMs: number;
  /** It refused the operation. */
  violated: boolean;
  shadow: boolean;
  /** A shadow limit that would have refused. */
  wouldDeny: boolean;
}

declare const receiptBrand: unique symbol;

/** What `settle` needs to know of a charge. Good for one settlement, in the process that charged. */
export interface Receipt {
  readonly [receiptBrand]: true;
}

export type DenialCode = 'THROTTLED' | 'COST_EXCEEDS_CAPACITY' | 'UNAVAILABLE';

export interface Admission {
  admitted: true;
  /** How long the caller has to wait before it may run (throttle, leaky bucket); else 0. */
  delayMs: number;
  /** Decided without the shared state. */
  degraded: boolean;
  limits: LimitState[];
  receipt: Receipt;
}

export interface Denial {
  admitted: false;
  degraded: boolean;
  limits: LimitState[];
  /** Id of the narrowest limit that refused. */
  deniedBy: string;
  /** The longest wait of the limits that refused; absent when waiting does not help. */
  retryAfterMs?: number;
  /** The largest cost on the limit named by `deniedBy` that would pass now. */
  maxAdmissibleCost: number;
  code: DenialCode;
}

/** A denial is a value, never an exception. `limits` are in the order asked, without those whose scope the subject lacks. */
export type Decision = Admission | Denial;

export interface ChargeRequest {
  subject: ChargeSubject;
  limits: readonly LimitCharge[];
  /** Which Redis decides, where several are configured: it has counters of its own. @default 'default' */
  pool?: string | undefined;
}

export interface PeekRequest {
  subject: ChargeSubject;
  limits: readonly LimitCharge[];
  pool?: string | undefined;
}

/** Every method rejects with a `TypeError` for invalid arguments, and for nothing else. */
export interface Limiter {
  /** Takes every cost, or none. */
  charge(request: ChargeRequest): Promise<Decision>;
  /**
   * Corrects a charge to what the operation really cost, per limit id; ids that are missing stay as charged. The second
   * settlement of a receipt does nothing.
   */
  settle(receipt: Receipt, actual: Readonly<Record<string, number>>): Promise<void>;
  /** The state of limits as a charge would find them now; writes nothing. */
  peek(request: PeekRequest): Promise<LimitState[]>;
  /**
   * Empties the counters of these limits, whatever their costs and parameters: full buckets, empty windows, free places.
   * What is charged from now on counts; a settlement of an earlier charge that gives something back may still do so.
   * Resolves to false when Redis did not confirm it.
   */
  reset(request: PeekRequest): Promise<boolean>;
  /** Ends what the limiter opened itself; a client that was passed in stays open. */
  close(): Promise<void>;
}
