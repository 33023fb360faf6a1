/** The words of limits, and every bound that rules, the engines and the scripts share. Units stand last in a name. */

export const ALGORITHMS = [
  'TOKEN_BUCKET',
  'LEAKY_BUCKET',
  'FIXED_WINDOW',
  'SLIDING_WINDOW_COUNTER',
  'SLIDING_WINDOW_LOG',
  'CONCURRENCY',
] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** What happens to a limit whose engine does not answer: decide locally, admit, or refuse. */
export type OnUnavailable = 'LOCAL' | 'OPEN' | 'CLOSED';

/** How a limit counts: every operation by itself in the shared counter, or tokens that an instance took ahead for many. */
export const PRECISIONS = ['EXACT', 'LEASED'] as const;
export type Precision = (typeof PRECISIONS)[number];

/** One number enforced over time. Which members apply depends on the algorithm; amounts are whole. */
export interface LimitParameters {
  algorithm: Algorithm;
  /** Buckets and `CONCURRENCY`: how much fits. */
  capacity?: number;
  /** Buckets: whole tokens refilled per `refillPeriodMs`. */
  refillAmount?: number;
  refillPeriodMs?: number;
  /** Windows: how much is admitted in `windowMs`. */
  amount?: number;
  windowMs?: number;
  /** `SLIDING_WINDOW_COUNTER`: never more than `amount` in any true window. */
  strict?: boolean;
  /** `CONCURRENCY`: a slot is released by settle, or after this long. */
  leaseMs?: number;
}

/** How much a token bucket holds and how fast it fills up: whole tokens, whole milliseconds. */
export interface BucketParameters {
  capacity: number;
  refillAmount: number;
  refillPeriodMs: number;
}

type ParameterName = Exclude<keyof LimitParameters, 'algorithm'> | 'maxDebt';

const BUCKET = { needed: ['capacity', 'refillAmount', 'refillPeriodMs'], allowed: ['maxDebt'] } as const;
const WINDOW = { needed: ['amount', 'windowMs'], allowed: [] } as const;

/** Which parameters an algorithm has to be given, and which it may be given besides. */
export const PARAMETERS: Readonly<
  Record<Algorithm, { readonly needed: readonly ParameterName[]; readonly allowed: readonly ParameterName[] }>
> = {
  TOKEN_BUCKET: BUCKET,
  LEAKY_BUCKET: BUCKET,
  FIXED_WINDOW: WINDOW,
  SLIDING_WINDOW_COUNTER: { ...WINDOW, allowed: ['strict'] },
  SLIDING_WINDOW_LOG: WINDOW,
  CONCURRENCY: { needed: ['capacity', 'leaseMs'], allowed: [] },
};

/** What a client may know about one limit, after the charge. `used` and `remaining` are whole tokens, calls or slots. */
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

/** The largest cost of one operation, and the largest capacity or amount of a rule: four bytes of a request hold it. */
export const MAX_COST = 2 ** 31 - 1;

/** A bucket's level, and a sliding count scaled by its window, stay exact in a double. */
export const MAX_UNITS = 2 ** 52;

/** Five bytes hold a count, a refill amount, or milliseconds (about 34 years) in a record. */
export const MAX_COUNT = 2 ** 40 - 1;

/**
 * Longest time in which an empty bucket may fill up, and in which its largest debt may be paid, in milliseconds. Beyond it the
 * time at which a bucket is full would not fit the six bytes of a record.
 */
export const MAX_FILL_MS = MAX_COUNT;

/**
 * Longest time that an admitted operation may wait, which is the longest delay of a timer, about 24.8 days. An operation that would
 * wait longer is denied.
 */
export const MAX_DELAY_MS = 2 ** 31 - 1;

/** One charge takes at most so many limits, and a partition holds no more counters. */
export const MAX_LIMITS = 64;

/** A log is one string that every charge copies: more entries than this want a counter. */
export const MAX_LOG_AMOUNT = 1000;

/** A list of slots is one string too. */
export const MAX_SLOTS = 10_000;

/** Denied operations that count are added to a list no longer than this: the caller is far over by then. */
export const MAX_ENTRIES = 10_000;

/** How long a concurrency limit without operations remembers hold times after its last charge or release; `leaseMs` where that is less. */
export const MAX_HOLDS_KEPT_MS = 600_000;

/** Least wait that a concurrency limit reports: with less, denied callers would ask in a loop. */
export const MIN_SLOT_WAIT_MS = 50;

/** How many parts a strict sliding window is split into; one more can overlap the true window. */
export const STRICT_PARTS = 10;

/** Stored time may be ahead of the clock by this much before it is taken for a mistake. */
export const MAX_AHEAD_MS = 5000;

/** Above this the shares of small limits are one token each anyway, and refill periods stay exact. */
export const MAX_INSTANCES = 1000;
