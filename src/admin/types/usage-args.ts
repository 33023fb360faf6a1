import { ArgsType, Field, InputType, Int } from 'type-graphql';
import type { UsageGroup } from '../../usage/query/read-usage.js';
import type { UsageMeasure } from '../../usage/query/top-request.js';
import { PageArgs } from '../schema/connection.js';
import { Buckets, Groups, type UsageBucket, UsageMeasures } from '../schema/enums.js';
import { DateTimeScalar } from '../schema/json-scalar.js';

const RANGE = 'Which time; left out: the last 24 hours.';

@InputType('TimeRangeInput', {
  description:
    'From one moment to another, which is not in it. It grows to whole buckets (UTC), of which the last is live: to minutes where it is up to three hours long, to hours up to eight days, else to days; older ranges, too, to hours and days, as minutes are kept for three days and hours for 35.',
})
export class TimeRangeInput {
  @Field(() => DateTimeScalar, { description: 'The first moment.' })
  from!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'The first moment behind the range; left out: now.' })
  to?: Date | null;
}

@InputType('UsageFilter', { description: 'Which usage; all conditions together.' })
class UsageFilterInput {
  @Field(() => String, { nullable: true, description: 'The id of a user.' })
  user?: string | null;

  @Field(() => String, { nullable: true, description: 'The prefix of an API key; of callers without a user.' })
  apiKey?: string | null;

  @Field(() => String, { nullable: true, description: 'An address; of callers of whom nothing else is known.' })
  ip?: string | null;

  @Field(() => String, { nullable: true, description: 'The id of a tenant; with `user`, the tenant of that user.' })
  tenant?: string | null;

  @Field(() => String, { nullable: true, description: 'The name of a tier.' })
  tier?: string | null;

  @Field(() => String, { nullable: true, description: 'The name of operations.' })
  operation?: string | null;

  @Field(() => String, { nullable: true, description: 'A coordinate such as `Query.search`; only by FIELD.' })
  field?: string | null;

  @Field(() => String, { nullable: true, description: 'The name of a rule, or `tier:NAME`; only by RULE.' })
  rule?: string | null;
}

@InputType('DenialFilter', { description: 'Which denials; all conditions together.' })
class DenialFilterInput {
  @Field(() => String, { nullable: true, description: 'By this rule, or `tier:NAME`.' })
  rule?: string | null;

  @Field(() => String, { nullable: true, description: 'Of this user.' })
  user?: string | null;

  @Field(() => String, { nullable: true, description: 'Of the API key with this prefix; of callers without a user.' })
  apiKey?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Of this address; of callers of whom nothing else is known.',
  })
  ip?: string | null;

  @Field(() => String, { nullable: true, description: 'Of the users and keys of this tenant.' })
  tenant?: string | null;

  @Field(() => String, { nullable: true, description: 'Of operations with this name.' })
  operation?: string | null;

  @Field(() => Boolean, {
    nullable: true,
    description: '`true`: only what shadow rules would have denied; `false`: only what was denied; left out: both.',
  })
  shadow?: boolean | null;
}

@InputType('ViolationFilter', { description: 'Which violations; all conditions together.' })
class ViolationFilterInput {
  @Field(() => String, { nullable: true, description: 'Of this rule, or `tier:NAME`.' })
  rule?: string | null;

  @Field(() => String, { nullable: true, description: 'By this user.' })
  user?: string | null;

  @Field(() => String, { nullable: true, description: 'By the API key with this prefix; of callers without a user.' })
  apiKey?: string | null;

  @Field(() => String, { nullable: true, description: 'By this address; of callers of whom nothing else is known.' })
  ip?: string | null;

  @Field(() => String, { nullable: true, description: 'By the users and keys of this tenant.' })
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
    description: 'How long buckets are; left out: as fine as the range allows.',
  })
  bucket?: UsageBucket | null;
}

@ArgsType()
export class GroupedUsageArgs extends UsageArgs {
  @Field(() => [Groups], {
    defaultValue: [],
    description: 'CALLER, TENANT, TIER and OPERATION in any combination; or FIELD; or RULE. Empty: one per bucket.',
  })
  groupBy!: UsageGroup[];

  @Field(() => UsageFilterInput, { nullable: true, description: 'Which usage to look at; left out: all.' })
  filter?: UsageFilterInput | null;
}

@ArgsType()
export class TopArgs {
  @Field(() => TimeRangeInput, { nullable: true, description: RANGE })
  range?: TimeRangeInput | null;

  @Field(() => Int, { defaultValue: 10, description: 'How many at most: 1 to 100.' })
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
    description: 'The measure that puts an entry at the top.',
  })
  orderBy!: UsageMeasure;

  @Field(() => UsageFilterInput, { nullable: true, description: 'Which usage to look at; left out: all.' })
  filter?: UsageFilterInput | null;
}

@ArgsType()
export class RuleDenialArgs extends PageArgs {
  @Field(() => TimeRangeInput, { nullable: true, description: `${RANGE} At most 31 days and an hour.` })
  range?: TimeRangeInput | null;
}

@ArgsType()
export class DenialArgs extends RuleDenialArgs {
  @Field(() => DenialFilterInput, { nullable: true, description: 'Which of them to list; left out: all.' })
  filter?: DenialFilterInput | null;
}

@ArgsType()
export class ViolationArgs extends RankingArgs {
  @Field(() => ViolationFilterInput, { nullable: true, description: 'Which of them to list; left out: all.' })
  filter?: ViolationFilterInput | null;
}
