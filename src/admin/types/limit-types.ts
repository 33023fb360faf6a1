import { createUnionType, Field, Int, ObjectType } from 'type-graphql';
import { type Algorithm, DEFAULT_MAX_QUEUE } from '../../model/limit-parameters.js';
import type { RuleLimit } from '../../model/rule.js';
import { SafeIntScalar } from '../schema/json-scalar.js';
import { CalendarWindowType } from './calendar-window-type.js';

export const KEY = 'Any name, to separate two limits with the same algorithm and window.';
export const CAPACITY = 'Capacity of the bucket: the maximum that can be spent at once.';
export const REFILL_AMOUNT = 'Amount that is refilled evenly in each `refillPeriodMs`.';
export const REFILL_PERIOD = 'Period of the refill in milliseconds: 100 an hour is 100 per 3600000.';
export const AMOUNT = 'Amount that each window admits.';
export const WINDOW = 'Length of a window in milliseconds: a minute is 60000.';
export const STRICT = 'Whether the limit is exact: no window admits more than `amount`.';
export const PLACES = 'Maximum number of operations that run at the same time.';
export const SLOT_TIME = 'Milliseconds after which a slot is free again at the latest.';
export const MAX_WAIT = 'Maximum wait for a slot, in milliseconds. Default: 0.';
export const MAX_QUEUE = `Maximum number of operations that wait in each process. Default: ${DEFAULT_MAX_QUEUE}.`;
export const PER_CONNECTION = 'Whether each WebSocket has its own counter, for SUBSCRIPTIONS only.';
export const COUNT_DENIED = 'Whether denied operations count too, for rules against abuse.';
export const MAX_DEBT = 'Maximum debt (amount below zero). Default: the capacity.';

@ObjectType('Limit', { description: 'Fields of all limits.' })
abstract class Limit {
  @Field(() => String, { nullable: true, description: KEY })
  key?: string;

  @Field(() => Boolean, { nullable: true, description: COUNT_DENIED })
  countDenied?: boolean;
}

@ObjectType('Bucket', { description: 'Fields of both kinds of bucket.' })
abstract class Bucket extends Limit {
  @Field(() => Int, { description: CAPACITY })
  capacity!: number;

  @Field(() => Int, { description: REFILL_AMOUNT })
  refillAmount!: number;

  @Field(() => SafeIntScalar, { description: REFILL_PERIOD })
  refillPeriodMs!: number;

  @Field(() => Int, { nullable: true, description: MAX_DEBT })
  maxDebt?: number;
}

@ObjectType('Window', { description: 'Fields of all kinds of window.' })
abstract class Window extends Limit {
  // `SafeInt`, as in a calendar window. GraphQL rejects a query that selects `amount` of both, if
  // its types differ.
  @Field(() => SafeIntScalar, { description: AMOUNT })
  amount!: number;

  @Field(() => SafeIntScalar, { description: WINDOW })
  windowMs!: number;
}

@ObjectType('TokenBucketLimit', { description: 'A bucket that allows bursts up to its capacity and refills evenly.' })
class TokenBucketLimit extends Bucket {}

@ObjectType('LeakyBucketLimit', { description: 'A constant rate: operations that arrive faster wait or are denied.' })
class LeakyBucketLimit extends Bucket {}

@ObjectType('FixedWindowLimit', { description: 'An amount for each fixed window, such as each full minute.' })
class FixedWindowLimit extends Window {}

@ObjectType('SlidingWindowCounterLimit', {
  description: 'An amount for a sliding window, estimated from two counters.',
})
class SlidingWindowCounterLimit extends Window {
  @Field(() => Boolean, { nullable: true, description: STRICT })
  strict?: boolean;
}

@ObjectType('SlidingWindowLogLimit', {
  description: 'An amount for a sliding window, exact to the millisecond.',
})
class SlidingWindowLogLimit extends Window {}

@ObjectType('ConcurrencyLimit', { description: 'A maximum number of operations that run at the same time.' })
class ConcurrencyLimit extends Limit {
  @Field(() => Int, { description: PLACES })
  capacity!: number;

  @Field(() => SafeIntScalar, { description: SLOT_TIME })
  leaseMs!: number;

  @Field(() => Int, { nullable: true, description: MAX_WAIT })
  maxWaitMs?: number;

  @Field(() => Int, { nullable: true, description: MAX_QUEUE })
  maxQueue?: number;

  @Field(() => Boolean, { nullable: true, description: PER_CONNECTION })
  perConnection?: boolean;
}

@ObjectType('CalendarWindowLimit', { description: 'An amount for each period of a calendar, such as each month.' })
class CalendarWindowLimit extends CalendarWindowType {
  @Field(() => String, { nullable: true, description: KEY })
  key?: string;

  @Field(() => Boolean, { nullable: true, description: COUNT_DENIED })
  countDenied?: boolean;
}

const BY_ALGORITHM = {
  TOKEN_BUCKET: TokenBucketLimit,
  LEAKY_BUCKET: LeakyBucketLimit,
  FIXED_WINDOW: FixedWindowLimit,
  SLIDING_WINDOW_COUNTER: SlidingWindowCounterLimit,
  SLIDING_WINDOW_LOG: SlidingWindowLogLimit,
  CONCURRENCY: ConcurrencyLimit,
  CALENDAR_WINDOW: CalendarWindowLimit,
} as const satisfies Record<Algorithm, unknown>;

export const RuleLimitUnion = createUnionType({
  name: 'RuleLimit',
  description: 'One limit of a rule. Its type is the algorithm.',
  types: () => Object.values(BY_ALGORITHM),
  resolveType: (limit) => BY_ALGORITHM[(limit as unknown as RuleLimit).algorithm],
});
