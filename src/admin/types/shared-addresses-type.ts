import { Field, Int, ObjectType } from 'type-graphql';
import type { Measure } from '../../model/rule.js';
import { Measures } from '../schema/enums.js';
import { DateTimeScalar } from '../schema/json-scalar.js';

@ObjectType('AddressExemption', {
  description: 'A rule that exempts an address from the rules per address with one field pattern and measure.',
})
class AddressExemptionType {
  @Field(() => String, { description: 'Suggested name of the rule.' })
  name!: string;

  @Field(() => String, { description: 'Counted fields of the rules that no longer apply to the address.' })
  field!: string;

  @Field(() => Measures, { description: 'Unit of the rules that no longer apply to the address.' })
  measure!: Measure;

  @Field(() => String, { description: 'The rule as a policy in YAML, for `tollgate rules apply`.' })
  yaml!: string;
}

@ObjectType('SharedAddress', { description: 'An address from which several identified users send operations.' })
class SharedAddressType {
  @Field(() => String, { description: 'The address. For IPv6, the network that is counted as one address.' })
  address!: string;

  @Field(() => Int, {
    description: 'Number of users with operations in the last 30 to 60 minutes, in all processes that reported.',
  })
  users!: number;

  @Field(() => Boolean, {
    description: 'Whether `users` is an estimate, with a standard error of 13 %. Numbers below 64 are exact.',
  })
  isEstimate!: boolean;

  @Field(() => [AddressExemptionType], {
    description:
      'Rules that would exempt this address from the enforced rules per address. Empty if no such rule limits it.',
  })
  exemptions!: AddressExemptionType[];
}

@ObjectType('SharedAddresses', { description: 'The addresses with the most users.' })
export class SharedAddressesType {
  @Field(() => DateTimeScalar, { description: 'Time of the query to the processes.' })
  time!: Date;

  @Field(() => Int, { description: 'Number of processes that reported.' })
  processes!: number;

  @Field(() => [SharedAddressType], { description: 'The addresses, those with the most users first.' })
  addresses!: SharedAddressType[];
}
