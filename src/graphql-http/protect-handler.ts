import {
  type DocumentNode,
  type ExecutionResult,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  type ValidationRule,
  validate,
} from 'graphql';
import type { AdmittedRequest } from '../any-server/admitted-request.js';
import type { Protect } from '../any-server/protect.js';
import type { RequestHeaders } from '../any-server/request-headers.js';
import { requestError } from '../model/errors.js';
import type { Answer } from '../protection/answer/answer-of.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import { type DocumentParams, type ParamsRequest, readDocumentParams } from './read-document-params.js';

// The required parts of the types of graphql-http. They are copied, so that programs without that
// package compile.

interface HandlerRequest {
  readonly method: string;
  readonly headers: unknown;
  readonly raw: unknown;
  readonly context: unknown;
}

interface HandlerParams {
  operationName?: string | null | undefined;
  query: string;
  variables?: Record<string, unknown> | null | undefined;
  extensions?: Record<string, unknown> | null | undefined;
  documentId?: unknown;
}

type HandlerResponse = readonly [
  body: string | null,
  init: { status: number; statusText: string; headers?: Record<string, string> },
];

interface HandlerArgs {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName: string | undefined;
  variableValues: Record<string, unknown> | undefined;
  contextValue: Record<PropertyKey, unknown>;
}

/**
 * Options of graphql-http's `createHandler` that `protectHandler` reads. Other options are passed
 * on unchanged.
 */
export interface ProtectedHandlerOptions {
  /** Schema that Tollgate protects. */
  schema: GraphQLSchema;
  /**
   * Context of each operation, an object or a function that returns one. Tollgate adds `req` if it
   * is missing, to identify anonymous callers by their address.
   * @default an object with `req`
   */
  context?: unknown;
  /** Validation rules in addition to those of the GraphQL specification. */
  validationRules?: readonly ValidationRule[];
  formatError?: (error: never) => Error;
  parseRequestParams?: unknown;
}

/** Options for graphql-http's `createHandler` with the hooks that price and limit operations. */
type WithHooks<Options> = Omit<Options, 'parseRequestParams' | 'onSubscribe' | 'onOperation'> & {
  parseRequestParams(request: HandlerRequest): Promise<DocumentParams | undefined>;
  onSubscribe(request: HandlerRequest, params: HandlerParams): Promise<HandlerResponse | HandlerArgs>;
  onOperation(request: HandlerRequest, args: object, result: object): Promise<HandlerResponse>;
};

const OWN_HOOKS = ['onSubscribe', 'onOperation', 'execute'] as const;
const ACCEPTS_RESPONSE_JSON = /application\/graphql-response\+json/i;

/**
 * Protects graphql-http: pass the result to its `createHandler`. A request that graphql-http cannot
 * read, such as invalid JSON, is rejected before Tollgate receives it, and costs no fee.
 *
 * @throws TypeError for a schema that is a function, and for `onSubscribe`, `onOperation` and
 * `execute` of your own
 * @example createServer(createHandler(protectHandler(tollgate, { schema }))).listen(4000);
 */
