/**
 * Parameters of limits, and all bounds that rules, engines and scripts share. Names end with their
 * unit, if they have one.
 */

export const ALGORITHMS = [
  'TOKEN_BUCKET',
  'LEAKY_BUCKET',
  'FIXED_WINDOW',
  'SLIDING_WINDOW_COUNTER',
  'SLIDING_WINDOW_LOG',
  'CONCURRENCY',
  'CALENDAR_WINDOW',
] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/**
 * Behavior of a limit while Redis is unavailable. `LOCAL`: each process decides with its own
 * counters. `OPEN`: the limit admits all operations. `CLOSED`: it denies all operations.
 */
export type OnUnavailable = 'LOCAL' | 'OPEN' | 'CLOSED';

/**
 * Counting modes of a limit. `EXACT`: every operation is counted in the shared counter. `LEASED`:
 * an instance leases tokens in advance, for many operations.
 */
export const PRECISIONS = ['EXACT', 'LEASED'] as const;
export type Precision = (typeof PRECISIONS)[number];

/** Periods of a calendar window. */
export const CALENDAR_PERIODS = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'YEAR'] as const;
export type CalendarPeriod = (typeof CALENDAR_PERIODS)[number];

const DAY_MS = 86_400_000;

/** Longest duration of each period in milliseconds, even if the clocks of a zone repeat an hour. */
export const LONGEST_PERIOD_MS: Readonly<Record<CalendarPeriod, number>> = {
  HOUR: DAY_MS / 12,
  DAY: 2 * DAY_MS,
  WEEK: 8 * DAY_MS,
  MONTH: 32 * DAY_MS,
  QUARTER: 93 * DAY_MS,
  YEAR: 367 * DAY_MS,
};

/**
 * Dates from which the periods of a calendar window are counted. `CALENDAR`: the day `anchorDay` of
 * the calendar's periods. `SUBJECT`: the billing anchor of the subject; without one, as `CALENDAR`.
 */
export const CALENDAR_ANCHORS = ['CALENDAR', 'SUBJECT'] as const;
export type CalendarAnchor = (typeof CALENDAR_ANCHORS)[number];

/** Part of an unused amount that a calendar window adds to the next period, and only to that. */
export interface CarryOver {
  /** Percentage of the unused amount: 1 to 100. The result is rounded down. */
  percent: number;
  /** Largest amount that is added. */
  max: number;
}

/**
 * Parameters of a `CALENDAR_WINDOW`, in addition to `amount`. The zone's clock determines the
 * periods, so their lengths differ.
 */
export interface CalendarParameters {
  every?: CalendarPeriod;
  /** IANA name of the time zone. @default 'UTC' */
  timeZone?: string;
  /**
   * Day on which a period begins: 1 (Monday) to 7 for `WEEK`, 1 to 31 for longer periods. A month
   * without this day begins on its last day. @default 1
   */
  anchorDay?: number;
  /** Local time at which a period begins, as `HH:MM`; for `HOUR`, only its minutes. @default '00:00' */
  anchorTime?: string;
  /** @default 'CALENDAR' */
  anchor?: CalendarAnchor;
  /**
   * Count at which denials start. The part of the count above `amount` is overage: it is admitted,
   * and reported. @default amount
   */
  hardCap?: number;
  carryOver?: CarryOver;
}

/** Tokens that a caller of a tier, or an API key, may spend in a period of the calendar. */
export interface CalendarBudget extends CalendarParameters {
  amount: number;
  every: CalendarPeriod;
}

/**
 * Parameters of one limit. The algorithm determines which members apply; amounts are whole numbers.
 */
