import { ArgsType, Field, InputType, Int } from 'type-graphql';
import type { UsageGroup } from '../../usage/query/read-usage.js';
import type { UsageMeasure } from '../../usage/query/top-request.js';
import { PageArgs } from '../schema/connection.js';
import { Buckets, Groups, type UsageBucket, UsageMeasures } from '../schema/enums.js';
import { DateTimeScalar } from '../schema/json-scalar.js';

const RANGE = 'Time range. Default: the last 24 hours.';

@InputType('TimeRangeInput', {
  description:
    'A time range; `to` is exclusive. Tollgate extends it to whole buckets in UTC, and the last bucket can be incomplete. By default, buckets are minutes for up to three hours, hours for up to eight days, and days for longer ranges. Minutes are stored for three days and hours for 35 days, so older ranges use hours or days.',
})
export class TimeRangeInput {
  @Field(() => DateTimeScalar, { description: 'Start of the range.' })
  from!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'End of the range, exclusive. Default: now.' })
  to?: Date | null;
}

@InputType('UsageFilter', { description: 'Conditions for usage. The usage must meet all of them.' })
class UsageFilterInput {
  @Field(() => String, { nullable: true, description: 'The id of a user.' })
  user?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The prefix of an API key. Matches only callers without a user.',
  })
  apiKey?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'An address. Matches only callers without a user or an API key.',
  })
  ip?: string | null;

  @Field(() => String, { nullable: true, description: 'The id of a tenant; with `user`, the tenant of that user.' })
  tenant?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of a tier.' })
  tier?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the operations.' })
  operation?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Coordinate of a field, such as `Query.search`; only when grouped by FIELD.',
  })
  field?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of a rule, or `tier:NAME`; only when grouped by RULE.' })
  rule?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of an integration, such as `apollo-router`; only when grouped by INTEGRATION.',
  })
  integration?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of a region; only when grouped by REGION.' })
  region?: string | null;
}

@InputType('DenialFilter', { description: 'Conditions for denials. A denial must meet all of them.' })
class DenialFilterInput {
  @Field(() => String, { nullable: true, description: 'Only denials by this rule, or `tier:NAME`.' })
  rule?: string | null;

  @Field(() => String, { nullable: true, description: 'Only denials of this user.' })
  user?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only denials of the API key with this prefix, for callers without a user.',
  })
  apiKey?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only denials of this address, for callers without a user or an API key.',
  })
  ip?: string | null;

  @Field(() => String, { nullable: true, description: 'Only denials of the users and keys of this tenant.' })
  tenant?: string | null;

  @Field(() => String, { nullable: true, description: 'Only denials of operations with this name.' })
  operation?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only denials for which this integration asked, such as `apollo-router`.',
  })
  integration?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description:
      '`true`: only operations that rules in `SHADOW` would have denied. `false`: only denied operations. Default: both.',
  })
  shadow?: boolean | null;
}

@InputType('ViolationFilter', { description: 'Conditions for violations. A violation must meet all of them.' })
class ViolationFilterInput {
  @Field(() => String, { nullable: true, description: 'Only violations of this rule, or `tier:NAME`.' })
  rule?: string | null;

  @Field(() => String, { nullable: true, description: 'Only violations by this user.' })
  user?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only violations by the API key with this prefix, for callers without a user.',
  })
  apiKey?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only violations by this address, for callers without a user or an API key.',
  })
  ip?: string | null;

  @Field(() => String, { nullable: true, description: 'Only violations by the users and keys of this tenant.' })
  tenant?: string | null;
}

@ArgsType()
export class UsageArgs extends PageArgs {
  @Field(() => TimeRangeInput, {
    nullable: true,
    description: RANGE,
  })
  range?: TimeRangeInput | null;

  @Field(() => Buckets, {
    nullable: true,
    description: 'Length of the buckets. Default: see `TimeRangeInput`.',
  })
  bucket?: UsageBucket | null;
}

@ArgsType()
export class GroupedUsageArgs extends UsageArgs {
  @Field(() => [Groups], {
    defaultValue: [],
    description:
      'Any combination of CALLER, TENANT, TIER and OPERATION; or only FIELD, RULE, INTEGRATION or REGION. Empty: one element per bucket.',
  })
  groupBy!: UsageGroup[];

  @Field(() => UsageFilterInput, { nullable: true, description: 'Conditions for usage. Default: all usage.' })
  filter?: UsageFilterInput | null;
}

@ArgsType()
export class TopArgs {
  @Field(() => TimeRangeInput, { nullable: true, description: RANGE })
  range?: TimeRangeInput | null;

  @Field(() => Int, { defaultValue: 10, description: 'Maximum number of elements: 1 to 100.' })
  first!: number;
}

@ArgsType()
export class RankingArgs extends PageArgs {
  @Field(() => TimeRangeInput, { nullable: true, description: RANGE })
  range?: TimeRangeInput | null;
}

@ArgsType()
export class TopUsageArgs extends RankingArgs {
  @Field(() => UsageMeasures, {
    defaultValue: 'ACTUAL_COST',
    description: 'Measure that orders the list, the highest first.',
  })
  orderBy!: UsageMeasure;

  @Field(() => UsageFilterInput, { nullable: true, description: 'Conditions for usage. Default: all usage.' })
  filter?: UsageFilterInput | null;
}

@ArgsType()
export class TopOperationArgs extends TopUsageArgs {
  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether to list only operations that a published document has, or only the others. Operations are compared by type and name. Default: all operations.',
  })
  registered?: boolean | null;
}

@ArgsType()
export class RuleDenialArgs extends PageArgs {
  @Field(() => TimeRangeInput, { nullable: true, description: `${RANGE} Maximum: 31 days and an hour.` })
  range?: TimeRangeInput | null;
}

@ArgsType()
export class DenialArgs extends RuleDenialArgs {
  @Field(() => DenialFilterInput, { nullable: true, description: 'Conditions for the elements to list. Default: all.' })
  filter?: DenialFilterInput | null;
}

@ArgsType()
export class ViolationArgs extends RankingArgs {
  @Field(() => ViolationFilterInput, {
    nullable: true,
    description: 'Conditions for the elements to list. Default: all.',
  })
  filter?: ViolationFilterInput | null;
}