export function protectHandler<Context extends object, Options extends ProtectedHandlerOptions>(
  tollgate: { readonly protect: Protect<Context> },
  options: Options,
): WithHooks<Options> {
  rejectMistakes(tollgate, options);
  const { schema, context, validationRules = [], formatError } = options;
  const admitted = createObjectNotes<object, AdmittedRequest>();
  const usedContexts = createObjectNotes<object, true>();

  /** Returns the errors that graphql-http would have found. For these the caller pays the fee. */
  function findErrors(
    { method }: HandlerRequest,
    document: DocumentNode,
    operationName: HandlerParams['operationName'],
  ): readonly GraphQLError[] {
    const type = getOperationAST(document, operationName)?.operation;
    if (type === 'subscription') return [requestError('BAD_REQUEST', 'Subscriptions are not supported')];
    if (type === 'mutation' && method === 'GET') {
      return [requestError('METHOD_NOT_ALLOWED', 'Cannot perform mutations over GET')];
    }
    return validationRules.length === 0 ? [] : validate(schema, document, validationRules);
  }

  async function onSubscribe(request: HandlerRequest, params: HandlerParams): Promise<HandlerResponse | HandlerArgs> {
    const made: unknown = typeof context === 'function' ? await context(request, params) : context;
    if (Array.isArray(made)) return made as unknown as HandlerResponse;
    // If `context` is an object, it is copied for each request, because the price of a request is
    // stored for its context.
    const contextValue = withRequest(typeof context === 'function' ? made : { ...(made as object) }, request.raw);
    // Tollgate would charge all requests that share a context to the first caller.
    if (usedContexts.get(contextValue)) {
      throw new TypeError('protectHandler: context: expected a new object for each request, got the same one again');
    }
    usedContexts.set(contextValue, true);
    const { query, documentId, extensions, operationName, variables } = params;
    const signal = goneSignalOf(request);
    const protectedRequest = await tollgate.protect({
      query,
      documentId: documentId as string | undefined,
      extensions,
      operationName,
      variables,
      headers: (request.raw as { headers?: RequestHeaders }).headers,
      contextValue: contextValue as object as Context,
      ...(signal && { signal }),
    });
    if (!protectedRequest.admitted) return responseOf(protectedRequest.answer, request);
    const errors = findErrors(request, protectedRequest.document, operationName);
    if (errors.length > 0) return responseOf(await protectedRequest.reject(errors), request);
    const args: HandlerArgs = {
      schema,
      document: protectedRequest.start(),
      operationName: operationName ?? undefined,
      variableValues: variables ?? undefined,
      contextValue,
    };
    admitted.set(args, protectedRequest);
    // If the execution throws, graphql-http never calls `onOperation`, so end the operation when
    // the client disconnects.
    signal?.addEventListener('abort', () => protectedRequest.abandon());
    return args;
  }

  async function onOperation(request: HandlerRequest, args: object, result: object): Promise<HandlerResponse> {
    const executed = result as ExecutionResult;
    const answer = await admitted.get(args)!.finish(executed);
    if (formatError && executed.errors) {
      const format = formatError as (error: GraphQLError) => Error;
      answer.body.errors = executed.errors.map((error) => toJson(format(error)));
    }
    return responseOf(answer, request);
  }

  async function parseRequestParams(request: HandlerRequest): Promise<DocumentParams | undefined> {
    const own = options.parseRequestParams as ((request: HandlerRequest) => Promise<DocumentParams>) | undefined;
    return (await own?.(request)) ?? readDocumentParams(request as HandlerRequest & ParamsRequest);
  }

  return { ...options, parseRequestParams, onSubscribe, onOperation };
}

function toJson(error: Error): GraphQLFormattedError {
  return error instanceof GraphQLError ? error.toJSON() : { message: error.message };
}

function rejectMistakes(tollgate: { readonly protect: unknown }, options: ProtectedHandlerOptions): void {
  if (typeof tollgate?.protect !== 'function') {
    throw new TypeError(
      'protectHandler: expected the object that createTollgate resolves to: await createTollgate first',
    );
  }
  if (typeof options?.schema !== 'object' || options.schema === null) {
    throw new TypeError('protectHandler: schema: expected the schema that Tollgate protects');
  }
  const own = OWN_HOOKS.filter((hook) => (options as object as Partial<Record<string, unknown>>)[hook] !== undefined);
  if (own.length > 0) {
    throw new TypeError(
      `protectHandler: ${own.join(', ')}: expected none; to use your own, call tollgate.protect in onSubscribe`,
    );
  }
}

/** Returns the context as an object with `req`. */
function withRequest(made: unknown, raw: unknown): Record<PropertyKey, unknown> {
  const contextValue = (typeof made === 'object' && made !== null ? made : {}) as Record<PropertyKey, unknown>;
  if (!('req' in contextValue) && !('request' in contextValue)) contextValue['req'] = raw;
  return contextValue;
}

/**
 * Returns a signal that is aborted when the client disconnects. It comes from a `Request` or from
 * Node's response.
 */
function goneSignalOf({ raw, context }: HandlerRequest): AbortSignal | undefined {
  const { signal } = raw as { signal?: unknown };
  if (signal instanceof AbortSignal) return signal;
  const { res } = (context ?? {}) as { res?: { once?(event: string, listener: () => void): void } };
  if (typeof res?.once !== 'function') return undefined;
  const gone = new AbortController();
  res.once('close', () => gone.abort());
  return gone.signal;
}

function responseOf({ status, headers, body }: Answer, request: HandlerRequest): HandlerResponse {
  const accept = (request.raw as { headers?: { accept?: string; get?(name: string): string | null } }).headers;
  const accepted = accept?.get?.('accept') ?? accept?.accept ?? '';
  const type = ACCEPTS_RESPONSE_JSON.test(accepted) ? 'application/graphql-response+json' : 'application/json';
  const all = { 'content-type': `${type}; charset=utf-8`, ...headers };
  return [JSON.stringify(body), { status, statusText: '', headers: all }];
}
