import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
} from 'graphql';
import { type FoundDocument, findDocument } from '../documents/find-document.js';
import type { AskedBy } from '../model/asked-by.js';
import { requestError } from '../model/errors.js';
import { type Answer, answerOf } from '../protection/answer/answer-of.js';
import { noSuchOperation } from '../protection/answer/denial-error.js';
import { type AnyError, httpOfErrors } from '../protection/answer/http-of-errors.js';
import type { Operation, OperationOutcome } from '../protection/operation.js';
import { ProtectedOperation } from '../protection/protected-operation.js';
import { createProtection, type ProtectionOptions } from '../protection/protection.js';
import type { FieldResolver } from '../protection/slots/watch-resolvers.js';
import { isPromise } from '../runtime/is-promise.js';
import type { SizedCache } from '../runtime/sized-cache.js';
import type { StopSignal } from '../runtime/wait-for.js';
import { type AdmittedParts, type AdmittedRequest, admitRequest } from './admitted-request.js';
import { createDocumentReader, type DocumentReader, type KeptDocument } from './document-reader.js';
import { type RequestHeaders, readHeaders } from './request-headers.js';

/** One GraphQL request, in a form that any server can provide. */
export interface ProtectRequest<Context extends object = object> {
  /**
   * Text of the document. Tollgate measures, parses and validates it, and caches the document for
   * further requests with this text.
   */
  query?: string | undefined;
  /**
   * Document that your server has parsed and validated against the schema. Pass it instead of
   * `query`.
   */
  document?: DocumentNode | undefined;
  /**
   * Id of a registered document, instead of `query`: the SHA-256 of its text as `sha256:HEX`, an id of
   * your own, or `APP~VERSION~ID`.
   */
  documentId?: string | undefined;
  /**
   * Extensions of the request. Tollgate reads `persistedQuery.sha256Hash`: the hash of a registered
   * document, or of an automatic persisted query, whose text all instances share through Redis.
   * `clientLibrary.name` names the client for rules with `match.agents`.
   */
  extensions?: unknown;
  operationName?: string | null | undefined;
  variables?: Readonly<Record<string, unknown>> | null | undefined;
  /** Headers of the HTTP request: a `Headers` object, or Node's object. */
  headers?: RequestHeaders | undefined;
  /**
   * Context of the request. Create a new object for each request, and pass it to `execute` too.
   * `identify` receives it. To identify a caller by address, Tollgate reads the address from `req`
   * or `request` of the context.
   * @default a new object
   */
  contextValue?: Context | undefined;
  /**
   * Signal that is aborted when the client disconnects. This ends a delay before execution. An
   * operation that has begun is not refunded.
   */
  signal?: StopSignal | undefined;
  /**
   * Errors with which your server has rejected the request. Pass them instead of `query` and
   * `document`. Tollgate charges the fee of rejected requests. The response contains these errors,
   * or the denial if the caller cannot pay the fee.
   * @default none: your server has not rejected the request
   */
  rejection?: readonly (GraphQLError | GraphQLFormattedError)[] | undefined;
  /**
   * Field resolver that you pass to `execute` for fields without a resolver, if any. Used by `run`.
   * @default that of graphql-js
   */
  fieldResolver?: FieldResolver | undefined;
}

/**
 * A request that must not run. Send `answer` as the response. The request was rejected or denied,
 * or it asked only for its price (`GraphQL-Cost: validate`).
 */
export interface AnsweredRequest {
  readonly admitted: false;
  readonly answer: Answer;
}

export type ProtectedRequest = AdmittedRequest | AnsweredRequest;

/**
 * Prices a request and charges it to every limit that applies or to none, before the operation
 * runs. The promise never rejects.
 */
export type Protect<Context extends object = object> = (request: ProtectRequest<Context>) => Promise<ProtectedRequest>;

interface ProtectOptions<Context> extends ProtectionOptions<Context> {
  schema: GraphQLSchema;
  /** Maximum total size of cached documents, in bytes. */
  documentCacheBytes: number | undefined;
  /** Texts of automatic persisted queries. */
  persistedTexts: SizedCache<string>;
}

