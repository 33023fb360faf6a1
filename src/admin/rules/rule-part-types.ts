import { Field, InputType, Int, ObjectType } from 'type-graphql';
import type { Algorithm } from '../../model/limit.js';
import type { OperationType, Rule } from '../../model/rule.js';
import { Actions, Algorithms, OperationTypes } from '../schema/enums.js';
import { BigIntScalar } from '../schema/scalars.js';

const WINDOW = 'Windows: how long one is, in milliseconds. A minute is 60000.';
const KEY = 'Names a limit apart from others of its rule that have the same algorithm and window.';

@ObjectType('RuleLimit', {
  description: 'One number enforced over time. Which members it has depends on the algorithm.',
})
export class RuleLimitType {
  @Field(() => String, { nullable: true, description: KEY })
  key?: string;

  @Field(() => Algorithms, { description: 'How it is enforced.' })
  algorithm!: Algorithm;

  @Field(() => Int, { nullable: true, description: 'Buckets: how much fits. CONCURRENCY: how many at a time.' })
  capacity?: number;

  @Field(() => Int, { nullable: true, description: 'Buckets: how much flows back per `refillPeriodMs`.' })
  refillAmount?: number;

  @Field(() => BigIntScalar, { nullable: true, description: 'Buckets: the period of the refill in milliseconds.' })
  refillPeriodMs?: number;

  @Field(() => Int, { nullable: true, description: 'Windows: how much is admitted in each.' })
  amount?: number;

  @Field(() => BigIntScalar, { nullable: true, description: WINDOW })
  windowMs?: number;

  @Field(() => Boolean, {
    nullable: true,
    description: 'SLIDING_WINDOW_COUNTER: never more than `amount` in any true window.',
  })
  strict?: boolean;

  @Field(() => BigIntScalar, {
    nullable: true,
    description: 'CONCURRENCY: a place is free again after this many milliseconds at the latest.',
  })
  leaseMs?: number;

  @Field(() => Boolean, { nullable: true, description: 'Denied operations are counted too: for abuse rules.' })
  countDenied?: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'Buckets: how many tokens of debt the actual cost may make. Absent: one capacity.',
  })
  maxDebt?: number;
}

@InputType('RuleLimitInput', {
  description:
    'One number enforced over time. 20 a minute: `{algorithm: SLIDING_WINDOW_COUNTER, amount: 20, windowMs: 60000}`.',
})
export class RuleLimitInput implements RuleLimitType {
  @Field(() => String, { nullable: true, description: `${KEY} 1 to 64 letters, digits and \`_\` \`.\` \`-\`.` })
  key?: string;

  @Field(() => Algorithms, { description: 'How it is enforced; says which of the other members it needs.' })
  algorithm!: Algorithm;

  @Field(() => Int, {
    nullable: true,
    description: 'Buckets: how much fits. CONCURRENCY: how many at a time, up to 10000.',
  })
  capacity?: number;

  @Field(() => Int, { nullable: true, description: 'Buckets: how much flows back per `refillPeriodMs`.' })
  refillAmount?: number;

  @Field(() => BigIntScalar, { nullable: true, description: 'Buckets: 100 an hour is 100 per 3600000.' })
  refillPeriodMs?: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Windows: how much is admitted in each; up to 1000 for SLIDING_WINDOW_LOG.',
  })
  amount?: number;

  @Field(() => BigIntScalar, { nullable: true, description: WINDOW })
  windowMs?: number;

  @Field(() => Boolean, {
    nullable: true,
    description: 'SLIDING_WINDOW_COUNTER: never more than `amount` in any true window.',
  })
  strict?: boolean;

  @Field(() => BigIntScalar, {
    nullable: true,
    description: 'CONCURRENCY: a place is free again after this many milliseconds at the latest.',
  })
  leaseMs?: number;

  @Field(() => Boolean, { nullable: true, description: 'Count denied operations too: for abuse rules.' })
  countDenied?: boolean;

  @Field(() => Int, {
    nullable: true,
    description: 'Buckets: how many tokens of debt the actual cost may make. Left out: one capacity.',
  })
  maxDebt?: number;
}

@ObjectType('RuleMatch', { description: 'Which operations and callers a rule is for. An empty list is for all.' })
export class RuleMatchType {
  @Field(() => [String], { description: 'Names of tiers.' })
  tiers!: readonly string[];

  @Field(() => [OperationTypes], { description: 'Kinds of operations.' })
  operationTypes!: readonly OperationType[];

  @Field(() => [String], { description: 'Names of operations, as their documents give them.' })
  operationNames!: readonly string[];

  @Field(() => [String], { description: 'Names of clients, as their header `apollographql-client-name` gives them.' })
  clients!: readonly string[];

  @Field(() => [String], { description: 'Addresses and CIDR blocks.' })
  addresses!: readonly string[];
}

@InputType('RuleMatchInput', { description: 'Which operations and callers a rule is for; a list left out is for all.' })
export class RuleMatchInput {
  @Field(() => [String], { nullable: true, description: 'Names of tiers: `["free"]`.' })
  tiers?: string[];

  @Field(() => [OperationTypes], { nullable: true, description: 'Kinds of operations: `[MUTATION]`.' })
  operationTypes?: OperationType[];

  @Field(() => [String], {
    nullable: true,
    description: 'Names of operations. Clients choose them: not for protection.',
  })
  operationNames?: string[];

  @Field(() => [String], { nullable: true, description: 'Names of clients. They choose them: not for protection.' })
  clients?: string[];

  @Field(() => [String], { nullable: true, description: '`["10.0.0.0/8", "2001:db8::/32", "192.0.2.7"]`' })
  addresses?: string[];
}

@ObjectType('RuleAction', { description: 'What a rule does.' })
export class RuleActionType {
  @Field(() => Actions, { description: 'What it does.' })
  type!: Rule['action']['type'];

  @Field(() => Int, {
    nullable: true,
    description: 'THROTTLE: how long an operation may have to wait, in milliseconds.',
  })
  maxDelayMs?: number;
}

@InputType('RuleActionInput', {
  description: 'What a rule does: `{type: REJECT}`, `{type: THROTTLE, maxDelayMs: 2000}`.',
})
export class RuleActionInput {
  @Field(() => Actions, { description: 'What it does.' })
  type!: Rule['action']['type'];

  @Field(() => Int, { nullable: true, description: 'THROTTLE only: 1 to 60000.' })
  maxDelayMs?: number;
}

@ObjectType('RuleResponse', { description: 'What a denial by the rule says instead of the usual.' })
export class RuleResponseType {
  @Field(() => String, { nullable: true, description: '`extensions.code`.' })
  code?: string;

  @Field(() => String, { nullable: true, description: 'The message.' })
  message?: string;

  @Field(() => Int, { nullable: true, description: 'The HTTP status.' })
  status?: number;
}

@InputType('RuleResponseInput', { description: 'What a denial by the rule says instead of the usual.' })
export class RuleResponseInput {
  @Field(() => String, { nullable: true, description: '`extensions.code`, in capitals: `SEARCH_LIMITED`.' })
  code?: string;

  @Field(() => String, { nullable: true, description: 'The message, up to 500 characters.' })
  message?: string;

  @Field(() => Int, { nullable: true, description: 'The HTTP status, 200 to 599.' })
  status?: number;
}
