import type {
  GraphQLRequestContext,
  GraphQLRequestContextDidEncounterErrors,
  GraphQLRequestContextDidResolveOperation,
  GraphQLRequestContextExecutionDidStart,
  GraphQLRequestContextResponseForOperation,
  GraphQLRequestContextValidationDidStart,
  GraphQLRequestContextWillSendResponse,
  GraphQLRequestExecutionListener,
  GraphQLRequestListener,
  GraphQLResponse,
} from '@apollo/server';
import { type DocumentNode, execute, type GraphQLError, Kind } from 'graphql';
import type { RegisteredDocument } from '../documents/registered-documents.js';
import type { AnswerParts } from '../protection/answer/cost-extension.js';
import { noSubscriptionsError } from '../protection/answer/denial-error.js';
import type { TypedExecution } from '../protection/operation.js';
import { ProtectedOperation } from '../protection/protected-operation.js';
import type { Protection } from '../protection/protection.js';
import { isWatched } from '../protection/slots/watch-resolvers.js';
import { isUnservedSubscription } from './is-unserved-subscription.js';
import { replaceErrors, whenAnswered, writeCost } from './write-cost.js';

type Resolved<Context extends object> = GraphQLRequestContextDidResolveOperation<Context>;
type Executing<Context extends object> = GraphQLRequestContextExecutionDidStart<Context>;
type Sending<Context extends object> = GraphQLRequestContextWillSendResponse<Context>;

/**
 * Passes Apollo Server's events about one request to its operation. It is a class because every
 * request creates one, and Apollo calls several of its methods.
 *
 * Other plugins may fail in any hook, and Apollo then skips the following hooks. Three hooks can
 * therefore settle an operation: at the end of execution, before the response is sent, and after an
 * unexpected error. The first of them that Apollo calls settles it. Apollo reports an unexpected
 * error to every plugin.
 */