export interface LimitParameters extends CalendarParameters {
  algorithm: Algorithm;
  /** Capacity of a bucket, or number of slots of a `CONCURRENCY` limit. */
  capacity?: number;
  /** Number of whole tokens that a bucket regains per `refillPeriodMs`. */
  refillAmount?: number;
  refillPeriodMs?: number;
  /**
   * Amount that a window admits in `windowMs`, or that a period of a `CALENDAR_WINDOW` includes.
   */
  amount?: number;
  windowMs?: number;
  /** Whether a `SLIDING_WINDOW_COUNTER` never admits more than `amount` in any period of `windowMs`. */
  strict?: boolean;
  /**
   * Time after which a slot of a `CONCURRENCY` limit is released, if the operation is not settled
   * before.
   */
  leaseMs?: number;
  /**
   * Maximum time for which an operation waits for slots of a `CONCURRENCY` limit, in milliseconds.
   * @default 0: an operation that lacks slots is denied at once
   */
  maxWaitMs?: number;
  /**
   * Maximum number of operations that wait for slots of one counter, in each process. It is 100 if
   * absent.
   */
  maxQueue?: number;
}

/** Capacity and refill rate of a token bucket, in whole tokens and whole milliseconds. */
export interface BucketParameters {
  capacity: number;
  refillAmount: number;
  refillPeriodMs: number;
}

/** Budget of an API key: a token bucket, or an amount for each period of the calendar. */
export type KeyBudget = BucketParameters | { calendar: CalendarBudget };

type ParameterName = Exclude<keyof LimitParameters, 'algorithm'> | 'maxDebt';

const BUCKET = { needed: ['capacity', 'refillAmount', 'refillPeriodMs'], allowed: ['maxDebt'] } as const;
const WINDOW = { needed: ['amount', 'windowMs'], allowed: [] } as const;

/**
 * Returns the largest cost that a limit can ever admit at once. It is the capacity of a bucket or the
 * amount of a window. For a period, it is the hard cap and what may be carried over.
 */
export function largestCharge({ capacity, amount, hardCap, carryOver }: LimitParameters): number | undefined {
  if (amount === undefined || carryOver === undefined) return capacity ?? hardCap ?? amount;
  return (hardCap ?? amount) + Math.min(carryOver.max, Math.floor((amount * carryOver.percent) / 100));
}

/** Returns the amount that a limit admits if nothing is used, without what may be carried over. */
export function wholeLimitOf({ capacity, amount = 0, hardCap }: LimitParameters): number {
  return capacity ?? hardCap ?? amount;
}

/** Required and optional parameters of each algorithm. */
export const PARAMETERS: Readonly<
  Record<Algorithm, { readonly needed: readonly ParameterName[]; readonly allowed: readonly ParameterName[] }>
> = {
  TOKEN_BUCKET: BUCKET,
  LEAKY_BUCKET: BUCKET,
  FIXED_WINDOW: WINDOW,
  SLIDING_WINDOW_COUNTER: { ...WINDOW, allowed: ['strict'] },
  SLIDING_WINDOW_LOG: WINDOW,
  CONCURRENCY: { needed: ['capacity', 'leaseMs'], allowed: ['maxWaitMs', 'maxQueue'] },
  CALENDAR_WINDOW: {
    needed: ['amount', 'every'],
    allowed: ['timeZone', 'anchorDay', 'anchorTime', 'anchor', 'hardCap', 'carryOver'],
  },
};

/**
 * State of one limit after the charge, for clients. `used` and `remaining` are whole tokens, calls
 * or slots.
 */
export interface LimitState {
  id: string;
  limit: number;
  /**
   * Amount in use. It exceeds `limit` while the bucket is in debt, while it contains reservations
   * of delayed operations, or after the limit was lowered.
   */
  used: number;
  remaining: number;
  /** Time at which nothing is in use any more or the window ends, in epoch milliseconds. */
  resetAtMs: number;
  /**
   * Time to wait until the cost fits, in milliseconds. 0 if it fits now, or if it can never fit.
   */
  retryAfterMs: number;
  /** Whether the limit denied the operation. */
  violated: boolean;
  shadow: boolean;
  /** Whether this is a shadow limit that would have denied the operation. */
  wouldDeny: boolean;
  /**
   * Only for a `CALENDAR_WINDOW`: the used amount above `amount`. `limit` is the count at which
   * denials start, so it includes the overage that is admitted.
   */
  overage?: number;
  /**
   * Only for a `CALENDAR_WINDOW`: the rest of the amount that was carried over into this period.
   * The period uses this amount first. `used` does not count it, but `remaining` includes it.
   */
  carriedOver?: number;
  /** Only for a `CALENDAR_WINDOW`: length of the current period in milliseconds. */
  windowMs?: number;
  /** Only for a limit that is split between regions. `limit` is then that of the part. */
  part?: RegionPart | undefined;
}

