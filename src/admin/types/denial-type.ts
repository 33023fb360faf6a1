import { Field, Float, ID, ObjectType } from 'type-graphql';
import type { Scope } from '../../model/subject.js';
import type { UsageSubject } from '../../usage/query/read-usage.js';
import type { TimeRange } from '../../usage/query/time-range.js';
import type { EventRow } from '../../usage/record/usage-levels.js';
import { connectionOf } from '../schema/connection.js';
import { DenialCodes, Scopes } from '../schema/enums.js';
import { DateTimeScalar, JsonScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { CallerType } from './caller-type.js';
import { SHARE, UsageOperationGqlType } from './usage-type.js';

@ObjectType('DeniedDocument', {
  description:
    'The document of a denied operation without the values of its caller. Strings are empty, and numbers are 0 unless they set the size of a list.',
})
export class DeniedDocumentType {
  @Field(() => ID, { description: 'The id, which is equal for all denials with the same document.' })
  id!: string;

  @Field(() => String, { description: 'The operation and its fragments, as a GraphQL document.' })
  text!: string;
}

@ObjectType('RegisteredDocumentName', { description: 'Names of a registered document.' })
export class RegisteredDocumentNameType {
  @Field(() => String, { description: 'Name of the app.' })
  app!: string;

  @Field(() => String, { description: 'Name of the version.' })
  version!: string;

  @Field(() => String, { description: 'Id of the document in the app.' })
  documentId!: string;
}

@ObjectType('Denial', {
  description: 'One operation that a rule denied, or would have denied in `SHADOW`, with the numbers at that time.',
})
export class DenialType {
  @Field(() => DateTimeScalar, { description: 'Time of the decision.' })
  at!: Date;

  @Field(() => String, {
    description:
      'Name of the rule, or `tier:NAME`. If several rules denied the operation, the one with the narrowest field.',
  })
  ruleName!: string;

  @Field(() => Boolean, { description: 'Whether the rule was in `SHADOW`, so that the operation ran.' })
  shadow!: boolean;

  @Field(() => DenialCodes, {
    nullable: true,
    description: 'Reason of the denial; null if the rule was in `SHADOW`.',
  })
  code!: EventRow['code'];

  @Field(() => CallerType, { description: 'The caller, with all identities that the request had.' })
  caller!: CallerType;

  @Field(() => String, { description: 'Tier of the caller at that time.' })
  tier!: string;

  @Field(() => UsageOperationGqlType, { description: 'Type and name of the operation.' })
  operation!: UsageOperationGqlType;

  @Field(() => RegisteredDocumentNameType, {
    nullable: true,
    description: 'The registered document of the operation; null if its document was not registered.',
  })
  registeredDocument!: RegisteredDocumentNameType | null;

  /** Hash of the document. */
  documentHash!: string | null;

  @Field(() => JsonScalar, {
    nullable: true,
    description:
      'The variables, with the numbers that set the size of a list. Other numbers are 0, and strings are empty. Null if the variables were not stored.',
  })
  variables!: unknown;

  @Field(() => String, { nullable: true, description: 'Name of the client, from its header.' })
  client!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Integration that asked for the decision, as in `Usage.integration`. Null for an operation that Tollgate itself executes or forwards.',
  })
  integration!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Server that asked for the decision: `service` of its request, or the name of its token. Null if no other server asked.',
  })
  service!: string | null;

  @Field(() => String, { nullable: true, description: 'Region of the server that denied; null without a region.' })
  region!: string | null;

  @Field(() => Boolean, { description: 'Whether the decision was made without the shared counters.' })
  degraded!: boolean;

  @Field(() => SafeIntScalar, { description: 'Estimated cost of the operation, in tokens.' })
  requestedCost!: number;

  @Field(() => Scopes, { nullable: true, description: 'Callers that shared the counter.' })
  scope!: Scope | null;

  @Field(() => String, { nullable: true, description: 'Pattern of the counted fields: `Query.search`, `*`.' })
  field!: string | null;

  @Field(() => SafeIntScalar, { nullable: true, description: 'Amount that the operation requested from the limit.' })
  charge!: number | null;

  @Field(() => SafeIntScalar, { nullable: true, description: 'Amount available in the limit when nothing is used.' })
  limit!: number | null;

  @Field(() => SafeIntScalar, { nullable: true, description: 'Used amount of the limit.' })
  used!: number | null;

  @Field(() => SafeIntScalar, { nullable: true, description: 'Amount that was left in the limit.' })
  remaining!: number | null;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'Milliseconds after which the operation would have passed; null if never.',
  })
  retryAfterMs!: number | null;
}

export const DenialConnectionType = connectionOf('Denial', DenialType, 'denials', { isCounted: true });

@ObjectType('DeniedOperation', { description: 'The stored denials of one operation of one caller by one rule.' })
export class DeniedOperationType {
  @Field(() => UsageOperationGqlType, { description: 'Type and name of the operation.' })
  operation!: UsageOperationGqlType;

  @Field(() => SafeIntScalar, {
    description: 'Number of its denials among the newest 1000 stored denials of the caller by the rule.',
  })
  stored!: number;

  @Field(() => DateTimeScalar, { description: 'Time of its last stored denial.' })
  lastAt!: Date;
}

@ObjectType('Violation', {
  description: 'Number of operations of one caller that one rule denied, or would have denied in `SHADOW`.',
})
export class ViolationType {
  @Field(() => String, { description: 'Name of the rule, or `tier:NAME`.' })
  ruleName!: string;

  @Field(() => CallerType, { description: 'The denied caller.' })
  caller!: CallerType;

  @Field(() => SafeIntScalar, { description: 'Number of denials.' })
  denied!: number;

  @Field(() => SafeIntScalar, { description: 'Number of operations that the rule would have denied in `SHADOW`.' })
  shadowDenied!: number;

  @Field(() => SafeIntScalar, {
    description: 'Sum of the estimated costs of the operations in `denied` and `shadowDenied`, in tokens.',
  })
  deniedCost!: number;

  @Field(() => Float, { description: SHARE })
  share!: number;

  /** Recorded caller and range of the query, by which the stored denials are found. */
  subject!: UsageSubject;
  range!: TimeRange;
}

export const ViolationConnectionType = connectionOf('Violation', ViolationType, 'violations');
