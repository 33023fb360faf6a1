import type { DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { BoundPlan, CostPlan, FieldSums } from '../cost/cost-plan.js';
import type { Decision } from '../limiter/charge/decision.js';
import type { DecisionRecord } from '../model/decision-record.js';
import type { LimitState } from '../model/limit-parameters.js';
import type { AnswerDetail, OperationType, Tier } from '../model/rule.js';
import type { Subject } from '../model/subject.js';
import type { AnswerParts } from './answer/cost-extension.js';
import type { Purchase } from './batch-place.js';
import type { BoundCharges } from './charge-binder.js';
import type { ExecutedResponse } from './read-response.js';
import type { FieldResolver } from './slots/watch-resolvers.js';

export type { TypedExecution } from '../cost/actual/typed-execution.js';

/** An operation as a server hands it over: parsed, and with nothing of it run. */
export interface OperationRequest {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  operationName: string | null | undefined;
  variables: { readonly [name: string]: unknown } | undefined;
  /** Names the text of the document, for plans that are kept by text. @default they are kept by document */
  documentHash?: string | undefined;
  /** Returns a header of the HTTP request, by its name in lower case. */
  header(name: string): string | undefined;
}

/**
 * An operation passes four stages: it is received, priced, decided and answered. Each stage adds what it finds. As a purchase it is
 * what is charged: the limits and charges of the batch where it belongs to one.
 */
export interface Operation extends Purchase {
  /** Received. By `performance.now()`. */
  readonly startedMs: number;
  readonly subject: Subject;
  readonly operationType: OperationType;
  readonly operationName: string | undefined;
  readonly client: string | undefined;

  /** Priced. */
  readonly tier: Tier;
  readonly costPlan: CostPlan;
  readonly plan: BoundPlan;
  /** Estimated cost in tokens. */
  readonly requestedCost: number;
  /** Its own limits and charges, also in a batch. */
  readonly bound: BoundCharges;
  /** How much of cost and limits its answer says. */
  readonly detail: AnswerDetail;
  readonly reportFields: boolean;
  /** Whether it is only priced, charged the minimum, and not run. */
  readonly validateOnly: boolean;
  /** What runs of an operation that asks its `rateLimit` field for a dry run. */
  readonly dryRun: DocumentNode | undefined;

  /** Decided. Undefined where a ceiling denied it: then nothing was charged. */
  decision: Decision | undefined;
  /** The limits after the decision, in their order. */
  states: readonly LimitState[];
  record: DecisionRecord | undefined;
  /** What the answer says of the fee, where the operation can never pass. */
  fee: AnswerParts | undefined;

  /** Answered. Whether its execution has begun. */
  executed: boolean;
  /** Undefined where the estimate stands. */
  spent: Spent | undefined;
}

/** What an operation cost. */
export interface Spent {
  /** Actual cost in tokens. */
  cost: number;
  byLimit: Readonly<Record<string, number>>;
  /** Undefined when nothing ran, and where no observer asks for it. */
  fields: FieldSums | undefined;
  /** Undefined where it is not to be counted again. */
  response: ExecutedResponse | undefined;
}

/** The execution of an admitted operation, as an adapter knows it. */
export interface Execution {
  /** The schema that prices are of, or the one that executes. */
  schema: GraphQLSchema;
  /** Context value of the execution, where a server makes another one for it. */
  contextValue?: object | undefined;
  /** Resolves the fields without a resolver. @default that of graphql-js */
  fieldResolver?: FieldResolver | undefined;
  /** Whether the execution certainly calls the resolvers of this schema. */
  isExecutedBySchema: boolean;
}

/** The result of an execution, before the answer is sent. */
export interface OperationOutcome {
  data: unknown;
  /** As execution made them, not as they are sent. */
  errors: readonly GraphQLError[] | undefined;
  document: DocumentNode | undefined;
  /** Whether the answer comes in parts, which are not seen. */
  isIncremental: boolean;
  /** Whether the result is unknown: the estimate stands of what was executed. @default false */
  isLost?: boolean;
  /** The cost of an answer that was not seen, worked out otherwise; what is below the estimate does not count. */
  unseenCost?: number | undefined;
  /** Calls back when all of the answer is out, or nobody asks for more; perhaps twice. */
  whenAnswered(done: () => void): void;
}