/** `Protect`, with access to its cache of parsed documents. */
export interface ReadingProtect<Context extends object> {
  protect: Protect<Context>;
  /**
   * Same as `protect`, for a request whose text is already measured and parsed.
   * @param connection WebSocket of the request. @default none
   */
  protectParsed(
    request: ProtectRequest<Context>,
    parsed: DocumentNode | undefined,
    connection?: Operation['connection'],
  ): Promise<ProtectedRequest>;
  knownDocument: DocumentReader['known'];
  /**
   * Parses, validates and compiles a registered document before its first request. Resolves to
   * undefined if it is invalid on the schema.
   */
  warm: DocumentReader['warm'];
  /** Decides about a request that another server executes: see `DecidedElsewhere`. */
  decide(request: ElsewhereRequest<Context>): Promise<DecidedElsewhere<Context>>;
}

/** A request for a decision about an operation that another server executes. */
interface ElsewhereRequest<Context extends object> extends ProtectRequest<Context> {
  /** Time for which the operation may hold concurrency slots, in milliseconds. */
  withinMs: number;
  /** The server that executes the operation. */
  askedBy: AskedBy;
}

/**
 * A decision about an operation that another server executes. It never waits for a delay: the
 * server that executes the operation has to wait.
 */
interface DecidedElsewhere<Context extends object> {
  readonly operation: ProtectedOperation<Context>;
  /** Response to send. Undefined for an admitted operation, whose charge has to be settled. */
  readonly answer: Answer | undefined;
  /** Text of the document, if the request has its id. */
  readonly text: string | undefined;
}

/** Creates the protection for servers that have no adapter: see `Protect`. */
export function createProtect<Context extends object>(options: ProtectOptions<Context>): ReadingProtect<Context> {
  const { schema, persistedTexts } = options;
  const protection = createProtection({
    ...options,
    forgetDocument: (document) => {
      documents.forget(document);
      options.forgetDocument?.(document);
    },
  });
  const stores = { registered: protection.registered, persistedTexts };
  const documents = createDocumentReader({
    schema,
    check: protection.documents,
    maxBytes: options.documentCacheBytes,
  });

  /**
   * Decides about a request. `prepare` is called before anything else.
   * @param admit returns the result for an admitted one
   */
  async function begin<Admitted>(
    request: ProtectRequest<Context>,
    parsed: DocumentNode | undefined,
    admit: (parts: AdmittedParts<Context>, document: FoundDocument) => Admitted,
    prepare?: (operation: ProtectedOperation<Context>) => void,
  ): Promise<Admitted | AnsweredRequest> {
    const contextValue = request.contextValue ?? ({} as Context);
    const { signal, operationName = null, fieldResolver } = request;
    const variables = request.variables ?? undefined;
    const header = readHeaders(request.headers ?? undefined);
    const operation = new ProtectedOperation(protection, contextValue);
    operation.signal = signal;
    operation.extensions = request.extensions;
    prepare?.(operation);
    /**
     * Document of the request. If the request is denied or rejected, the cache drops it, unless one
     * of its operations was admitted before.
     */
    let kept: KeptDocument | undefined;
    let found: FoundDocument | undefined;

    /** Returns the response to a request that has not run. */
    async function answer(errors: readonly GraphQLError[]): Promise<AnsweredRequest> {
      const answered = operation.isPriced
        ? answerOf({ errors }, operation.finish(NOTHING_CAME))
        : await rejectOperation(operation, header, errors);
      // A registered document stays: otherwise callers without tokens could evict it for all others.
      if (kept && !found?.registered) protection.admittedPlans.forgetUnadmitted(kept.document, kept.hash);
      await operation.settlementSent();
      return { admitted: false, answer: answered };
    }

    if (request.rejection)
      return { admitted: false, answer: await rejectOperation(operation, header, request.rejection) };
    try {
      const finding = findMisfit(request) ?? findDocument(stores, request, header);
      const result = isPromise(finding) ? await finding : finding;
      if (result instanceof GraphQLError) return await answer([result]);
      found = result;
      const asIs = { schema, registered: result.registered, variables, header };
      const read = await documents.read({
        query: result.text ?? request.query,
        registered: asIs.registered,
        document: request.document,
        parsed,
        async foresee(document, hash) {
          kept = { document, hash };
          return operation.foresee({ ...asIs, document, documentHash: hash, operationName });
        },
      });
      if ('errors' in read) return await answer(read.errors);
      kept = read;
      const { document, hash } = read;
      const definition = getOperationAST(document, operationName);
      if (!definition) return await answer([noSuchOperation(operationName)]);
      const name = operationName ?? definition.name?.value ?? null;
      const asked = { ...asIs, document, documentHash: hash, operation: definition, operationName: name };
      const denial = await operation.begin(asked);
      if (denial) return await answer([denial]);
      const { dryRun } = operation;
      if (dryRun) {
        const data = await dryDataOf({ schema, document: dryRun.document, contextValue, variableValues: variables });
        return { admitted: false, answer: answerOf({ data }, operation.finish(NOTHING_CAME)) };
      }
    } catch (error) {
      const shown = error instanceof GraphQLError ? error : internalError();
      if ((httpOfErrors([shown]).status ?? 500) >= 500) protection.onError(error);
      // A caller pays no fee because the store of documents is unavailable.
      if (!found) return { admitted: false, answer: await rejectOperation(operation, header, [shown], true) };
      return answer([shown]);
    }
    if (found.storeAs !== undefined) void persistedTexts.set(found.storeAs, request.query!); // It never rejects.
    const admitted = { protection, operation, contextValue, document: kept.document, schema, fieldResolver, variables };
    return admit({ ...admitted, reject: (errors) => rejectOperation(operation, header, errors) }, found);
  }

  const protectParsed: ReadingProtect<Context>['protectParsed'] = (request, parsed, connection) =>
    begin<ProtectedRequest>(request, parsed, admitRequest, (operation) => Object.assign(operation, { connection }));

  return {
    // The function takes one argument, so that it can be passed to `map`.
    protect: (request) => protectParsed(request, undefined),
    protectParsed,
    knownDocument: documents.known,
    warm: (registered) => warm(registered, documents, options.analyzer),
    async decide({ withinMs, askedBy, ...request }) {
      let decided: ProtectedOperation<Context> | undefined;
      let text: string | undefined;
      const admit = ({ operation }: AdmittedParts<Context>, found: FoundDocument): undefined => {
        operation.execute({ schema, contextValue: undefined, fieldResolver: undefined, isExecutedBySchema: false });
        text = found.registered?.text ?? found.text;
      };
      const answered = await begin(request, undefined, admit, (operation) => {
        operation.elsewhere = { withinMs, askedBy };
        decided = operation;
      });
      return { operation: decided!, answer: answered?.answer, text };
    },
  };
}

