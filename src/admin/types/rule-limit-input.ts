import type { GraphQLSchema } from 'graphql';
import { isInputObjectType } from 'graphql';
import { Field, InputType, Int } from 'type-graphql';
import { type Algorithm, MAX_LOG_AMOUNT, MAX_SLOTS } from '../../model/limit-parameters.js';
import type { RuleLimit } from '../../model/rule.js';
import type { UserError } from '../../rules/store/outcome.js';
import { SafeIntScalar } from '../schema/json-scalar.js';
import { CalendarWindowInput } from './calendar-window-input.js';
import {
  AMOUNT,
  CAPACITY,
  COUNT_DENIED,
  KEY,
  MAX_DEBT,
  MAX_QUEUE,
  MAX_WAIT,
  PER_CONNECTION,
  PLACES,
  REFILL_AMOUNT,
  REFILL_PERIOD,
  SLOT_TIME,
  STRICT,
  WINDOW,
} from './limit-types.js';

@InputType('LimitInput', { description: 'Fields of all limits.' })
abstract class LimitInput {
  @Field(() => String, { nullable: true, description: KEY })
  key?: string | null;

  @Field(() => Boolean, { nullable: true, description: COUNT_DENIED })
  countDenied?: boolean | null;
}

@InputType('BucketLimitInput', { description: 'Parameters of a bucket.' })
class BucketLimitInput extends LimitInput {
  @Field(() => Int, { description: CAPACITY })
  capacity!: number;

  @Field(() => Int, { description: REFILL_AMOUNT })
  refillAmount!: number;

  @Field(() => SafeIntScalar, { description: REFILL_PERIOD })
  refillPeriodMs!: number;

  @Field(() => Int, { nullable: true, description: MAX_DEBT })
  maxDebt?: number | null;
}

@InputType('WindowLimitInput', { description: 'Parameters of a window.' })
class WindowLimitInput extends LimitInput {
  @Field(() => Int, { description: AMOUNT })
  amount!: number;

  @Field(() => SafeIntScalar, { description: WINDOW })
  windowMs!: number;
}

@InputType('SlidingWindowCounterInput', { description: 'Parameters of a sliding window.' })
class SlidingWindowCounterInput extends WindowLimitInput {
  @Field(() => Boolean, { nullable: true, description: STRICT })
  strict?: boolean | null;
}

@InputType('ConcurrencyLimitInput', { description: 'Maximum number of operations that run at the same time.' })
class ConcurrencyLimitInput extends LimitInput {
  @Field(() => Int, { description: `${PLACES} Up to ${MAX_SLOTS}.` })
  capacity!: number;

  @Field(() => SafeIntScalar, { description: SLOT_TIME })
  leaseMs!: number;

  @Field(() => Int, { nullable: true, description: MAX_WAIT })
  maxWaitMs?: number | null;

  @Field(() => Int, { nullable: true, description: MAX_QUEUE })
  maxQueue?: number | null;

  @Field(() => Boolean, { nullable: true, description: PER_CONNECTION })
  perConnection?: boolean | null;
}

@InputType('CalendarWindowLimitInput', { description: 'An amount for each period of a calendar.' })
class CalendarWindowLimitInput extends CalendarWindowInput {
  @Field(() => String, { nullable: true, description: KEY })
  key?: string | null;

  @Field(() => Boolean, { nullable: true, description: COUNT_DENIED })
  countDenied?: boolean | null;
}

@InputType('RuleLimitInput', {
  description:
    'One limit with exactly one algorithm. Example for 20 per minute: `{slidingWindowCounter: {amount: 20, windowMs: 60000}}`.',
})
export class RuleLimitInput {
  @Field(() => BucketLimitInput, {
    nullable: true,
    description: 'A bucket that allows bursts up to its capacity and refills evenly.',
  })
  tokenBucket?: BucketLimitInput;

  @Field(() => BucketLimitInput, {
    nullable: true,
    description: 'A constant rate: operations that arrive faster wait or are denied.',
  })
  leakyBucket?: BucketLimitInput;

  @Field(() => WindowLimitInput, {
    nullable: true,
    description: 'An amount for each fixed window, such as each full minute.',
  })
  fixedWindow?: WindowLimitInput;

  @Field(() => SlidingWindowCounterInput, {
    nullable: true,
    description: 'An amount for a sliding window, estimated from two counters.',
  })
  slidingWindowCounter?: SlidingWindowCounterInput;

  @Field(() => WindowLimitInput, {
    nullable: true,
    description: `An amount, up to ${MAX_LOG_AMOUNT}, for a sliding window, exact to the millisecond.`,
  })
  slidingWindowLog?: WindowLimitInput;

  @Field(() => ConcurrencyLimitInput, {
    nullable: true,
    description: 'A maximum number of operations that run at the same time.',
  })
  concurrency?: ConcurrencyLimitInput;

  @Field(() => CalendarWindowLimitInput, {
    nullable: true,
    description: 'An amount for each period of a calendar, such as each month.',
  })
  calendarWindow?: CalendarWindowLimitInput;
}

const ALGORITHM_OF = {
  tokenBucket: 'TOKEN_BUCKET',
  leakyBucket: 'LEAKY_BUCKET',
  fixedWindow: 'FIXED_WINDOW',
  slidingWindowCounter: 'SLIDING_WINDOW_COUNTER',
  slidingWindowLog: 'SLIDING_WINDOW_LOG',
  concurrency: 'CONCURRENCY',
  calendarWindow: 'CALENDAR_WINDOW',
} as const satisfies Record<keyof RuleLimitInput, Algorithm>;

type Choice = keyof RuleLimitInput;

/** Marks the input as `@oneOf`. TypeGraphQL has no option for this. */
export function markOneOf(schema: GraphQLSchema): void {
  const type = schema.getType('RuleLimitInput');
  if (!isInputObjectType(type)) throw new Error('the schema has no RuleLimitInput');
  type.isOneOf = true;
}

function choiceOf(limit: RuleLimitInput): Choice | undefined {
  return (Object.keys(ALGORITHM_OF) as Choice[]).find((name) => (limit[name] ?? null) !== null);
}

/**
 * Converts the limits of an input from the form of GraphQL to that of the store: flat, with the
 * algorithm as a member.
 */
export function withPlainLimits<Input extends { limits?: RuleLimitInput[] }>(
  input: Input,
): Omit<Input, 'limits'> & { limits?: RuleLimit[] } {
  const { limits, ...rest } = input;
  if (!limits) return limits === undefined ? rest : { ...rest, limits };
  const plain = limits.map((limit) => {
    const choice = choiceOf(limit)!;
    return { algorithm: ALGORITHM_OF[choice], ...limit[choice] } as RuleLimit;
  });
  return { ...rest, limits: plain };
}

/** Rewrites the paths of errors about limits to their position inside the GraphQL input. */
export function atTheirLimits(userErrors: readonly UserError[], limits: readonly RuleLimitInput[] = []): UserError[] {
  return userErrors.map((error) => {
    const [list, index, ...member] = error.field;
    const limit = list === 'limits' && index !== undefined ? limits[Number(index)] : undefined;
    const choice = limit && choiceOf(limit);
    return choice ? { ...error, field: ['limits', index!, choice, ...member] } : error;
  });
}
