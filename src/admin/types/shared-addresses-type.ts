import { Field, Int, ObjectType } from 'type-graphql';
import type { Measure } from '../../model/rule.js';
import { Measures } from '../schema/enums.js';
import { DateTimeScalar } from '../schema/json-scalar.js';

@ObjectType('AddressExemption', {
  description: 'A rule that exempts an address from the rules per address of one level.',
})
class AddressExemptionType {
  @Field(() => String, { description: 'Name for the rule.' })
  name!: string;

  @Field(() => String, { description: 'Counted fields of the rules from which it exempts.' })
  field!: string;

  @Field(() => Measures, { description: 'Unit of the rules from which it exempts.' })
  measure!: Measure;

  @Field(() => String, { description: 'The rule as a policy in YAML, for `tollgate rules apply`.' })
  yaml!: string;
}

@ObjectType('SharedAddress', { description: 'An address from which several identified users send operations.' })
class SharedAddressType {
  @Field(() => String, { description: 'The address. For IPv6, the network that is counted as one address.' })
  address!: string;

  @Field(() => Int, {
    description: 'Number of users with operations in the last half hour to hour, over all processes that reported.',
  })
  users!: number;

  @Field(() => Boolean, {
    description: 'Whether `users` is an estimate, with a standard error of 13 %. Numbers below 64 are exact.',
  })
  isEstimate!: boolean;

  @Field(() => [AddressExemptionType], {
    description:
      'The rules to add so that enforced rules per address do not limit this address, one for each level. Empty if none does.',
  })
  exemptions!: AddressExemptionType[];
}

@ObjectType('SharedAddresses', { description: 'The addresses with the most users.' })
export class SharedAddressesType {
  @Field(() => DateTimeScalar, { description: 'Time at which the processes were asked.' })
  time!: Date;

  @Field(() => Int, { description: 'Number of processes that reported.' })
  processes!: number;

  @Field(() => [SharedAddressType], { description: 'The addresses, those with the most users first.' })
  addresses!: SharedAddressType[];
}
