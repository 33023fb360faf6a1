import { Field, InputType, Int } from 'type-graphql';
import { MAX_COST } from '../../model/limit-parameters.js';
import { SafeIntScalar } from '../schema/json-scalar.js';

@InputType('BucketInput', { description: 'A token bucket.' })
export class BucketInput {
  @Field(() => Int, { description: `Capacity in tokens, 1 to ${MAX_COST}.` })
  capacity!: number;

  @Field(() => Int, { description: 'Whole tokens that are refilled evenly in each period.' })
  refillAmount!: number;

  @Field(() => SafeIntScalar, { description: 'Period of the refill in milliseconds.' })
  refillPeriodMs!: number;
}
