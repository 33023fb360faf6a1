import type { DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { FieldResolver } from './slots/watch-resolvers.js';

export type { TypedExecution } from '../cost/actual/typed-execution.js';

/** An operation as a server hands it over: parsed, validated, and with nothing of it run. */
export interface OperationRequest {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  operationName: string | null;
  variables: { readonly [name: string]: unknown } | undefined;
  /** Names the text of the document, for plans that are kept by text. @default they are kept by document */
  documentHash?: string | undefined;
  /** Of the HTTP request, by name in lower case. */
  header(name: string): string | undefined;
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

/** What came of the execution, before the answer is sent. */
export interface OperationOutcome {
  data: unknown;
  /** As execution made them, not as they are sent. */
  errors: readonly GraphQLError[] | undefined;
  document: DocumentNode | undefined;
  /** The answer comes in parts, which are not seen. */
  isIncremental: boolean;
  /** The result is unknown: the estimate stands of what was executed. @default false */
  isLost?: boolean;
  /** The cost of an answer that was not seen, worked out otherwise; what is below the estimate does not count. */
  unseenCost?: number | undefined;
  /** Calls back when all of the answer is out, or nobody asks for more; perhaps twice. */
  whenAnswered(done: () => void): void;
}
