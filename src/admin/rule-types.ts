import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { Algorithm, Measure, OnUnavailable, OperationType, Rule, Scope } from '../rules/types.js';
import { connectionOf, NodeType } from './connection.js';
import { CreateInput, Payload, UpdateInput } from './mutation-types.js';
import { Actions, Algorithms, Measures, Modes, OperationTypes, Outages } from './rule-enums.js';
import { BigIntScalar, DateTimeScalar } from './scalars.js';
import { Scopes } from './scope-enum.js';

const WINDOW = 'Windows: how long one is, in milliseconds. A minute is 60000.';
const KEY = 'Tells two limits of one rule apart that have the same algorithm and window.';

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

const NAME =
  'What denials, answers and dashboards call the rule: 1 to 100 printable ASCII characters. Unique among the rules in use.';
const PRIORITY = 'Lower first: of the rules of one level (scope, field, measure) that match, only the first applies.';
const FIELD = 'What is counted: `Query.search`, `Query.*`, `*.posts`, or `*` for the whole operation.';
const ROLLOUT =
  'The share of tenants (else users) it applies to, 0 to 100. Always the same ones; raising it adds to them.';

@ObjectType('Rule', {
  implements: NodeType,
  description: 'What is limited, for whom, and how. Rules of different levels (scope, field, measure) apply together.',
})
export class RuleType extends NodeType {
  @Field(() => String, { description: NAME })
  name!: string;

  @Field(() => String, { nullable: true, description: 'For the people who administer it.' })
  description?: string;

  @Field(() => Modes, { description: 'Whether it denies.' })
  mode!: Rule['mode'];

  @Field(() => Float, { description: ROLLOUT })
  rolloutPercent!: number;

  @Field(() => Int, { description: PRIORITY })
  priority!: number;

  @Field(() => RuleMatchType, { description: 'Which operations and callers it is for.' })
  match!: RuleMatchType;

  @Field(() => Scopes, { description: 'Who shares its counters.' })
  scope!: Scope;

  @Field(() => String, { description: FIELD })
  field!: string;

  @Field(() => Measures, { description: 'What of it is counted.' })
  measure!: Measure;

  @Field(() => [RuleLimitType], { description: 'All of them have to have room.' })
  limits!: readonly RuleLimitType[];

  @Field(() => RuleActionType, { description: 'What it does.' })
  action!: RuleActionType;

  @Field(() => Outages, { description: 'What becomes of it while its counters cannot be reached.' })
  onUnavailable!: OnUnavailable;

  @Field(() => RuleResponseType, { nullable: true, description: 'What its denials say instead of the usual.' })
  response?: RuleResponseType;

  @Field(() => Int, { description: 'Rises by one with each change. Send it back as `expectedVersion`.' })
  version!: number;

  @Field(() => DateTimeScalar, { description: 'When the rule was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When the rule was last changed.' })
  updatedAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the rule was taken out of use; null: it is in use.',
  })
  retiredAt!: Date | null;

  /** Its id in the store. */
  key!: string;
}

export const RuleConnectionType = connectionOf('Rule', RuleType, 'rules');

@InputType('RuleFilter', { description: 'Which rules; all conditions together.' })
export class RuleFilterInput {
  @Field(() => Boolean, { defaultValue: false, description: 'Those that are out of use, instead of those in use.' })
  retired?: boolean;

  @Field(() => Modes, { nullable: true, description: 'In this mode.' })
  mode?: Rule['mode'] | null;

  @Field(() => Scopes, { nullable: true, description: 'With this scope.' })
  scope?: Scope | null;

  @Field(() => String, { nullable: true, description: 'With exactly this field pattern.' })
  field?: string | null;

  @Field(() => String, { nullable: true, description: 'Made for this tier by name.' })
  tier?: string | null;

  @Field(() => String, { nullable: true, description: 'With this in their name, in any case.' })
  nameContains?: string | null;
}

@InputType('RuleCreateInput', {
  description:
    'A new rule. 20 searches a minute per user: `{name: "search", scope: USER, field: "Query.search", measure: CALLS, limits: [{algorithm: SLIDING_WINDOW_COUNTER, amount: 20, windowMs: 60000}]}`.',
})
export class RuleCreateInput extends CreateInput {
  @Field(() => String, { description: NAME })
  name!: string;

  @Field(() => String, { nullable: true, description: 'For the people who administer it, up to 1000 characters.' })
  description?: string | null;

  @Field(() => Modes, {
    nullable: true,
    description: 'Left out: `ENFORCE`. Begin with `SHADOW` to see whom it would deny.',
  })
  mode?: Rule['mode'];

