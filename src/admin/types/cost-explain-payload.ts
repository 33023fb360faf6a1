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
  as: Subject;
}

/** One limit that the operation would be charged to. */
interface PreviewedLimit {
  /** Name of the rule, or `tier:NAME`. */
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
  /** Amount left before the operation. */
  remaining: number;
  wouldDeny: boolean;
  /** Time until the operation would pass, in milliseconds. 0: it would pass now, or never. */
  retryAfterMs: number;
  /** Milliseconds since 1970. */
  resetAtMs: number;
}

type PreviewVerdict = 'ADMITTED' | 'DELAYED' | 'THROTTLED' | 'MAX_COST_EXCEEDED' | 'UNAVAILABLE';

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

export type ExplainOf = (request: Omit<PreviewRequest, 'as'>) => CostExplanation;

const Verdicts = {
  ADMITTED: 'ADMITTED',
  DELAYED: 'DELAYED',
  THROTTLED: 'THROTTLED',
  MAX_COST_EXCEEDED: 'MAX_COST_EXCEEDED',
  UNAVAILABLE: 'UNAVAILABLE',
} as const satisfies { [Verdict in PreviewVerdict]: Verdict };

registerEnumType(Verdicts, {
  name: 'PreviewVerdict',
  description: 'What would become of the operation now.',
  valuesConfig: {
    ADMITTED: { description: 'It would run.' },
    DELAYED: { description: 'It would run after a wait: a rule throttles it.' },
    THROTTLED: { description: 'It would be denied for now.' },
    MAX_COST_EXCEEDED: {
      description: 'It would always be denied: it costs more than a limit holds, or than the tier allows.',
    },
    UNAVAILABLE: {
      description:
        'It would be denied: Redis does not answer, and a rule says that this denies (`onUnavailable: CLOSED`).',
    },
  },
});

@ObjectType('PreviewedLimit', { description: 'One limit that would have to have room for the operation.' })
class PreviewedLimitType {
  @Field(() => String, { description: 'The rule it comes from, or `tier:NAME` for the bucket of the tier.' })
  rule!: string;

  @Field(() => Scopes, { description: 'Who shares its counter.' })
  scope!: Scope;

  @Field(() => String, { description: 'What is counted: `Query.search`, `Query.*`, `*`.' })
  field!: string;

  @Field(() => Measures, { description: 'Whether its cost, its calls or the operation itself is counted.' })
  measure!: Measure;

  @Field(() => Modes, { description: '`ENFORCE`, or `SHADOW`: reported only.' })
  mode!: 'ENFORCE' | 'SHADOW';

  @Field(() => Precisions, {
    description: 'Whether instances may take tokens of it ahead: then what others hold counts as used.',
  })
  precision!: Precision;

  @Field(() => SafeIntScalar, { description: 'What the operation would be charged here.' })
  cost!: number;

  @Field(() => SafeIntScalar, { description: 'How much there is when nothing is used.' })
  limit!: number;

  @Field(() => SafeIntScalar, { description: 'How much is left before the operation.' })
  remaining!: number;

  @Field(() => Boolean, { description: 'It lacks room. A shadow denies nobody all the same.' })
  wouldDeny!: boolean;

  @Field(() => SafeIntScalar, { description: 'Milliseconds until it would have room; 0: now, or never.' })
  retryAfterMs!: number;

  @Field(() => DateTimeScalar, { description: 'When all of it is there again, if nothing more is spent.' })
  resetAt!: Date;
}

@ObjectType('PreviewedCeiling', { description: 'What one operation may ask for on a tier, whatever the bucket holds.' })
class PreviewedCeilingType {
  @Field(() => Measures, { description: 'What is counted: `COST`, `NODES`, `TYPE_COST` or `FIELD_COST`.' })
  amount!: Amount;

  @Field(() => SafeIntScalar, { description: 'How much the operation asks for at most.' })
  requested!: number;

  @Field(() => SafeIntScalar, { description: 'More than this is refused.' })
  maximum!: number;
}

@ObjectType('ChargePreview', { description: 'What would become of an operation at this moment. Nothing is charged.' })
class ChargePreviewType {
  @Field(() => Verdicts, { description: 'What would become of the operation in the end.' })
  verdict!: PreviewVerdict;

  @Field(() => SafeIntScalar, { description: 'What the operation costs at most.' })
  requestedCost!: number;

