import { Field, InputType, ObjectType, registerEnumType } from 'type-graphql';
import type { Precision } from '../../model/limit-parameters.js';
import type { Amount, Measure } from '../../model/rule.js';
import type { Scope, Subject } from '../../model/subject.js';
import type { UserError } from '../../rules/store/outcome.js';
import { UserErrorType } from '../schema/change-input.js';
import { Measures, Modes, Precisions, Scopes } from '../schema/enums.js';
import { DateTimeScalar, JsonScalar, SafeIntScalar } from '../schema/json-scalar.js';
import { SubjectInput } from './quota-type.js';

/** An operation as a client would send it, and its caller. */
interface PreviewRequest {
  query: string;
  variables: Record<string, unknown>;
  operationName: string | undefined;
  /** Name of the client; undefined for none. */
  client?: string | undefined;
  as: Subject;
  /** Time whose rules decide. @default now */
  at?: Date | undefined;
}

/** One limit that the operation would be charged to. */
interface PreviewedLimit {
  /** Name of the rule, `tier:NAME`, `tier:NAME:budget` or `key:budget`. */
  rule: string;
  scope: Scope;
  field: string;
  measure: Measure;
  mode: 'ENFORCE' | 'SHADOW';
  /** Whether instances may lease tokens. If so, leases of other instances count as used. */
  precision: Precision;
  /** Amount that the operation would be charged here. */
  cost: number;
  limit: number;
  wholeLimit: number;
  region: string | null;
  /** Amount left before the operation. */
  remaining: number;
  wouldDeny: boolean;
  /** Time until the operation would pass, in milliseconds. 0 if it would pass now, or never. */
  retryAfterMs: number;
  /** Milliseconds since 1970. */
  resetAtMs: number;
}

type PreviewVerdict = 'ADMITTED' | 'DELAYED' | 'WAITING' | 'THROTTLED' | 'MAX_COST_EXCEEDED' | 'UNAVAILABLE';

/** A ceiling of the tier, and the amount that the operation requests. */
interface PreviewedCeiling {
  amount: Amount;
  requested: number;
  maximum: number;
}

/** The decision on an operation now, without charging it. */
interface ChargePreview {
  verdict: PreviewVerdict;
  requestedCost: number;
  tier: string;
  /** Ceilings of the tier for one operation. */
  ceilings: readonly PreviewedCeiling[];
  maxCostPerOperation: number | null;
  /** Name of the pool whose Redis would decide. */
  pool: string;
  deniedBy: string | null;
  retryAfterMs: number | null;
  limits: PreviewedLimit[];
}

/**
 * Previews the decision on an operation.
 * @throws GraphQLError that a client would get: for a document that does not fit the schema, or for
 * wrong variables
 */
export type PreviewOf = (request: PreviewRequest) => Promise<ChargePreview>;

/** One field of an operation, with its maximum number of calls. */
interface ExplainedField {
  coordinate: string;
  calls: number;
  cost: number;
}

/** The cost of an operation and its parts. */
interface CostExplanation {
  cost: number;
  typeCost: number;
  fieldCost: number;
  nodes: number;
  fields: readonly ExplainedField[];
  /**
   * Tree of paths with their weights, and their multipliers with the source of each. Null if the
   * engine provides none.
   */
  tree: unknown;
}

export type ExplainOf = (request: Omit<PreviewRequest, 'as' | 'client'>) => CostExplanation;

const Verdicts = {
  ADMITTED: 'ADMITTED',
  DELAYED: 'DELAYED',
  WAITING: 'WAITING',
  THROTTLED: 'THROTTLED',
  MAX_COST_EXCEEDED: 'MAX_COST_EXCEEDED',
  UNAVAILABLE: 'UNAVAILABLE',
} as const satisfies { [Verdict in PreviewVerdict]: Verdict };

