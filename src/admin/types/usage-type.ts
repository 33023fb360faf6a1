import { Field, Float, Int, ObjectType } from 'type-graphql';
import type { OperationSpread } from '../../usage/query/operation-spread.js';
import type { UsageOperationType } from '../../usage/record/usage-levels.js';
import { connectionOf } from '../schema/connection.js';
import { UsageOperationTypes } from '../schema/enums.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { CallerType } from './caller-type.js';

@ObjectType('UsageOperation', { description: 'Type and name of operations.' })
export class UsageOperationGqlType {
  @Field(() => UsageOperationTypes, { description: 'Type of the operations.' })
  type!: UsageOperationType;

  @Field(() => String, {
    nullable: true,
    description: 'Name that the client gave the operations; null without a name.',
  })
  name!: string | null;
}

@ObjectType('UsageCounts', { description: 'Counts of operations.' })
abstract class UsageCounts {
  @Field(() => SafeIntScalar, { description: 'Number of operations, admitted and denied.' })
  requests!: number;

  @Field(() => SafeIntScalar, { description: 'Number of denied operations.' })
  denied!: number;

  @Field(() => SafeIntScalar, { description: 'Sum of the estimated costs of the admitted operations, in tokens.' })
  estimatedCost!: number;

  @Field(() => SafeIntScalar, { description: 'Sum of the actual costs of the admitted operations, in tokens.' })
  actualCost!: number;
}

@ObjectType('Usage', { description: 'Usage of one group in one bucket of time.' })
export class UsageType extends UsageCounts {
  @Field(() => DateTimeScalar, { description: 'Start of the bucket.' })
  from!: Date;

  @Field(() => DateTimeScalar, { description: 'End of the bucket. Until then, the numbers can still rise.' })
  to!: Date;

  @Field(() => CallerType, { nullable: true, description: 'The caller; only when grouped by CALLER.' })
  caller!: CallerType | null;

  @Field(() => String, {
    nullable: true,
    description: 'Id of the tenant, or null for callers without a tenant; only when grouped by TENANT.',
  })
  tenant!: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the tier; only when grouped by TIER.' })
  tier!: string | null;

  @Field(() => UsageOperationGqlType, {
    nullable: true,
    description: 'Type and name of the operation; only when grouped by OPERATION.',
  })
  operation!: UsageOperationGqlType | null;

  @Field(() => String, {
    nullable: true,
    description: 'Coordinate of the field; only when grouped by FIELD. Costs exclude nested fields.',
  })
  field!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Name of the rule, or `tier:NAME`; only when grouped by RULE. Costs are in the unit of the rule, such as tokens, calls or requests.',
  })
  rule!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Integration that asked for the decision: `api`, `apollo-router`, `ext-authz` or `hasura-ddn`. Null for operations that Tollgate itself executes or forwards; only when grouped by INTEGRATION.',
  })
  integration!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Region of the servers that decided, or null for servers without a region; only when grouped by REGION.',
  })
  region!: string | null;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'Number of operations that a rule in `SHADOW` would have denied; null when grouped by FIELD.',
  })
  shadowDenied!: number | null;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description:
      'Number of operations that were decided without the shared counters; null when grouped by FIELD or RULE.',
  })
  degraded!: number | null;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'Sum of the estimated costs of the denied operations; null when grouped by FIELD.',
  })
  deniedCost!: number | null;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'Maximum number of calls, estimated before execution; only when grouped by FIELD.',
  })
  estimatedCalls!: number | null;

  @Field(() => SafeIntScalar, { nullable: true, description: 'Number of calls; only when grouped by FIELD.' })
  actualCalls!: number | null;
}

export const UsageConnectionType = connectionOf('Usage', UsageType, 'usage');

@ObjectType('CallerCounts', { description: 'Counts of operations of callers.' })
abstract class CallerCounts extends UsageCounts {
  @Field(() => SafeIntScalar, {
    description: 'Number of admitted operations that a `SHADOW` rule would have denied.',
  })
  shadowDenied!: number;

  @Field(() => SafeIntScalar, { description: 'Sum of the estimated costs of the denied operations.' })
  deniedCost!: number;
}

@ObjectType('SubjectUsage', { description: 'Usage of a user or a tenant in one bucket of time.' })
class SubjectUsageType extends CallerCounts {
  @Field(() => DateTimeScalar, { description: 'Start of the bucket.' })
  from!: Date;

  @Field(() => DateTimeScalar, { description: 'End of the bucket. Until then, the numbers can still rise.' })
  to!: Date;
}

@ObjectType('RuleUsage', {
  description: 'Operations that a rule applied to in one bucket of time. Costs are in the unit of the rule.',
})
class RuleUsageType extends CallerCounts {
  @Field(() => DateTimeScalar, { description: 'Start of the bucket.' })
  from!: Date;

  @Field(() => DateTimeScalar, { description: 'End of the bucket. Until then, the numbers can still rise.' })
  to!: Date;
}

export const RuleUsageConnectionType = connectionOf('RuleUsage', RuleUsageType, 'buckets of usage of a rule');
export const SubjectUsageConnectionType = connectionOf('SubjectUsage', SubjectUsageType, 'buckets of usage');

export const SHARE = 'Share of the total, from 0 to 1, in the measure that orders the list.';

@ObjectType('TopCounts', { description: 'Counts of one element of a top list.' })
abstract class TopCounts extends CallerCounts {
  @Field(() => Float, { description: SHARE })
  share!: number;
}