export class RequestListener<Context extends object>
  implements GraphQLRequestListener<Context>, GraphQLRequestExecutionListener<Context>
{
  readonly #protection: Protection<Context>;
  readonly #onAnswered: ((contextValue: Context) => void) | undefined;
  readonly #operation: ProtectedOperation<Context>;
  /** Error that prevents the parsing or the validation of the document. */
  #rejection: GraphQLError | undefined;
  readonly #registered: RegisteredDocument | undefined;
  #pending: Promise<void> | undefined;
  #isDenied = false;
  /** Document of the request, while Apollo executes a copy that also selects `__typename`. */
  #typed: { execution: TypedExecution; document: DocumentNode } | undefined;
  #context: GraphQLRequestContext<Context> | undefined;
  #closed: Promise<Closed | undefined> | undefined;

  constructor(
    protection: Protection<Context>,
    contextValue: Context,
    { rejection, registered, extensions, onAnswered }: RequestListenerOptions<Context>,
  ) {
    this.#protection = protection;
    this.#onAnswered = onAnswered;
    this.#operation = new ProtectedOperation(protection, contextValue);
    this.#operation.extensions = extensions;
    this.#rejection = rejection;
    this.#registered = registered;
  }

  /**
   * Decides before validation. Apollo calls this hook only for documents that are not in its
   * document store, because stored documents are already validated. It is the last hook before
   * validation that Apollo awaits: Apollo does not await the hook at the end of parsing.
   */
  async validationDidStart(context: GraphQLRequestContextValidationDidStart<Context>): Promise<void> {
    const { schema, document, queryHash, request } = context;
    const { operationName, variables } = request;
    // These checks run first, because validation would be the most expensive part of a rejection.
    this.#rejection = this.#protection.documents.ofParsed(schema, document);
    this.#rejection ??= await this.#operation.foresee({
      schema,
      document,
      documentHash: queryHash,
      registered: this.#registered,
      operationName,
      variables,
      header: headerOf(context),
    });
    if (!this.#rejection) return;
    if (!this.#registered) this.#protection.admittedPlans.forgetUnadmitted(document, queryHash);
    // Apollo has no hook that can reject a document before validation. This placeholder always
    // fails validation, quickly, and Apollo does not store invalid documents.
    Object.assign(context, { document: NOTHING_VALID });
  }

  /**
   * Replaces the validation errors of the placeholder document with the actual rejection, before
   * Apollo formats them.
   */
  async didEncounterErrors({ errors }: GraphQLRequestContextDidEncounterErrors<Context>): Promise<void> {
    if (this.#rejection) (errors as GraphQLError[]).splice(0, errors.length, this.#rejection);
  }

  didResolveOperation(context: Resolved<Context>): Promise<void> {
    // There is no operation if the operationName is unknown. Apollo responds with status 400, and
    // the fee is charged later.
    if (!context.operation) return NOTHING_TO_DO as Promise<void>;
    const { schema, document, operation, operationName, queryHash, request } = context;
    if (isUnservedSubscription(context)) return Promise.reject(noSubscriptionsError());
    const begun = this.#operation.begin({
      schema,
      document,
      operation,
      operationName,
      variables: request.variables,
      documentHash: queryHash,
      registered: this.#registered,
      header: headerOf(context),
    });
    this.#pending = begun.then((denial) => {
      // Clear `#pending`, so that sending the response does not wait for a finished promise.
      this.#pending = undefined;
      this.#isDenied = denial !== undefined;
      if (denial) throw denial;
    });
    return this.#pending;
  }

  responseForOperation(context: GraphQLRequestContextResponseForOperation<Context>): Promise<GraphQLResponse | null> {
    const { dryRun } = this.#operation;
    return dryRun ? this.#answerDryRun(context, dryRun) : NO_RESPONSE;
  }

  async #answerDryRun(
    { response, request, schema, contextValue }: GraphQLRequestContextResponseForOperation<Context>,
    { document }: { document: DocumentNode | undefined },
  ): Promise<GraphQLResponse> {
    const result = document && (await execute({ schema, document, contextValue, variableValues: request.variables }));
    return { http: response.http, body: { kind: 'single', singleResult: { data: result?.data ?? null } } };
  }

  executionDidStart(context: Executing<Context>): Promise<GraphQLRequestExecutionListener<Context>> {
    this.#context = context as GraphQLRequestContext<Context>;
    const { schema, document } = context;
    if (this.#operation.hasEnded) {
      // The client has disconnected, and the charge was refunded. If an error were thrown here,
      // Apollo would log it as unexpected.
      Object.assign(context, { document: NOTHING_TO_RUN });
      return Promise.resolve(this);
    }
    const execution = this.#operation.execute({ schema, isExecutedBySchema: true });
    if (execution) {
      this.#typed = { execution, document };
      Object.assign(context, { document: execution.document });
    }
    // Apollo sets the field resolver in the context only if a plugin has a `willResolveField`.
    if (isWatched(schema))
      return Promise.resolve({ willResolveField, executionDidEnd: (e) => this.executionDidEnd(e) });
    return Promise.resolve(this);
  }

  /**
   * Settles the operation at the end of execution. Other plugins that run later can then neither
   * delay the release of its slots nor affect its cost by changing the response. The type names are
   * removed here too, so that a plugin that caches responses does not cache them.
   */
  async executionDidEnd(error?: Error): Promise<void> {
    this.#endExecution(this.#context!, error);
  }

  #endExecution(context: GraphQLRequestContext<Context>, error?: Error): void {
    if (!this.#operation.isPriced || this.#operation.hasEnded) return;
    const { response, errors } = context;
    if (error && errors) {
      // A plugin failed when Apollo passed it the errors of the result, and the result is lost.
      this.#operation.abandon();
      return;
    }
    const { body } = response;
    if (this.#typed) {
      const { execution, document } = this.#typed;
      Object.assign(context, { document });
      if (body) execution.take(body.kind === 'single' ? body.singleResult.data : body.initialResult.data);
    }
    this.#operation.finish({
      data: body?.kind === 'single' ? body.singleResult.data : undefined,
      errors: errors ?? (error && [error as GraphQLError]),
      document: context.document,
      isIncremental: body?.kind === 'incremental',
      whenAnswered: (done) => {
        if (body?.kind !== 'incremental') done();
        else whenAnswered(body, this.#protection.abortSignal(context.contextValue), done);
      },
    });
  }

  async willSendResponse(context: Sending<Context>): Promise<void> {
    const closed = await this.#close(context);
    if (closed?.denial) replaceErrors(context, closed.denial);
    if (closed) {
      writeCost(context, closed.parts);
      this.#onAnswered?.(context.contextValue);
    }
    // The settlement must be sent to Redis before the response is sent to the client.
    const sent = this.#operation.settlementSent();
    if (sent) await sent;
  }

  /**
   * Ends a request for which Apollo responds with its own error because another plugin has failed.
   */
  async unexpectedErrorProcessingRequest(context: GraphQLRequestContext<Context>): Promise<void> {
    await this.#close(context);
  }

  /**
   * Settles the operation, or charges the fee if it never ran. Idempotent, because several hooks
   * call it.
   */
  #close(context: GraphQLRequestContext<Context>): Promise<Closed | undefined> {
    this.#closed ??= this.#settle(context);
    return this.#closed;
  }

  async #settle(context: GraphQLRequestContext<Context>): Promise<Closed | undefined> {
    this.#operation.stopWaiting();
    // A hook of another plugin may have failed while the charge was in flight. Wait for the charge,
    // so that it can be refunded.
    if (this.#pending) await this.#pending.catch(() => undefined);
    const operation = this.#operation;
    const { document, queryHash, response, errors } = context;
    const header = headerOf(context);
    let closed: Closed | undefined;
    // A caller pays no fee because the store of documents is unavailable.
    const isFree = this.#rejection?.extensions['code'] === 'DOCUMENT_STORE_UNAVAILABLE';
    if (!operation.isPriced) closed = await operation.reject(header, isFree);
    else {
      const hasResult = response.body !== undefined;
      // Apollo sets neither `body` nor `errors` if another plugin failed before execution began.
      if (!hasResult && !errors) operation.hasNotRun();
      const wasStopped = operation.wasStopped && !this.#isDenied && (!hasResult || hasOnlyErrors(response.body));
      if (!hasResult && !wasStopped) operation.abandon();
      this.#endExecution(context);
      closed = { parts: operation.parts!, denial: undefined };
      if (wasStopped) closed = (await operation.reject(header)) ?? closed;
    }
    // A registered document stays: otherwise callers without tokens could evict it for all others.
    if (document && !operation.isAdmitted && !this.#registered)
      this.#protection.admittedPlans.forgetUnadmitted(document, queryHash);
    return closed;
  }
}

