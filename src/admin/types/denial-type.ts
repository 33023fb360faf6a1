import { Field, Float, ID, ObjectType } from 'type-graphql';
import type { Scope } from '../../model/subject.js';
import type { EventRow } from '../../usage/record/usage-levels.js';
import { connectionOf } from '../schema/connection.js';
import { DenialCodes, Scopes } from '../schema/enums.js';
import { DateTimeScalar, JsonScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { CallerType } from './caller-type.js';
import { SHARE, UsageOperationGqlType } from './usage-type.js';

@ObjectType('DeniedDocument', {
  description:
    'What a denied operation asked for, without what its caller wrote into it: texts are empty and numbers 0, unless they size a list.',
})
export class DeniedDocumentType {
  @Field(() => ID, { description: 'Of all denials with the same document.' })
  id!: string;

  @Field(() => String, { description: 'The operation and the fragments that it uses, as a GraphQL document.' })
  text!: string;
}

@ObjectType('Denial', {
  description: 'One operation that a rule denied, or in shadow would have, with the numbers of then.',
})
export class DenialType {
  @Field(() => DateTimeScalar, { description: 'When the operation was decided.' })
  at!: Date;

  @Field(() => String, { description: 'The name of the rule, or `tier:NAME`: of those that refused, the narrowest.' })
  ruleName!: string;

  @Field(() => Boolean, { description: 'The rule was in shadow: the operation ran.' })
  shadow!: boolean;

  @Field(() => DenialCodes, {
    nullable: true,
    description: 'Why it was denied; null: it was not, as the rule was in shadow.',
  })
  code!: EventRow['code'];

  @Field(() => CallerType, { description: 'The one who asked, by all the names that came with the request.' })
  caller!: CallerType;

  @Field(() => String, { description: 'The tier that the caller was on.' })
  tier!: string;

  @Field(() => UsageOperationGqlType, { description: 'What was asked for.' })
  operation!: UsageOperationGqlType;

  /** Hash of the document. */
  documentHash!: string | null;

  @Field(() => JsonScalar, {
    nullable: true,
    description:
      'The variables in the shape in which they came, with the numbers that size a list; others are 0, texts are empty. Null: they were not kept.',
  })
  variables!: unknown;

  @Field(() => String, { nullable: true, description: 'The client, as its header gave it.' })
  client!: string | null;

  @Field(() => Boolean, { description: 'It was decided without the shared counters.' })
  degraded!: boolean;

  @Field(() => SafeIntScalar, { description: 'What the operation asked for in all, in tokens.' })
  requestedCost!: number;

  @Field(() => Scopes, { nullable: true, description: 'Who shared the counter.' })
  scope!: Scope | null;

  @Field(() => String, { nullable: true, description: 'What was counted: `Query.search`, `*`.' })
  field!: string | null;

  @Field(() => SafeIntScalar, { nullable: true, description: 'What the limit was asked for.' })
  charge!: number | null;

  @Field(() => SafeIntScalar, { nullable: true, description: 'What the limit holds when nothing is used.' })
  limit!: number | null;

  @Field(() => SafeIntScalar, { nullable: true, description: 'What was used of the limit.' })
  used!: number | null;

  @Field(() => SafeIntScalar, { nullable: true, description: 'What was left of the limit.' })
  remaining!: number | null;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'Milliseconds until it would have passed; null: never.',
  })
  retryAfterMs!: number | null;
}

export const DenialConnectionType = connectionOf('Denial', DenialType, 'denials', { isCounted: true });

@ObjectType('Violation', { description: 'How often one rule denied one caller, or in shadow would have.' })
export class ViolationType {
  @Field(() => String, { description: 'The name of the rule, or `tier:NAME`.' })
  ruleName!: string;

  @Field(() => CallerType, { description: 'The caller that was denied.' })
  caller!: CallerType;

  @Field(() => SafeIntScalar, { description: 'How often the rule denied the caller.' })
  denied!: number;

  @Field(() => SafeIntScalar, { description: 'How often it would have, in shadow.' })
  shadowDenied!: number;

  @Field(() => SafeIntScalar, { description: 'What those operations would have cost in all.' })
  deniedCost!: number;

  @Field(() => Float, { description: SHARE })
  share!: number;
}

export const ViolationConnectionType = connectionOf('Violation', ViolationType, 'violations');