@ObjectType('TopCaller', { description: 'A caller with high usage.' })
class TopCallerType extends TopCounts {
  @Field(() => CallerType, { description: 'The caller.' })
  caller!: CallerType;
}

@ObjectType('TopTenant', { description: 'A tenant with high usage, including all its callers.' })
class TopTenantType extends TopCounts {
  @Field(() => String, { nullable: true, description: 'Id of the tenant; null for callers without a tenant.' })
  tenant!: string | null;
}

@ObjectType('TopOperation', { description: 'An operation with high usage.' })
export class TopOperationType extends TopCounts {
  @Field(() => UsageOperationGqlType, { description: 'Type and name of the operation.' })
  operation!: UsageOperationGqlType;
}

@ObjectType('TopIntegration', { description: 'An integration of the decision service, with its usage.' })
class TopIntegrationType extends TopCounts {
  @Field(() => String, {
    nullable: true,
    description: 'Name of the integration; null for the other operations.',
  })
  integration!: string | null;
}

@ObjectType('TopRegion', { description: 'A region, with the usage of its servers.' })
class TopRegionType extends TopCounts {
  @Field(() => String, { nullable: true, description: 'Name of the region; null for servers without a region.' })
  region!: string | null;
}

@ObjectType('OperationSpread', {
  description: 'Percentiles of cost and duration over single runs of an operation.',
})
export class OperationSpreadType implements OperationSpread {
  @Field(() => Int, { description: 'Number of evaluated runs.' })
  decisions!: number;

  @Field(() => SafeIntScalar, { description: 'Median of the actual cost, in tokens.' })
  p50Cost!: number;

  @Field(() => SafeIntScalar, { description: 'The 95th percentile of the actual cost, in tokens.' })
  p95Cost!: number;

  @Field(() => SafeIntScalar, {
    description: 'Median of the duration from the start of pricing to the response, in milliseconds.',
  })
  p50DurationMs!: number;

  @Field(() => SafeIntScalar, {
    description: 'The 95th percentile of the duration from the start of pricing to the response, in milliseconds.',
  })
  p95DurationMs!: number;
}

@ObjectType('TopField', { description: 'A field with high usage. Costs exclude nested fields.' })
class TopFieldType extends UsageCounts {
  @Field(() => String, { description: 'Coordinate of the field: `Type.field`.' })
  field!: string;

  @Field(() => SafeIntScalar, { description: 'Maximum number of calls, estimated before execution.' })
  estimatedCalls!: number;

  @Field(() => SafeIntScalar, { description: 'Number of calls.' })
  actualCalls!: number;

  @Field(() => Float, { description: SHARE })
  share!: number;
}

export const TopCallerConnectionType = connectionOf('TopCaller', TopCallerType, 'callers with the highest usage');
export const TopTenantConnectionType = connectionOf('TopTenant', TopTenantType, 'tenants with the highest usage');
export const TopOperationConnectionType = connectionOf(
  'TopOperation',
  TopOperationType,
  'operations with the highest usage',
);
export const TopIntegrationConnectionType = connectionOf(
  'TopIntegration',
  TopIntegrationType,
  'integrations with the highest usage',
);
export const TopRegionConnectionType = connectionOf('TopRegion', TopRegionType, 'regions with the highest usage');
export const TopFieldConnectionType = connectionOf('TopField', TopFieldType, 'fields with the highest usage');

@ObjectType('Accuracy', { description: 'Estimated and actual cost of admitted operations.' })
abstract class Accuracy {
  @Field(() => SafeIntScalar, { description: 'Number of admitted operations.' })
  requests!: number;

  @Field(() => SafeIntScalar, { description: 'Sum of the estimated costs of the admitted operations, in tokens.' })
  estimatedCost!: number;

  @Field(() => SafeIntScalar, { description: 'Sum of the actual costs of the admitted operations, in tokens.' })
  actualCost!: number;

  @Field(() => Float, {
    description: 'Actual cost divided by estimated cost.',
  })
  ratio!: number;
}

@ObjectType('OperationAccuracy', { description: 'Estimated and actual cost of an operation.' })
export class OperationAccuracyType extends Accuracy {
  @Field(() => UsageOperationGqlType, { description: 'Type and name of the operation.' })
  operation!: UsageOperationGqlType;
}

@ObjectType('FieldAccuracy', {
  description: 'Estimated and actual cost of a field and of one call. Costs exclude nested fields.',
})
export class FieldAccuracyType extends Accuracy {
  @Field(() => String, { description: 'Coordinate of the field: `Type.field`.' })
  field!: string;

  @Field(() => SafeIntScalar, { description: 'Maximum number of calls, estimated before execution.' })
  estimatedCalls!: number;

  @Field(() => SafeIntScalar, { description: 'Number of calls.' })
  actualCalls!: number;

  @Field(() => Float, { nullable: true, description: 'Estimated cost of one call; null if no calls were estimated.' })
  estimatedCostPerCall!: number | null;

  @Field(() => Float, { nullable: true, description: 'Actual cost of one call; null without calls.' })
  actualCostPerCall!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'Assumed list size if no argument sets it; null if the field returns no list, or if arguments set the size.',
  })
  assumedSize!: number | null;

  @Field(() => Int, {
    nullable: true,
    description:
      'The `assumedSize` for `@listSize` with which the average price of a call is correct. Null if it is already correct, or does not apply.',
  })
  suggestedAssumedSize!: number | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'For a field that is not a list: the weight for `@cost` with which the average price of a call is correct. Null if it is already correct.',
  })
  suggestedWeight!: number | null;
}