  @Field(() => String, { description: 'The tier that the caller would be on.' })
  tier!: string;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'What one operation may cost on that tier; null: any cost.',
  })
  maxCostPerOperation!: number | null;

  @Field(() => [PreviewedCeilingType], { description: 'The ceilings of that tier for one operation.' })
  ceilings!: readonly PreviewedCeilingType[];

  @Field(() => String, { description: 'The pool whose Redis would decide; `default` where none matches.' })
  pool!: string;

  @Field(() => String, { nullable: true, description: 'The rule, or `tier:NAME`, that a denial would name.' })
  deniedBy!: string | null;

  @Field(() => SafeIntScalar, {
    nullable: true,
    description: 'THROTTLED: milliseconds until the same operation would pass.',
  })
  retryAfterMs!: number | null;

  @Field(() => Boolean, { description: 'The caller is shut out: whatever the limits say, it may do nothing.' })
  disabled!: boolean;

  @Field(() => [PreviewedLimitType], { description: 'Every limit that would decide, narrowest first.' })
  limits!: PreviewedLimitType[];
}

@ObjectType('FieldCost', { description: 'One field of an operation.' })
class FieldCostType {
  @Field(() => String, { description: '`Type.field`, as the operation selects it.' })
  coordinate!: string;

  @Field(() => SafeIntScalar, { description: 'How often it is resolved at most.' })
  calls!: number;

  @Field(() => SafeIntScalar, { description: 'What these calls and their objects cost, without what is below them.' })
  cost!: number;
}

@ObjectType('CostExplanation', { description: 'What an operation costs at most, and why.' })
class CostExplanationType {
  @Field(() => SafeIntScalar, { description: 'In tokens: what would be charged.' })
  cost!: number;

  @Field(() => SafeIntScalar, { description: 'The type cost of the IBM cost directives.' })
  typeCost!: number;

  @Field(() => SafeIntScalar, { description: 'The field cost of the IBM cost directives.' })
  fieldCost!: number;

  @Field(() => SafeIntScalar, {
    description: 'How many objects it can return, whatever they weigh; in profile `github` the nodes of connections.',
  })
  nodes!: number;

  @Field(() => [FieldCostType], { description: 'What each field of the operation costs.' })
  fields!: readonly FieldCostType[];

  @Field(() => JsonScalar, {
    nullable: true,
    description:
      'Path by path: weight, multiplier and where it comes from, calls, cost with children; and the formula.',
  })
  tree!: unknown;
}

@ObjectType('CostExplainPayload', { description: 'What an operation costs, or why it cannot be priced.' })
export class CostExplainPayload {
  @Field(() => CostExplanationType, { nullable: true, description: 'Null with user errors.' })
  explanation!: CostExplanation | null;

  @Field(() => [UserErrorType], { description: 'What is wrong with the operation; empty on success.' })
  userErrors!: UserError[];
}

@ObjectType('ChargePreviewPayload', {
  description: 'What would become of an operation, or why that cannot be said.',
})
export class ChargePreviewPayload {
  @Field(() => ChargePreviewType, { nullable: true, description: 'Null with user errors.' })
  preview!: ChargePreviewType | null;

  @Field(() => [UserErrorType], { description: 'What is wrong with the operation or the caller; empty on success.' })
  userErrors!: UserError[];
}

/** Description of the argument that selects one of several APIs. */
export const SERVICE = 'One of `services`; left out: the API that answers, or the only one.';

@InputType('CostExplainInput', { description: 'An operation of a protected API.' })
export class CostExplainInput {
  @Field(() => String, { description: 'A document of the protected API: `{ countries(first: 20) { name } }`.' })
  query!: string;

  @Field(() => JsonScalar, { nullable: true, description: 'Its variables, as a JSON object.' })
  variables?: Record<string, unknown> | null;

  @Field(() => String, { nullable: true, description: 'Which of its operations, where there are several.' })
  operationName?: string | null;

  @Field(() => String, { nullable: true, description: SERVICE })
  service?: string | null;
}

@InputType('ChargePreviewInput', { description: 'An operation of a protected API, and who would ask for it.' })
export class ChargePreviewInput extends CostExplainInput {
  @Field(() => SubjectInput, { description: 'Who would ask.' })
  as!: SubjectInput;
}
