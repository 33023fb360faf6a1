import { createUnionType, Field, Int, ObjectType } from 'type-graphql';
import type { Algorithm } from '../../model/limit-parameters.js';
import type { RuleLimit } from '../../model/rule.js';
import { SafeIntScalar } from '../schema/json-scalar.js';

export const KEY = 'Tells it from others of the rule that are otherwise alike.';
export const CAPACITY = 'How much fits into the bucket, so how much may be spent at once.';
export const REFILL_AMOUNT = 'How much flows back, evenly, in each `refillPeriodMs`.';
export const REFILL_PERIOD = 'The period of the refill: 100 an hour is 100 per 3600000.';
export const AMOUNT = 'How much is admitted in each window.';
export const WINDOW = 'How long a window is, in milliseconds: a minute is 60000.';
export const STRICT = 'Exact: never more than `amount` in any window, wherever it begins.';
export const PLACES = 'How many operations may run at the same time.';
export const SLOT_TIME = 'After how many milliseconds a slot is free again at the latest.';
export const COUNT_DENIED = 'Denied operations are counted too: for rules against abuse.';
export const MAX_DEBT = 'How far below zero a settlement may take it; absent: one capacity.';

@ObjectType('Limit', { description: 'What limits of all algorithms have.' })
abstract class Limit {
  @Field(() => String, { nullable: true, description: KEY })
  key?: string;

  @Field(() => Boolean, { nullable: true, description: COUNT_DENIED })
  countDenied?: boolean;
}

@ObjectType('Bucket', { description: 'What both buckets have.' })
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

@ObjectType('Window', { description: 'What all windows have.' })
abstract class Window extends Limit {
  @Field(() => Int, { description: AMOUNT })
  amount!: number;

  @Field(() => SafeIntScalar, { description: WINDOW })
  windowMs!: number;
}

@ObjectType('TokenBucketLimit', { description: 'Bursts up to the capacity, refilled evenly.' })
class TokenBucketLimit extends Bucket {}

@ObjectType('LeakyBucketLimit', { description: 'A constant outflow: what comes too fast waits or is denied.' })
class LeakyBucketLimit extends Bucket {}

@ObjectType('FixedWindowLimit', { description: 'An amount for each window of the clock.' })
class FixedWindowLimit extends Window {}

@ObjectType('SlidingWindowCounterLimit', { description: 'An amount for a window that moves with time, weighted.' })
class SlidingWindowCounterLimit extends Window {
  @Field(() => Boolean, { nullable: true, description: STRICT })
  strict?: boolean;
}

@ObjectType('SlidingWindowLogLimit', {
  description: 'An amount for a window that moves with time, to the millisecond.',
})
class SlidingWindowLogLimit extends Window {}

@ObjectType('ConcurrencyLimit', { description: 'So many operations at the same time.' })
class ConcurrencyLimit extends Limit {
  @Field(() => Int, { description: PLACES })
  capacity!: number;

  @Field(() => SafeIntScalar, { description: SLOT_TIME })
  leaseMs!: number;
}

const BY_ALGORITHM = {
  TOKEN_BUCKET: TokenBucketLimit,
  LEAKY_BUCKET: LeakyBucketLimit,
  FIXED_WINDOW: FixedWindowLimit,
  SLIDING_WINDOW_COUNTER: SlidingWindowCounterLimit,
  SLIDING_WINDOW_LOG: SlidingWindowLogLimit,
  CONCURRENCY: ConcurrencyLimit,
} as const satisfies Record<Algorithm, unknown>;

export const RuleLimitUnion = createUnionType({
  name: 'RuleLimit',
  description: 'One number enforced over time; the type says by which algorithm.',
  types: () => Object.values(BY_ALGORITHM),
  resolveType: (limit) => BY_ALGORITHM[(limit as unknown as RuleLimit).algorithm],
});
