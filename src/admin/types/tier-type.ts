import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { type CalendarBudget, MAX_COST } from '../../model/limit-parameters.js';
import type { Amount, AnswerDetail } from '../../model/rule.js';
import type { Price, TierRecord } from '../../rules/store/tier-record.js';
import { CreateInput, DifferenceType, Payload, UpdateInput } from '../schema/change-input.js';
import { connectionOf, NodeType } from '../schema/connection.js';
import { Answers } from '../schema/enums.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { CalendarBudgetInput } from './calendar-window-input.js';
import { CalendarBudgetType } from './calendar-window-type.js';

const CAPACITY = 'Capacity in tokens: the maximum that can be spent at once.';
const UNLIMITED = 'Null for no bucket: only rules and maxima limit the callers.';
const REFILL_AMOUNT = 'Whole tokens that are refilled evenly in each period.';
const REFILL_PERIOD_MS = 'Period of the refill in milliseconds: 100 an hour is 100 per 3600000.';
const BUDGET = 'Budget that applies in addition to the bucket; null for none.';
const ANSWER = 'Detail on cost and limits in the responses to its callers.';

/** Ceilings of a tier for one operation. */
const CEILINGS = {
  COST: 'Maximum cost of one operation, in tokens',
  NODES: 'Maximum number of objects of one operation',
  TYPE_COST: 'Maximum type cost of one operation',
  FIELD_COST: 'Maximum field cost of one operation',
} as const satisfies Record<Amount, string>;

/** Declares a field with a ceiling, for a tier and for the inputs that create or change a tier. */
function Ceiling(amount: Amount): PropertyDecorator {
  return Field(() => Int, {
    nullable: true,
    description: `${CEILINGS[amount]}; null without a maximum.`,
  });
}

@ObjectType('Price', { description: 'Monthly price of a tier.' })
class PriceType {
  @Field(() => SafeIntScalar, {
    description: 'Amount in the smallest unit of the currency, such as cents.',
  })
  amountMinor!: number;

  @Field(() => String, { description: 'ISO 4217 code of the currency: `USD`, `EUR`.' })
  currency!: string;
}

@ObjectType('TierInCode', {
  description: 'The declaration of a tier in the code of a server. The stored tier is in force.',
})
export class TierInCodeType {
  @Field(() => String, {
    nullable: true,
    description: 'Service whose code declares the tier; null for a server without a name.',
  })
  service!: string | null;

  @Field(() => [DifferenceType], {
    description: 'Differences from the stored tier to the declaration; empty if they are equal.',
  })
  differences!: DifferenceType[];
}

@ObjectType('Tier', {
  implements: NodeType,
  description: `A plan that gives each of its callers a token bucket. Operations spend tokens from this bucket. Amounts are 1 to ${MAX_COST}; capacity x refillPeriodMs is at most 2^52. The ceilings apply independent of the bucket.`,
})
export class TierType extends NodeType {
  @Field(() => String, { description: 'Identifier of the tier, which never changes.' })
  name!: string;

  @Field(() => String, { description: 'Display name.' })
  displayName!: string;

  @Field(() => PriceType, { nullable: true, description: 'Monthly price; null if none is published.' })
  monthlyPrice!: Price | null;

  @Field(() => Int, { nullable: true, description: `${CAPACITY} ${UNLIMITED}` })
  capacity!: number | null;

  @Field(() => Int, { nullable: true, description: `${REFILL_AMOUNT} Null without a bucket.` })
  refillAmount!: number | null;

  @Field(() => SafeIntScalar, { nullable: true, description: `${REFILL_PERIOD_MS} Null without a bucket.` })
  refillPeriodMs!: number | null;

  @Field(() => CalendarBudgetType, { nullable: true, description: BUDGET })
  budget!: CalendarBudget | null;

  @Ceiling('COST')
  maxCostPerOperation!: number | null;

  @Ceiling('NODES')
  maxNodesPerOperation!: number | null;

  @Ceiling('TYPE_COST')
  maxTypeCostPerOperation!: number | null;

  @Ceiling('FIELD_COST')
  maxFieldCostPerOperation!: number | null;

  @Field(() => Answers, { description: ANSWER })
  answer!: AnswerDetail;

  @Field(() => Boolean, {
    description: 'Whether this is the default tier: the tier of callers without an assigned tier.',
  })
  isDefault!: boolean;

  @Field(() => Int, { description: 'Version for `expectedVersion`. Each change raises it by one.' })
  version!: number;