registerEnumType(Verdicts, {
  name: 'PreviewVerdict',
  description: 'Decision on the operation at this moment.',
  valuesConfig: {
    ADMITTED: { description: 'The operation would run.' },
    DELAYED: { description: 'The operation would run after a delay, because a rule throttles it.' },
    WAITING: {
      description:
        'The operation would wait for a slot of a concurrency limit, and be denied if none is free within `maxWaitMs`.',
    },
    THROTTLED: { description: 'The operation would be denied now and could pass later.' },
    MAX_COST_EXCEEDED: {
      description:
        'The operation would always be denied: it costs more than the capacity of a limit, or more than the tier allows.',
    },
    UNAVAILABLE: {
      description: 'The operation would be denied: Redis does not answer, and a rule has `onUnavailable: CLOSED`.',
    },
  },
});

@ObjectType('PreviewedLimit', { description: 'One limit that the operation would be charged to.' })
class PreviewedLimitType {
  @Field(() => String, {
    description:
      'Name of the rule. `tier:NAME`: bucket of the tier. `tier:NAME:budget`: its budget. `key:budget`: budget of the key.',
  })
  rule!: string;

  @Field(() => Scopes, { description: 'Callers that share the counter of the limit.' })
  scope!: Scope;

  @Field(() => String, { description: 'Pattern of the counted fields: `Query.search`, `Query.*`, `*`.' })
  field!: string;

  @Field(() => Measures, { description: 'Unit that is counted.' })
  measure!: Measure;

  @Field(() => Modes, { description: '`ENFORCE`, or `SHADOW` if denials are only reported.' })
  mode!: 'ENFORCE' | 'SHADOW';

  @Field(() => Precisions, {
    description: 'Whether instances may lease tokens. If so, leases of other instances count as used.',
  })
  precision!: Precision;

  @Field(() => SafeIntScalar, { description: 'Amount that this limit would charge for the operation.' })
  cost!: number;

  @Field(() => SafeIntScalar, { description: 'Amount available when nothing is used.' })
  limit!: number;

  @Field(() => SafeIntScalar, { description: 'Limit of all regions, as in `LimitQuota`.' })
  wholeLimit!: number;

  @Field(() => String, { nullable: true, description: 'Region of the part, as in `LimitQuota`.' })
  region!: string | null;

  @Field(() => SafeIntScalar, { description: 'Amount left before the operation.' })
  remaining!: number;

  @Field(() => Boolean, {
    description: 'Whether the amount left is too small. A limit in `SHADOW` reports this and does not deny.',
  })
  wouldDeny!: boolean;

  @Field(() => SafeIntScalar, {
    description: 'Milliseconds until the operation would pass this limit; 0 if it passes now, or never.',
  })
  retryAfterMs!: number;

  @Field(() => DateTimeScalar, {
    description: 'Time at which the limit is full again if nothing more is spent.',
  })
  resetAt!: Date;
}

@ObjectType('PreviewedCeiling', {
  description: 'One ceiling of a tier for a single operation, independent of the bucket.',
})
class PreviewedCeilingType {
  @Field(() => Measures, { description: 'Unit of the ceiling: `COST`, `NODES`, `TYPE_COST` or `FIELD_COST`.' })
  amount!: Amount;

  @Field(() => SafeIntScalar, { description: 'Amount of the operation, estimated before it runs.' })
  requested!: number;

  @Field(() => SafeIntScalar, { description: 'The ceiling. An operation that requests more is denied.' })
  maximum!: number;
}

@ObjectType('ChargePreview', { description: 'The decision on an operation at this moment. A preview charges nothing.' })
class ChargePreviewType {
  @Field(() => Verdicts, { description: 'The decision of all limits together.' })
  verdict!: PreviewVerdict;

  @Field(() => SafeIntScalar, { description: 'Estimated cost of the operation, in tokens.' })
  requestedCost!: number;

