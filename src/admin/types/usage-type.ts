import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { OperationSpread } from '../../usage/query/operation-spread.js';
import type { UsageOperationType } from '../../usage/record/usage-levels.js';
import { connectionOf } from '../schema/connection.js';
import { UsageOperationTypes } from '../schema/enums.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { CallerType } from './caller-type.js';

@ObjectType('UsageOperation', { description: 'Operations of one type and name.' })
export class UsageOperationGqlType {
  @Field(() => UsageOperationTypes, { description: 'The kind of operation.' })
  type!: UsageOperationType;

  @Field(() => String, { nullable: true, description: 'The name that the client gave them; null: none.' })
  name!: string | null;
}

@ObjectType('UsageCounts', { description: 'What is counted of operations.' })
abstract class UsageCounts {
  @Field(() => SafeIntScalar, { description: 'Operations that were asked for, denied ones too.' })
  requests!: number;

  @Field(() => SafeIntScalar, { description: 'Operations that were denied.' })
  denied!: number;

  @Field(() => SafeIntScalar, { description: 'What the operations that ran were charged first, in tokens.' })
  estimatedCost!: number;

  @Field(() => SafeIntScalar, { description: 'What they were charged in the end.' })
  actualCost!: number;
}

@ObjectType('Usage', { description: 'What was used in one bucket of time, by one group.' })
export class UsageType extends UsageCounts {
  @Field(() => DateTimeScalar, { description: 'Where the bucket begins.' })
  from!: Date;

  @Field(() => DateTimeScalar, { description: 'Where it ends: until then the numbers still rise.' })
  to!: Date;

  @Field(() => CallerType, { nullable: true, description: 'Grouped by CALLER: the one whose usage this is.' })
  caller!: CallerType | null;

  @Field(() => String, { nullable: true, description: 'Grouped by TENANT: its id; null: callers without one.' })
  tenant!: string | null;

  @Field(() => String, { nullable: true, description: 'Grouped by TIER: its name.' })
  tier!: string | null;

  @Field(() => UsageOperationGqlType, { nullable: true, description: 'Grouped by OPERATION: which.' })
  operation!: UsageOperationGqlType | null;

  @Field(() => String, {
    nullable: true,
    description: 'Grouped by FIELD: its coordinate. Costs are without what is below.',
  })
  field!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Grouped by RULE: its name, or `tier:NAME`. Costs are what the rule measures: tokens, calls, requests.',
  })
  rule!: string | null;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'Operations that a shadow rule would have denied; null by FIELD.',
  })
  shadowDenied!: number | null;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'Operations that were decided without the shared counters; null by FIELD and RULE.',
  })
  degraded!: number | null;

  @Field(() => SafeIntScalar, { nullable: true, description: 'What the denied would have cost; null by FIELD.' })
  deniedCost!: number | null;

  @Field(() => SafeIntScalar, { nullable: true, description: 'By FIELD: how often it was to be resolved at most.' })
  estimatedCalls!: number | null;

  @Field(() => SafeIntScalar, { nullable: true, description: 'By FIELD: how often it was resolved.' })
  actualCalls!: number | null;
}

export const UsageConnectionType = connectionOf('Usage', UsageType, 'usage');

@ObjectType('CallerCounts', { description: 'What is counted of operations, by who asked for them.' })
abstract class CallerCounts extends UsageCounts {
  @Field(() => SafeIntScalar, { description: 'Operations that ran, and a shadow rule would have denied.' })
  shadowDenied!: number;

  @Field(() => SafeIntScalar, { description: 'What the denied would have cost.' })
  deniedCost!: number;
}

@ObjectType('SubjectUsage', { description: 'What a user or a tenant used in one bucket of time.' })
class SubjectUsageType extends CallerCounts {
  @Field(() => DateTimeScalar, { description: 'Where the bucket begins.' })
  from!: Date;

  @Field(() => DateTimeScalar, { description: 'Where it ends: until then the numbers still rise.' })
  to!: Date;
}

@ObjectType('RuleUsage', {
  description: 'What a rule applied to in one bucket of time. Costs are in what it measures.',
})
class RuleUsageType extends CallerCounts {
  @Field(() => DateTimeScalar, { description: 'Where the bucket begins.' })
  from!: Date;

  @Field(() => DateTimeScalar, { description: 'Where it ends: until then the numbers still rise.' })
  to!: Date;
}

export const RuleUsageConnectionType = connectionOf('RuleUsage', RuleUsageType, 'buckets of usage of a rule');
export const SubjectUsageConnectionType = connectionOf('SubjectUsage', SubjectUsageType, 'buckets of usage');

export const SHARE = 'Its part of all, in what the list is ordered by: 0 to 1.';