/** Caches a registered document and the cost plans of its operations. */
async function warm(
  registered: Parameters<DocumentReader['warm']>[0],
  documents: DocumentReader,
  analyzer: ProtectionOptions<object>['analyzer'],
): Promise<DocumentNode | undefined> {
  const document = await documents.warm(registered);
  if (document === undefined) return undefined;
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    try {
      analyzer.compile(document, definition.name?.value ?? null, registered.hash);
    } catch {
      // The operation has no price, so each of its requests gets this error.
    }
  }
  return document;
}

/** Executes the part of a document that an operation which asks for its price only may run. */
async function dryDataOf({
  document,
  ...args
}: Omit<ExecutionArgs, 'document'> & { document: DocumentNode | undefined }): Promise<NonNullable<
  ExecutionResult['data']
> | null> {
  if (document === undefined) return null;
  return (await execute({ ...args, document })).data ?? null;
}

/**
 * Charges the fee, unless the rejection is free. Returns a response with these errors, or with the
 * denial if the caller cannot pay the fee.
 */
async function rejectOperation<Context extends object>(
  operation: ProtectedOperation<Context>,
  header: (name: string) => string | undefined,
  errors: readonly AnyError[],
  isFree = false,
): Promise<Answer> {
  const fee = await operation.reject(header, isFree);
  const answer = answerOf({ errors: fee?.denial ? [fee.denial] : errors }, fee?.parts);
  if (fee) answer.feePaid = fee.denial === undefined;
  return answer;
}

const NOTHING_CAME: OperationOutcome = {
  data: undefined,
  errors: undefined,
  document: undefined,
  isIncremental: false,
  whenAnswered: (done) => done(),
};

function internalError(): GraphQLError {
  const extensions = { code: 'INTERNAL_SERVER_ERROR', http: { status: 500 } };
  return new GraphQLError('Internal server error', { extensions });
}

/**
 * Returns whether variables are an object or absent. They are unchecked JSON, so they may be any
 * value.
 */
function isVariables(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}

/**
 * Returns the error of a member with a wrong type. The members are unchecked JSON, and the protection
 * uses them in names, keys and messages.
 */
function findMisfit({
  variables,
  operationName = null,
}: Pick<ProtectRequest, 'variables' | 'operationName'>): GraphQLError | undefined {
  if (!isVariables(variables)) return requestError('BAD_REQUEST', 'variables: expected an object');
  if (operationName === null || typeof operationName === 'string') return undefined;
  return requestError('BAD_REQUEST', 'operationName: expected a text');
}
