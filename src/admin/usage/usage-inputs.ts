import { ArgsType, Field, InputType, Int } from 'type-graphql';
import type { UsageGroup } from '../../usage/query/read-usage.js';
import type { UsageMeasure } from '../../usage/query/top-usage.js';
import { PageArgs } from '../schema/connection.js';
import { Buckets, Groups, type UsageBucket, UsageMeasures } from '../schema/enums.js';
import { DateTimeScalar } from '../schema/scalars.js';

const RANGE = 'Left out: the last 24 hours.';
const ROUNDED =
  'It grows to whole minutes where it is up to three hours long, to whole hours up to eight days, else to whole days (UTC); older ranges, too, to hours and days, as minutes are kept for three days and hours for 35.';

@InputType('TimeRangeInput', { description: 'From one moment to another, which is not in it.' })
export class TimeRangeInput {
  @Field(() => DateTimeScalar, { description: 'The first moment.' })
  from!: Date;

  @Field(() => DateTimeScalar, { nullable: true, description: 'The end; left out: now.' })
  to?: Date | null;
}

@InputType('UsageFilter', { description: 'Which usage; all conditions together.' })
export class UsageFilterInput {
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
export class DenialFilterInput {
  @Field(() => String, { nullable: true, description: 'By this rule, or `tier:NAME`.' })
  rule?: string | null;

  @Field(() => String, { nullable: true, description: 'Denials of this user.' })
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
export class ViolationFilterInput {
  @Field(() => String, { nullable: true, description: 'Of this rule, or `tier:NAME`.' })
  rule?: string | null;

  @Field(() => String, { nullable: true, description: 'Usage of this user.' })
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
    description: `${RANGE} It grows to whole buckets; the last one is live.`,
  })
  range?: TimeRangeInput | null;

  @Field(() => Buckets, {
    nullable: true,
    description: 'Left out: minutes for ranges up to three hours, hours for ranges up to eight days, else days.',
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

  @Field(() => UsageFilterInput, { nullable: true, description: 'Only this usage.' })
  filter?: UsageFilterInput | null;
}

@ArgsType()
export class TopArgs {
  @Field(() => TimeRangeInput, { nullable: true, description: `${RANGE} ${ROUNDED}` })
  range?: TimeRangeInput | null;

  @Field(() => Int, { defaultValue: 10, description: 'How many at most: 1 to 100.' })
  first!: number;
}

@ArgsType()
export class RankingArgs extends PageArgs {
  @Field(() => TimeRangeInput, { nullable: true, description: `${RANGE} ${ROUNDED}` })
  range?: TimeRangeInput | null;
}

@ArgsType()
export class TopUsageArgs extends RankingArgs {
  @Field(() => UsageMeasures, { defaultValue: 'ACTUAL_COST', description: 'What the most of is at the top.' })
  orderBy!: UsageMeasure;

  @Field(() => UsageFilterInput, { nullable: true, description: 'Only of this usage.' })
  filter?: UsageFilterInput | null;
}

@ArgsType()
export class RuleDenialArgs extends PageArgs {
  @Field(() => TimeRangeInput, { nullable: true, description: `${RANGE} At most 31 days.` })
  range?: TimeRangeInput | null;
}

@ArgsType()
export class DenialArgs extends RuleDenialArgs {
  @Field(() => DenialFilterInput, { nullable: true, description: 'Only these.' })
  filter?: DenialFilterInput | null;
}

@ArgsType()
export class ViolationArgs extends RankingArgs {
  @Field(() => ViolationFilterInput, { nullable: true, description: 'Only these.' })
  filter?: ViolationFilterInput | null;
}