@ObjectType('TopCounts', { description: 'One of the top of a list.' })
abstract class TopCounts extends CallerCounts {
  @Field(() => Float, { description: SHARE })
  share!: number;
}

@ObjectType('TopCaller', { description: 'One of the callers who used the most.' })
class TopCallerType extends TopCounts {
  @Field(() => CallerType, { description: 'The one whose usage this is.' })
  caller!: CallerType;
}

@ObjectType('TopTenant', { description: 'One of the tenants that used the most, with all its callers.' })
class TopTenantType extends TopCounts {
  @Field(() => String, { nullable: true, description: 'The id of the tenant; null: callers without one.' })
  tenant!: string | null;
}

@ObjectType('TopOperation', { description: 'One of the operations that used the most.' })
export class TopOperationType extends TopCounts {
  @Field(() => UsageOperationGqlType, { description: 'Type and name of the operation.' })
  operation!: UsageOperationGqlType;
}

@ObjectType('OperationSpread', {
  description:
    'How far apart single runs of an operation are: half of them are at most at p50, 95 of 100 at most at p95.',
})
export class OperationSpreadType implements OperationSpread {
  @Field(() => Int, { description: 'How many runs were looked at.' })
  decisions!: number;

  @Field(() => SafeIntScalar, { description: 'What half of them cost at most in the end, in tokens.' })
  p50Cost!: number;

  @Field(() => SafeIntScalar, { description: 'What 95 of 100 cost at most in the end, in tokens.' })
  p95Cost!: number;

  @Field(() => SafeIntScalar, { description: 'How long half of them took at most, from the decision to the answer.' })
  p50DurationMs!: number;

  @Field(() => SafeIntScalar, { description: 'How long 95 of 100 took at most, from the decision to the answer.' })
  p95DurationMs!: number;
}

@ObjectType('TopField', { description: 'One of the fields that used the most. Costs are without what is below.' })
class TopFieldType extends UsageCounts {
  @Field(() => String, { description: 'The coordinate of the field: `Type.field`.' })
  field!: string;

  @Field(() => SafeIntScalar, { description: 'How often it was to be resolved at most.' })
  estimatedCalls!: number;

  @Field(() => SafeIntScalar, { description: 'How often it was resolved.' })
  actualCalls!: number;

  @Field(() => Float, { description: SHARE })
  share!: number;
}

export const TopCallerConnectionType = connectionOf('TopCaller', TopCallerType, 'callers who used the most');
export const TopTenantConnectionType = connectionOf('TopTenant', TopTenantType, 'tenants that used the most');
export const TopOperationConnectionType = connectionOf(
  'TopOperation',
  TopOperationType,
  'operations that used the most',
);
export const TopFieldConnectionType = connectionOf('TopField', TopFieldType, 'fields that used the most');

@ObjectType('Accuracy', { description: 'What was charged first, and what it came to, of operations that ran.' })
abstract class Accuracy {
  @Field(() => SafeIntScalar, { description: 'Operations that ran.' })
  requests!: number;

  @Field(() => SafeIntScalar, { description: 'What they were charged first, in tokens.' })
  estimatedCost!: number;

  @Field(() => SafeIntScalar, { description: 'What they were charged in the end.' })
  actualCost!: number;

  @Field(() => Float, {
    description: 'The second by the first: 0.1 is an estimate ten times too high.',
  })
  ratio!: number;
}

@ObjectType('OperationAccuracy', { description: 'How far the estimates of an operation are from what it costs.' })
export class OperationAccuracyType extends Accuracy {
  @Field(() => UsageOperationGqlType, { description: 'Type and name of the operation.' })
  operation!: UsageOperationGqlType;
}

@ObjectType('FieldAccuracy', {
  description:
    'How far the price of one call of a field is from what a call comes to. Costs are without what is below.',
})
export class FieldAccuracyType extends Accuracy {
  @Field(() => String, { description: 'The coordinate of the field: `Type.field`.' })
  field!: string;

  @Field(() => SafeIntScalar, { description: 'How often it was to be resolved at most.' })
  estimatedCalls!: number;

  @Field(() => SafeIntScalar, { description: 'How often it was resolved.' })
  actualCalls!: number;

  @Field(() => Float, { nullable: true, description: 'The price of one call; null: it was never to be called.' })
  estimatedCostPerCall!: number | null;

  @Field(() => Float, { nullable: true, description: 'What one call came to; null: it was never called.' })
  actualCostPerCall!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'How long its list is taken to be where no argument says so; null: it is no list, or arguments size it.',
  })
  assumedSize!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The `assumedSize` for `@listSize` by which calls would have been priced right on average; null: it is right, or nothing to be set.',
  })
  suggestedAssumedSize!: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'For a field that is no list: the weight for `@cost` by which calls would have been priced right on average; null: it is right.',
  })
  suggestedWeight!: number | null;
}