  @Field(() => String, { description: 'The tier of the caller.' })
  tier!: string;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'Maximum cost of one operation on that tier; null without a maximum.',
  })
  maxCostPerOperation!: number | null;

  @Field(() => [PreviewedCeilingType], { description: 'The ceilings of that tier for one operation.' })
  ceilings!: readonly PreviewedCeilingType[];

  @Field(() => String, { description: 'The pool whose Redis would decide; `default` if no pool matches.' })
  pool!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The rule, or `tier:NAME`, that a denial would name; null if the operation would pass.',
  })
  deniedBy!: string | null;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'Milliseconds until the same operation would pass; only for `THROTTLED`.',
  })
  retryAfterMs!: number | null;

  @Field(() => Boolean, {
    description: 'Whether the caller is disabled. If so, all its operations are denied, independent of the limits.',
  })
  disabled!: boolean;

  @Field(() => [PreviewedLimitType], {
    description: 'All limits that the operation would be charged to, narrowest field first.',
  })
  limits!: PreviewedLimitType[];
}

@ObjectType('FieldCost', { description: 'One field of an operation.' })
class FieldCostType {
  @Field(() => String, { description: 'Coordinate of the selected field: `Type.field`.' })
  coordinate!: string;

  @Field(() => SafeIntScalar, { description: 'Maximum number of calls.' })
  calls!: number;

  @Field(() => SafeIntScalar, {
    description: 'Cost of these calls and of the objects that they return, without nested fields.',
  })
  cost!: number;
}

@ObjectType('CostExplanation', { description: 'The estimated cost of an operation and its parts.' })
class CostExplanationType {
  @Field(() => SafeIntScalar, { description: 'Estimated cost, in tokens: the amount that would be charged.' })
  cost!: number;

  @Field(() => SafeIntScalar, { description: 'The type cost of the IBM cost directives.' })
  typeCost!: number;

  @Field(() => SafeIntScalar, { description: 'The field cost of the IBM cost directives.' })
  fieldCost!: number;

  @Field(() => SafeIntScalar, {
    description: 'Maximum number of objects; with the cost profile `github`: of connection nodes.',
  })
  nodes!: number;

  @Field(() => [FieldCostType], { description: 'The cost of each field of the operation.' })
  fields!: readonly FieldCostType[];

  @Field(() => JsonScalar, {
    nullable: true,
    description:
      'The formula, and for each path: weight, multiplier and its source, calls, and cost with nested fields.',
  })
  tree!: unknown;
}

@ObjectType('CostExplainPayload', {
  description: 'The estimated cost of an operation, or the reasons why it has none.',
})
export class CostExplainPayload {
  @Field(() => CostExplanationType, { nullable: true, description: 'Null with user errors.' })
  explanation!: CostExplanation | null;

  @Field(() => [UserErrorType], { description: 'Errors in the operation; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType('ChargePreviewPayload', {
  description: 'The preview of an operation, or the reasons why there is none.',
})
export class ChargePreviewPayload {
  @Field(() => ChargePreviewType, { nullable: true, description: 'Null with user errors.' })
  preview!: ChargePreviewType | null;

  @Field(() => [UserErrorType], { description: 'Errors in the operation or the caller; empty on success.' })
  userErrors!: UserError[];
}

/** Description of the argument that selects one of several APIs. */
export const SERVICE = 'Name in `services`. Default: the API of this process or the only API.';

@InputType('CostExplainInput', { description: 'An operation of a protected API.' })
export class CostExplainInput {
  @Field(() => String, { description: 'GraphQL document: `{ countries(first: 20) { name } }`.' })
  query!: string;

  @Field(() => JsonScalar, { nullable: true, description: 'Variables of the operation, as a JSON object.' })
  variables?: Record<string, unknown> | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the operation. Required if the document has several.',
  })
  operationName?: string | null;

  @Field(() => String, { nullable: true, description: SERVICE })
  service?: string | null;
}

@InputType('ChargePreviewInput', { description: 'An operation of a protected API, and its caller.' })
export class ChargePreviewInput extends CostExplainInput {
  @Field(() => SubjectInput, { description: 'The caller of the operation.' })
  as!: SubjectInput;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the client, as in the header `apollographql-client-name`. Default: none.',
  })
  client?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Version of the client, as in the header `apollographql-client-version`. It chooses among the versions that have registered the document. Default: none.',
  })
  clientVersion?: string | null;

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      'Time whose rules decide, such as the start of a sale. The counters are those of the present. Default: now.',
  })
  at?: Date | null;
}