  @Field(() => DateTimeScalar, { description: 'Time of creation.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'Time of the last change.' })
  updatedAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'Time at which the tier was retired; null while it is in use.',
  })
  retiredAt!: Date | null;

  /** Record as it is stored. */
  stored!: TierRecord;
}

export const TierConnectionType = connectionOf('Tier', TierType, 'tiers', { isCounted: true });

@InputType('PriceInput', { description: 'Monthly price of a tier.' })
class PriceInput {
  @Field(() => SafeIntScalar, {
    description: 'Amount in the smallest unit of the currency, such as cents.',
  })
  amountMinor!: number;

  @Field(() => String, { description: 'ISO 4217 code of the currency, three capital letters: `USD`, `EUR`.' })
  currency!: string;
}

@InputType('TierCreateInput', { description: 'A new tier.' })
export class TierCreateInput extends CreateInput {
  @Field(() => String, {
    description:
      'Permanent identifier of the tier, even after its retirement: 1 to 64 letters, digits and `_` `.` `-`.',
  })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Display name. Default: the name.' })
  displayName?: string;

  @Field(() => PriceInput, { nullable: true, description: 'Monthly price. Default: none is published.' })
  monthlyPrice?: PriceInput | null;

  @Field(() => Int, { nullable: true, description: `${CAPACITY} Null for no bucket.` })
  capacity?: number | null;

  @Field(() => Int, { nullable: true, description: `${REFILL_AMOUNT} Required with a capacity.` })
  refillAmount?: number | null;

  @Field(() => SafeIntScalar, { nullable: true, description: `${REFILL_PERIOD_MS} Default: 1000.` })
  refillPeriodMs?: number | null;

  @Field(() => CalendarBudgetInput, { nullable: true, description: `${BUDGET} Default: none.` })
  budget?: CalendarBudgetInput | null;

  @Ceiling('COST')
  maxCostPerOperation?: number | null;

  @Ceiling('NODES')
  maxNodesPerOperation?: number | null;

  @Ceiling('TYPE_COST')
  maxTypeCostPerOperation?: number | null;

  @Ceiling('FIELD_COST')
  maxFieldCostPerOperation?: number | null;

  @Field(() => Answers, { defaultValue: 'BRIEF', description: ANSWER })
  answer!: AnswerDetail;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether this becomes the default tier: the tier of callers without an assigned tier.',
  })
  isDefault!: boolean;
}

@InputType('TierUpdateInput', {
  description: 'A change of a tier. Omitted members stay unchanged. Null clears a member that can be empty.',
})
export class TierUpdateInput extends UpdateInput {
  @Field(() => String, { description: 'Name of the tier to change.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'Display name.' })
  displayName?: string;

  @Field(() => PriceInput, { nullable: true, description: 'Monthly price; null if none is published.' })
  monthlyPrice?: PriceInput | null;

  @Field(() => Int, { nullable: true, description: `${CAPACITY} Null removes the bucket. Spent tokens stay spent.` })
  capacity?: number | null;

  @Field(() => Int, { nullable: true, description: REFILL_AMOUNT })
  refillAmount?: number;

  @Field(() => SafeIntScalar, { nullable: true, description: REFILL_PERIOD_MS })
  refillPeriodMs?: number;

  @Field(() => CalendarBudgetInput, { nullable: true, description: BUDGET })
  budget?: CalendarBudgetInput | null;

  @Ceiling('COST')
  maxCostPerOperation?: number | null;

  @Ceiling('NODES')
  maxNodesPerOperation?: number | null;

  @Ceiling('TYPE_COST')
  maxTypeCostPerOperation?: number | null;

  @Ceiling('FIELD_COST')
  maxFieldCostPerOperation?: number | null;

  @Field(() => Answers, { nullable: true, description: ANSWER })
  answer?: AnswerDetail;

  @Field(() => Boolean, {
    nullable: true,
    description: 'True makes this tier the default tier. The current default tier does not accept false.',
  })
  isDefault?: boolean;
}

@InputType('TierRetireInput', { description: 'The tier to retire.' })
export class TierRetireInput extends UpdateInput {
  @Field(() => String, {
    description: 'Name of the tier. It must not be the default tier, and no rule, user or tenant may use it.',
  })
  name!: string;
}

@ObjectType('TierPayload', { description: 'Result of a change to a tier.' })
export class TierPayload extends Payload {
  @Field(() => TierType, {
    nullable: true,
    description:
      'The tier after the change, or after a planned change in a dry run. With user errors: the unchanged tier.',
  })
  tier!: TierType | null;
}
