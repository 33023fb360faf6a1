import { Field, InputType, Int, ObjectType } from 'type-graphql';
import { MAX_COST } from '../../model/limit-parameters.js';
import type { Amount, AnswerDetail } from '../../model/rule.js';
import type { Price, TierRecord } from '../../rules/store/tier-record.js';
import { CreateInput, DifferenceType, Payload, UpdateInput } from '../schema/change-input.js';
import { connectionOf, NodeType } from '../schema/connection.js';
import { Answers } from '../schema/enums.js';
import { DateTimeScalar, SafeIntScalar } from '../schema/json-scalar.js';

const CAPACITY = 'How many tokens fit in, so how many may be spent at once.';
const REFILL_AMOUNT = 'How many whole tokens flow back, evenly, in each period.';
const REFILL_PERIOD_MS = 'The period of the refill: 100 an hour is 100 per 3600000.';
const ANSWER = 'How much the answers to its callers say of cost and limits.';

/** Ceilings of a tier for one operation. */
const CEILINGS = {
  COST: 'The most tokens that one operation may cost',
  NODES: 'The most objects that one operation may return',
  TYPE_COST: 'The highest type cost of one operation',
  FIELD_COST: 'The highest field cost of one operation',
} as const satisfies Record<Amount, string>;

/**
 * Declares a field with such a ceiling, for a tier and for the inputs that create or change one.
 */
function Ceiling(amount: Amount): PropertyDecorator {
  return Field(() => Int, {
    nullable: true,
    description: `${CEILINGS[amount]}; null: no ceiling.`,
  });
}

@ObjectType('Price', { description: 'What a tier costs per month.' })
class PriceType {
  @Field(() => SafeIntScalar, { description: 'In the smallest unit of the currency: 4900 USD is 49 dollars.' })
  amountMinor!: number;

  @Field(() => String, { description: 'ISO 4217: `USD`, `EUR`.' })
  currency!: string;
}

@ObjectType('TierInCode', { description: 'What the code of a server says of a tier. What is stored is in force.' })
export class TierInCodeType {
  @Field(() => String, { nullable: true, description: 'The service whose code it is; null: a server without a name.' })
  service!: string | null;

  @Field(() => [DifferenceType], { description: 'From what is stored to what the code says; empty: it says the same.' })
  differences!: DifferenceType[];
}

@ObjectType('Tier', {
  implements: NodeType,
  description: `A plan: it gives each caller on it a token bucket, out of which operations are paid. Amounts are 1 to ${MAX_COST}; capacity x refillPeriodMs is at most 2^52. Ceilings hold whatever the bucket does.`,
})
export class TierType extends NodeType {
  @Field(() => String, { description: 'Identifies the tier and never changes.' })
  name!: string;

  @Field(() => String, { description: 'The name that people read.' })
  displayName!: string;

  @Field(() => PriceType, { nullable: true, description: 'Per month; null: none is published.' })
  monthlyPrice!: Price | null;

  @Field(() => Int, { description: CAPACITY })
  capacity!: number;

  @Field(() => Int, { description: REFILL_AMOUNT })
  refillAmount!: number;

  @Field(() => SafeIntScalar, { description: REFILL_PERIOD_MS })
  refillPeriodMs!: number;

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
    description: 'Callers without an assigned tier are on this one, of all tiers.',
  })
  isDefault!: boolean;

  @Field(() => Int, { description: 'Rises by one with each change. Send it back as `expectedVersion`.' })
  version!: number;

  @Field(() => DateTimeScalar, { description: 'When the tier was created.' })
  createdAt!: Date;

  @Field(() => DateTimeScalar, { description: 'When the tier was last changed.' })
  updatedAt!: Date;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the tier was taken out of use; null: it is in use.',
  })
  retiredAt!: Date | null;

  /** Record as it is stored. */
  stored!: TierRecord;
}

export const TierConnectionType = connectionOf('Tier', TierType, 'tiers', { isCounted: true });

@InputType('PriceInput', { description: 'What a tier costs per month.' })
class PriceInput {
  @Field(() => SafeIntScalar, { description: 'In the smallest unit of the currency: 4900 USD is 49 dollars.' })
  amountMinor!: number;

  @Field(() => String, { description: 'ISO 4217, three capital letters: `USD`, `EUR`.' })
  currency!: string;
}

@InputType('TierCreateInput', { description: 'A new tier.' })
export class TierCreateInput extends CreateInput {
  @Field(() => String, {
    description:
      'It has 1 to 64 letters, digits and `_` `.` `-`, and identifies the tier for ever, also after it is retired.',
  })
  name!: string;

  @Field(() => String, { nullable: true, description: 'What people read. Left out: the name.' })
  displayName?: string;

  @Field(() => PriceInput, { nullable: true, description: 'Per month. Left out or null: none is published.' })
  monthlyPrice?: PriceInput | null;

  @Field(() => Int, { description: CAPACITY })
  capacity!: number;

  @Field(() => Int, { description: REFILL_AMOUNT })
  refillAmount!: number;

  @Field(() => SafeIntScalar, { description: REFILL_PERIOD_MS })
  refillPeriodMs!: number;

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
    description: 'Make this the tier of callers to whom no other was assigned.',
  })
  isDefault!: boolean;
}

@InputType('TierUpdateInput', {
  description: 'What to change about a tier. What is left out stays as it is; null is for what can be cleared.',
})
export class TierUpdateInput extends UpdateInput {
  @Field(() => String, { description: 'The tier to change.' })
  name!: string;

  @Field(() => String, { nullable: true, description: 'The name that people read.' })
  displayName?: string;

  @Field(() => PriceInput, { nullable: true, description: 'Per month; null: none is published.' })
  monthlyPrice?: PriceInput | null;

  @Field(() => Int, { nullable: true, description: `${CAPACITY} Callers keep what they have spent.` })
  capacity?: number;

  @Field(() => Int, { nullable: true, description: REFILL_AMOUNT })
  refillAmount?: number;

  @Field(() => SafeIntScalar, { nullable: true, description: REFILL_PERIOD_MS })
  refillPeriodMs?: number;

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
    description:
      'True makes this the default tier in place of the present one. The default tier cannot be set to false.',
  })
  isDefault?: boolean;
}

@InputType('TierRetireInput', { description: 'Which tier to take out of use.' })
export class TierRetireInput extends UpdateInput {
  @Field(() => String, { description: 'The tier: not the default one, and no rule, user or tenant may name it.' })
  name!: string;
}

@ObjectType('TierPayload', { description: 'What became of a change to a tier.' })
export class TierPayload extends Payload {
  @Field(() => TierType, {
    nullable: true,
    description: 'As it is now, or would be; with user errors: as it is.',
  })
  tier!: TierType | null;
}
