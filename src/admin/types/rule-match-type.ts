import { Field, InputType, Int, ObjectType } from 'type-graphql';
import type { OperationType, Rule } from '../../model/rule.js';
import { Actions, OperationTypes } from '../schema/enums.js';

@ObjectType('RuleMatch', { description: 'Which operations and callers a rule is for. An empty list is for all.' })
export class RuleMatchType {
  @Field(() => [String], { description: 'Names of tiers.' })
  tiers!: readonly string[];

  @Field(() => [OperationTypes], { description: 'Kinds of operations.' })
  operationTypes!: readonly OperationType[];

  @Field(() => [String], { description: 'Names of operations, as their documents give them.' })
  operationNames!: readonly string[];

  @Field(() => [String], { description: 'Names of clients, as their header `apollographql-client-name` gives them.' })
  clients!: readonly string[];

  @Field(() => [String], { description: 'Addresses and CIDR blocks.' })
  addresses!: readonly string[];
}

@InputType('RuleMatchInput', { description: 'Which operations and callers a rule is for; a list left out is for all.' })
export class RuleMatchInput {
  @Field(() => [String], { nullable: true, description: 'Names of tiers: `["free"]`.' })
  tiers?: string[];

  @Field(() => [OperationTypes], { nullable: true, description: 'Kinds of operations: `[MUTATION]`.' })
  operationTypes?: OperationType[];

  @Field(() => [String], {
    nullable: true,
    description: 'Names of operations. Clients choose them: not for protection.',
  })
  operationNames?: string[];

  @Field(() => [String], { nullable: true, description: 'Names of clients. They choose them: not for protection.' })
  clients?: string[];

  @Field(() => [String], { nullable: true, description: '`["10.0.0.0/8", "2001:db8::/32", "192.0.2.7"]`' })
  addresses?: string[];
}

@ObjectType('RuleAction', { description: 'What a rule does.' })
export class RuleActionType {
  @Field(() => Actions, { description: 'What becomes of operations that exceed it.' })
  type!: Rule['action']['type'];

  @Field(() => Int, {
    nullable: true,
    description: 'THROTTLE: how long an operation may have to wait, in milliseconds.',
  })
  maxDelayMs?: number;
}

@InputType('RuleActionInput', {
  description: 'What a rule does: `{type: REJECT}`, `{type: THROTTLE, maxDelayMs: 2000}`.',
})
export class RuleActionInput {
  @Field(() => Actions, { description: 'What becomes of operations that exceed it.' })
  type!: Rule['action']['type'];

  @Field(() => Int, { nullable: true, description: 'THROTTLE only: 1 to 60000.' })
  maxDelayMs?: number;
}

@ObjectType('RuleResponse', { description: 'What a denial by the rule says instead of the usual.' })
export class RuleResponseType {
  @Field(() => String, { nullable: true, description: '`extensions.code`.' })
  code?: string;

  @Field(() => String, { nullable: true, description: 'What `errors.message` says.' })
  message?: string;

  @Field(() => Int, { nullable: true, description: 'The HTTP status.' })
  status?: number;
}

@InputType('RuleResponseInput', { description: 'What a denial by the rule says instead of the usual.' })
export class RuleResponseInput {
  @Field(() => String, { nullable: true, description: '`extensions.code`, in capitals: `SEARCH_LIMITED`.' })
  code?: string;

  @Field(() => String, { nullable: true, description: 'The message, up to 500 characters.' })
  message?: string;

  @Field(() => Int, { nullable: true, description: 'The HTTP status, 200 to 599.' })
  status?: number;
}