  @Field(() => Float, { nullable: true, description: `${ROLLOUT} Left out: 100.` })
  rolloutPercent?: number;

  @Field(() => Int, { nullable: true, description: `${PRIORITY} 0 to 1000000; left out: 100.` })
  priority?: number;

  @Field(() => RuleMatchInput, { nullable: true, description: 'Left out: everything and everybody.' })
  match?: RuleMatchInput;

  @Field(() => Scopes, { description: 'Who shares its counters.' })
  scope!: Scope;

  @Field(() => String, { description: FIELD })
  field!: string;

  @Field(() => Measures, { nullable: true, description: 'Left out: `COST`.' })
  measure?: Measure;

  @Field(() => [RuleLimitInput], { description: 'One to eight, all of which have to have room; none for EXEMPT.' })
  limits!: RuleLimitInput[];

  @Field(() => RuleActionInput, { nullable: true, description: 'Left out: `{type: REJECT}`.' })
  action?: RuleActionInput;

  @Field(() => Outages, { nullable: true, description: 'Left out: `LOCAL`.' })
  onUnavailable?: OnUnavailable;

  @Field(() => RuleResponseInput, { nullable: true, description: 'What its denials say instead of the usual.' })
  response?: RuleResponseInput | null;
}

@InputType('RuleUpdateInput', {
  description:
    'What to change about a rule. What is left out stays as it is; `match`, `limits`, `action` and `response` are replaced whole.',
})
export class RuleUpdateInput extends UpdateInput {
  @Field(() => ID, { description: 'The rule to change.' })
  id!: string;

  @Field(() => String, { nullable: true, description: NAME })
  name?: string;

  @Field(() => String, { nullable: true, description: 'For the people who administer it; null takes it away.' })
  description?: string | null;

  @Field(() => Modes, { nullable: true, description: 'Whether it denies.' })
  mode?: Rule['mode'];

  @Field(() => Float, { nullable: true, description: ROLLOUT })
  rolloutPercent?: number;

  @Field(() => Int, { nullable: true, description: PRIORITY })
  priority?: number;

  @Field(() => RuleMatchInput, { nullable: true, description: 'Which operations and callers it is for; `{}`: all.' })
  match?: RuleMatchInput;

  @Field(() => Scopes, { nullable: true, description: 'Who shares its counters. Another one starts new counters.' })
  scope?: Scope;

  @Field(() => String, { nullable: true, description: `${FIELD} Another one starts new counters.` })
  field?: string;

  @Field(() => Measures, { nullable: true, description: 'What of it is counted. Another one starts new counters.' })
  measure?: Measure;

  @Field(() => [RuleLimitInput], {
    nullable: true,
    description:
      'Other amounts go on with the same counters; another algorithm or window starts new ones, and a warning says so.',
  })
  limits?: RuleLimitInput[];

  @Field(() => RuleActionInput, { nullable: true, description: 'What it does.' })
  action?: RuleActionInput;

  @Field(() => Outages, { nullable: true, description: 'What becomes of it while its counters cannot be reached.' })
  onUnavailable?: OnUnavailable;

  @Field(() => RuleResponseInput, { nullable: true, description: 'What its denials say; null: the usual.' })
  response?: RuleResponseInput | null;
}

@InputType('RuleSetModeInput', { description: 'Switches a rule off, to shadow, or on.' })
export class RuleSetModeInput extends UpdateInput {
  @Field(() => ID, { description: 'The rule.' })
  id!: string;

  @Field(() => Modes, { description: 'The new mode.' })
  mode!: Rule['mode'];
}

@InputType('RuleRetireInput', { description: 'Takes a rule out of use. Its history stays, and it can be restored.' })
export class RuleRetireInput extends UpdateInput {
  @Field(() => ID, { description: 'The rule.' })
  id!: string;
}

@InputType('RuleRestoreInput', {
  description: 'Puts a retired rule back into use, or any rule back to an earlier version.',
})
export class RuleRestoreInput extends UpdateInput {
  @Field(() => ID, { description: 'The rule.' })
  id!: string;

  @Field(() => Int, {
    nullable: true,
    description: 'A `version` out of its history. Left out: as it was when it was retired.',
  })
  toVersion?: number | null;
}

@ObjectType('RulePayload', { description: 'What became of a change to a rule.' })
export class RulePayload extends Payload {
  @Field(() => RuleType, {
    nullable: true,
    description: 'The rule as it is now, or as it would be after a dry run. With user errors: unchanged, if it exists.',
  })
  rule!: RuleType | null;
}
