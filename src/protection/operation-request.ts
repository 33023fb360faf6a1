import type { DocumentNode, GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { TypedExecution } from '../cost/actual/typed-execution.js';
import type { RunningResolvers } from './leases/running-resolvers.js';

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

/** What has to be done while an admitted operation is executed. */
export interface ExecutionWatch {
  /** To be executed instead of the document, so that the types of objects are known. */
  readonly typed: TypedExecution | undefined;
  /** To be told of every resolver that begins and ends. */
  readonly running: RunningResolvers | undefined;
}

/** What came of the execution, before the answer is sent. */
export interface OperationOutcome {
  data: unknown;
  /** As execution made them, not as they are sent. */
  errors: readonly GraphQLError[] | undefined;
  document: DocumentNode | undefined;
  /** The answer comes in parts, which are not seen. */
  isIncremental: boolean;
  /** The cost of an answer that was not seen, worked out otherwise; what is below the estimate does not count. */
  unseenCost?: number | undefined;
  /** Calls back when all of the answer is out, or nobody asks for more; perhaps twice. */
  whenAnswered(done: () => void): void;
}
