import { Field, InputType, Int, ObjectType } from 'type-graphql';
import type { OperationType, Rule } from '../../model/rule.js';
import { Actions, OperationTypes } from '../schema/enums.js';

@ObjectType('RuleMatch', {
  description: 'Conditions on the operations and callers that a rule applies to. An empty list matches all.',
})
export class RuleMatchType {
  @Field(() => [String], { description: 'Names of tiers.' })
  tiers!: readonly string[];

  @Field(() => [OperationTypes], { description: 'Types of operations.' })
  operationTypes!: readonly OperationType[];

  @Field(() => [String], { description: 'Names of operations, from their documents.' })
  operationNames!: readonly string[];

  @Field(() => [String], { description: 'Names of clients, from the header `apollographql-client-name`.' })
  clients!: readonly string[];

  @Field(() => [String], { description: 'Addresses and CIDR blocks.' })
  addresses!: readonly string[];
}

@InputType('RuleMatchInput', {
  description: 'Conditions on the operations and callers that a rule applies to. An omitted list matches all.',
})
export class RuleMatchInput {
  @Field(() => [String], { nullable: true, description: 'Names of tiers: `["free"]`.' })
  tiers?: string[];

  @Field(() => [OperationTypes], { nullable: true, description: 'Types of operations: `[MUTATION]`.' })
  operationTypes?: OperationType[];

  @Field(() => [String], {
    nullable: true,
    description: 'Names of operations. Clients choose these names, so they give no protection.',
  })
  operationNames?: string[];

  @Field(() => [String], {
    nullable: true,
    description: 'Names of clients. Clients choose these names, so they give no protection.',
  })
  clients?: string[];

  @Field(() => [String], {
    nullable: true,
    description: 'Addresses and CIDR blocks: `["10.0.0.0/8", "2001:db8::/32", "192.0.2.7"]`.',
  })
  addresses?: string[];
}

@ObjectType('RuleAction', { description: 'Action of a rule on operations that exceed its limits.' })
export class RuleActionType {
  @Field(() => Actions, { description: 'Action on operations that exceed the limits.' })
  type!: Rule['action']['type'];

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum delay of an operation in milliseconds; only for THROTTLE.',
  })
  maxDelayMs?: number;
}

@InputType('RuleActionInput', {
  description: 'Action of a rule: `{type: REJECT}`, `{type: THROTTLE, maxDelayMs: 2000}`.',
})
export class RuleActionInput {
  @Field(() => Actions, { description: 'Action on operations that exceed the limits.' })
  type!: Rule['action']['type'];

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum delay of an operation in milliseconds, 1 to 60000; only for THROTTLE.',
  })
  maxDelayMs?: number;
}

@ObjectType('RuleResponse', { description: 'Content of the denials by a rule, instead of the default content.' })
export class RuleResponseType {
  @Field(() => String, { nullable: true, description: 'Value of `extensions.code`.' })
  code?: string;

  @Field(() => String, { nullable: true, description: 'Value of `errors.message`.' })
  message?: string;

  @Field(() => Int, { nullable: true, description: 'The HTTP status.' })
  status?: number;
}

@InputType('RuleResponseInput', { description: 'Content of the denials by a rule, instead of the default content.' })
export class RuleResponseInput {
  @Field(() => String, { nullable: true, description: 'Value of `extensions.code`, in capitals: `SEARCH_LIMITED`.' })
  code?: string;

  @Field(() => String, { nullable: true, description: 'Value of `errors.message`, up to 500 characters.' })
  message?: string;

  @Field(() => Int, { nullable: true, description: 'The HTTP status, 200 to 599.' })
  status?: number;
}