interface RequestListenerOptions<Context> {
  /** Error that prevents the parsing of the document. */
  rejection?: GraphQLError | undefined;
  /** Registered document of a request with an id. */
  registered?: RegisteredDocument | undefined;
  /** Extensions of the request, as the client sent them. */
  extensions?: unknown;
  /** Called if the response reports the charge of the request. */
  onAnswered?: ((contextValue: Context) => void) | undefined;
}

/**
 * Cost and quota of a response, and the denial that replaces the response if the caller cannot pay
 * the fee.
 */
interface Closed {
  parts: AnswerParts;
  denial: GraphQLError | undefined;
}

/** Returns whether a body has errors and no data. */
function hasOnlyErrors(body: GraphQLResponse['body'] | undefined): boolean {
  if (body?.kind !== 'single') return false;
  const { data, errors } = body.singleResult;
  return (data ?? undefined) === undefined && !!errors?.length;
}

function headerOf({ request }: Pick<GraphQLRequestContext<object>, 'request'>): (name: string) => string | undefined {
  const headers = request.http?.headers;
  return (name) => headers?.get(name);
}

const NOTHING_VALID: DocumentNode = {
  kind: Kind.DOCUMENT,
  definitions: [{ kind: Kind.SCHEMA_DEFINITION, operationTypes: [] }],
};

/**
 * Document without operations, for which graphql-js returns an error instead of executing anything.
 */
const NOTHING_TO_RUN: DocumentNode = { kind: Kind.DOCUMENT, definitions: [] };

const NOTHING_TO_DO = Promise.resolve(undefined);
const NO_RESPONSE = Promise.resolve(null);
const willResolveField = () => undefined;
