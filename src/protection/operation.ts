import type { DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { BoundPlan, CostPlan, FieldSums, ResponseError } from '../cost/cost-plan.js';
import type { RegisteredDocument } from '../documents/registered-documents.js';
import type { Decision } from '../limiter/charge/decision.js';
import type { AskedBy } from '../model/asked-by.js';
import type { DecisionRecord } from '../model/decision-record.js';
import type { LimitState } from '../model/limit-parameters.js';
import type { AnswerDetail, OperationType, Tier } from '../model/rule.js';
import type { Subject } from '../model/subject.js';
import type { LimitedConnection } from '../rules/matching/limited-connection.js';
import type { AnswerParts } from './answer/cost-extension.js';
import type { Purchase } from './batch-place.js';
import type { BoundCharges } from './charge-binder.js';
import type { ExecutedResponse } from './read-response.js';
import type { FieldResolver } from './slots/watch-resolvers.js';

export type { TypedExecution } from '../cost/actual/typed-execution.js';

/** An operation as a server passes it: parsed, and before any execution. */
export interface OperationRequest {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  operationName: string | null | undefined;
  variables: { readonly [name: string]: unknown } | undefined;
  /**
   * Hash of the document's text, for plans that are cached by text.
   * @default plans are cached by document object
   */
  documentHash?: string | undefined;
  /**
   * Registered document of the request, if the request has an id. A request with a text is looked up
   * by `documentHash`.
   */
  registered?: RegisteredDocument | undefined;
  /** Returns a header of the HTTP request, by its name in lower case. */
  header(name: string): string | undefined;
}

/**
 * An operation with its state. It passes four stages: it is received, priced, decided and answered.
 * Each stage adds its results. The inherited `Purchase` contains the amounts to charge. In a batch,
 * these are the sums over all operations of the batch.
 */
export interface Operation extends Purchase {
  /** Stage "received". Start time by `performance.now()`. */
  readonly startedMs: number;
  readonly subject: Subject;
  readonly operationType: OperationType;
  readonly operationName: string | undefined;
  readonly client: string | undefined;
  /** Set if another server executes the operation. */
  readonly askedBy: AskedBy | undefined;
  /** WebSocket of the operation. Undefined for other transports. */
  readonly connection: LimitedConnection | undefined;
  /** Undefined if the document is not registered. */
  readonly registered: RegisteredDocument | undefined;
  /** Whether the client is a program that acts for a user. */
  readonly isAgentClient: boolean;
  /** Whether the caller is an agent, by the kind of its key or by the name of its client. */
  readonly isAgent: boolean;

  /** Stage "priced". */
  tier: Tier;
  readonly costPlan: CostPlan;
  readonly plan: BoundPlan;
  /** Estimated cost in tokens. */
  readonly requestedCost: number;
  /**
   * Limits and charges of this operation alone, even if it is part of a batch. They are replaced if
   * rules change while the operation waits for a slot.
   */
  bound: BoundCharges;
  /** Level of detail about cost and limits in its response. */
  readonly detail: AnswerDetail;
  /** Whether the response reports the estimated cost of each field. */
  readonly reportFields: boolean;
  /** Whether the operation is priced and charged the minimum cost, but not run. */
  readonly validateOnly: boolean;
  /** Document to execute if the operation's `rateLimit` field requests a dry run. */
  readonly dryRun: DocumentNode | undefined;

  /**
   * Stage "decided". Undefined if the operation was rejected by a ceiling or by its number of
   * limits; then only the fee was charged.
   */
  decision: Decision | undefined;
  /** States of the limits after the decision, in the order of `limits`. */
  states: readonly LimitState[];
  /** The record of the decision that observers received. Undefined before the decision. */
  record: DecisionRecord | undefined;
  /** Parts of the response about the fee, if the operation can never be admitted. */
  fee: AnswerParts | undefined;

  /** Stage "answered". Whether execution has begun. */
  executed: boolean;
  /** Undefined if the charge stays at the estimate. */
  spent: Spent | undefined;
  /** Part of the actual cost that resolvers have reported, in tokens. */
  reportedCost: number | undefined;
  /** Reported cost that was charged apart from the operation, before or after its settlement. */
  chargedApart: number;
}

/** Actual cost of an operation. */
export interface Spent {
  /** Actual cost in tokens. */
  cost: number;
  /** Actual charge by limit id. A limit that is absent keeps its charge. */
  byLimit: Readonly<Record<string, number>>;
  /**
   * Actual calls and costs by field. Undefined if nothing ran, if no observer needs them, or if
   * Tollgate did not read the response.
   */
  fields: FieldSums | undefined;
  /**
   * Response for further measurements. Undefined if no further measurement is possible or needed.
   */
  response: ExecutedResponse | undefined;
}

/** The execution of an admitted operation, as an adapter describes it. */
export interface Execution {
  /**
   * Schema whose resolvers are watched, which is usually the schema with which the operation was
   * priced.
   */
  schema: GraphQLSchema;
  /** Context value of the execution, if the server creates another one for it. */
  contextValue?: object | undefined;
  /** Resolver of fields that have no own resolver. @default the resolver of graphql-js */
  fieldResolver?: FieldResolver | undefined;
  /** Whether the execution is certain to call the resolvers of this schema. */
  isExecutedBySchema: boolean;
}

/** The result of an execution, before the response is sent. */
export interface OperationOutcome {
  data: unknown;
  /** Errors that the execution returned, before they are rewritten for the client. */
  errors: readonly GraphQLError[] | undefined;
  document: DocumentNode | undefined;
  /** Whether the response is incremental. */
  isIncremental: boolean;
  /**
   * Set if `data` is the merged data of all parts of an incremental response: its nulls and lists
   * whose parts were not received. They count at their estimated cost.
   * @default Tollgate does not receive the later parts
   */
  outstanding?: readonly ResponseError[] | undefined;
  /**
   * Whether the result is unknown. The charge of an executed operation then stays at the estimate.
   * @default false
   */
  isLost?: boolean;
  /**
   * Cost of a response that Tollgate did not read, estimated from its size in bytes. A value below
   * the estimate of the operation is ignored.
   */
  unseenCost?: number | undefined;
  /**
   * Cost in tokens, as another server computed it from a response that Tollgate did not receive.
   * It replaces the estimate, whether it is higher or lower.
   */
  knownCost?: number | undefined;
  /** Tokens that are charged in addition to the cost of the response. @default 0 */
  addedCost?: number | undefined;
  /**
   * Calls `done` when the complete response is sent, or when the client no longer reads it. May
   * call it twice.
   */
  whenAnswered(done: () => void): void;
}

/** The outcome of an operation whose result is unknown. */
export const LOST: OperationOutcome = {
  data: undefined,
  errors: undefined,
  document: undefined,
  isIncremental: false,
  isLost: true,
  whenAnswered: (done) => done(),
};
