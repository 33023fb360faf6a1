import type { DocumentNode, ExecutionResult, GraphQLError, GraphQLSchema, ValidationRule } from 'graphql';
import type { FieldResolver } from '../protection/slots/watch-resolvers.js';
import type { YogaResult } from './yoga-result.js';

/** Arguments of an execution, as hooks of Envelop receive them. */
export interface ExecutionArgs {
  schema?: GraphQLSchema | undefined;
  document: DocumentNode;
  contextValue?: object | undefined;
  operationName?: string | null | undefined;
  variableValues?: Readonly<Record<string, unknown>> | null | undefined;
  fieldResolver?: FieldResolver | null | undefined;
}

/** `validate` of graphql-js. */
export type Validate = (
  schema: GraphQLSchema,
  document: DocumentNode,
  rules?: readonly ValidationRule[],
  ...rest: unknown[]
) => readonly GraphQLError[];

/** Result of an operation, which a hook may replace. */
export interface Done {
  result: YogaResult;
  setResult(result: YogaResult): void;
}

export interface BeforeExecution {
  args: ExecutionArgs;
  setResultAndStopExecution(result: ExecutionResult): void;
}

/** Parameters of a GraphQL request. */
export interface YogaParams {
  query?: string | undefined;
  operationName?: string | null | undefined;
  variables?: Readonly<Record<string, unknown>> | null | undefined;
  extensions?: unknown;
  /** Id of a registered document. Yoga itself does not read it. */
  documentId?: unknown;
  doc_id?: unknown;
}

/**
 * The hooks of GraphQL Yoga that Tollgate uses. Yoga's types are not used, so that a program
 * without Yoga compiles.
 */
export interface YogaPlugin {
  onParams(payload: {
    params: YogaParams;
    request: Request;
    context: object;
    setParams(params: YogaParams): void;
    setResult(result: ExecutionResult): void;
  }): Promise<void>;
  onParse(payload: {
    params: { source: unknown };
    context: object;
    setParsedDocument(document: DocumentNode): void;
  }): ((parsed: { result: unknown }) => void) | undefined;
  onValidate(payload: {
    context: object;
    validateFn: Validate;
    setValidationFn(validate: Validate): void;
  }): ((validated: { valid: boolean }) => void) | undefined;
  onExecute(payload: BeforeExecution): Promise<{ onExecuteDone(done: Done): Promise<void> } | undefined> | undefined;
  onSubscribe(payload: BeforeExecution): Promise<{ onSubscribeResult(done: Done): void } | undefined> | undefined;
  onExecutionResult(payload: {
    result: YogaResult | undefined;
    setResult(result: YogaResult): void;
    context: object;
    request: Request;
  }): Promise<void>;
  /** Called with the result of a request. For a batch, it is the list of all results. */
  onResultProcess(payload: {
    request: Request;
    result: YogaResult | readonly YogaResult[] | undefined;
    setResult(result: YogaResult | readonly YogaResult[]): void;
    /** Object from which the contexts of the operations are created. */
    serverContext?: object | undefined;
  }): Promise<void> | undefined;
  /**
   * Wrappers around all hooks of an operation. They are needed because, if a hook fails, Yoga skips
   * the hooks after it.
   */
  instrumentation: {
    operation: Instrument;
    execute: Instrument;
    subscribe: Instrument;
  };
}

export type Instrument = (
  payload: { context: object },
  wrapped: () => PromiseLike<void> | void,
) => PromiseLike<void> | void;