/** Part of a split limit that one region enforces. */
export interface RegionPart {
  /** Name of the region. */
  readonly region: string;
  /** Limit of all regions together. */
  readonly wholeLimit: number;
  /** Parameters of the part, such as its `amount`, or its `capacity` and refill rate. */
  readonly parameters: LimitParameters;
}

/**
 * Largest cost of one operation, and largest capacity or amount of a rule. A call to Redis contains
 * such a number in four bytes.
 */
export const MAX_COST = 2 ** 31 - 1;

/**
 * Largest level of a bucket as tokens times `refillPeriodMs`, and largest count of a sliding window
 * counter times `windowMs`. A double represents it exactly.
 */
export const MAX_UNITS = 2 ** 52;

/**
 * Largest count, refill amount or number of milliseconds (about 34 years). Redis stores it in five
 * bytes.
 */
export const MAX_COUNT = 2 ** 40 - 1;

/**
 * Longest time in which an empty bucket may fill up, and in which its largest debt may be repaid,
 * in milliseconds. With a longer time, the time at which a bucket is full would exceed the six
 * bytes in which Redis stores it.
 */
export const MAX_FILL_MS = MAX_COUNT;

/**
 * Longest wait of an admitted operation in milliseconds: the longest delay of a timer, about 24.8
 * days. An operation that would wait longer is denied.
 */
export const MAX_DELAY_MS = 2 ** 31 - 1;

/**
 * Maximum number of limits in one charge, and of counters in one partition. A partition contains
 * the counters of one user, API key, tenant or address.
 */
export const MAX_LIMITS = 64;

/**
 * Largest amount of a sliding window log. A log is one string, and every charge copies it. For more
 * entries, use a sliding window counter.
 */
export const MAX_LOG_AMOUNT = 1000;

/** Largest capacity of a `CONCURRENCY` limit. Its list of slots is one string too. */
export const MAX_SLOTS = 10_000;

/**
 * Maximum number of entries of a sliding window log or a `CONCURRENCY` limit. Only a limit with
 * `countDenied` can reach it. The caller is then far above the limit.
 */
export const MAX_ENTRIES = 10_000;

/**
 * Time after the last charge or release for which an idle concurrency limit remembers how long
 * operations held its slots, in milliseconds; at most `leaseMs`.
 */
export const MAX_HOLDS_KEPT_MS = 600_000;

/**
 * Shortest wait that a concurrency limit reports, in milliseconds. With a shorter wait, denied
 * callers would retry in a loop.
 */
export const MIN_SLOT_WAIT_MS = 50;

/** Longest time for which an operation may wait for a slot, in milliseconds. */
export const MAX_SLOT_QUEUE_MS = 60_000;

/**
 * Maximum number of operations that wait for slots in one process, over all counters, and so the
 * largest `maxQueue`. Each holds its request and its connection.
 */
export const MAX_WAITING_OPERATIONS = 10_000;

export const DEFAULT_MAX_QUEUE = 100;

/**
 * Number of parts of a strict sliding window. The true window can overlap one more part, because it
 * does not begin at the boundary of a part.
 */
export const STRICT_PARTS = 10;

/**
 * Maximum time by which a stored time may be ahead of the clock, in milliseconds. A larger
 * difference counts as an error of the clock that wrote it.
 */
export const MAX_AHEAD_MS = 5000;

/**
 * Maximum number of instances by which limits are divided. With more instances, the shares of small
 * limits would be one token each anyway. With at most this number, refill periods stay exact.
 */
export const MAX_INSTANCES = 1000;
