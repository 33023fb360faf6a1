import type {
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
import { watchedSchemas } from '../protection/leases/watched-schemas.js';
import { ProtectedOperation } from '../protection/protect-operation.js';
import type { Protection } from '../protection/protection.js';
import { executeTyped } from './execute-typed.js';
import { replaceErrors, whenAnswered, writeAnswer } from './response.js';

type Resolved<Context extends object> = GraphQLRequestContextDidResolveOperation<Context>;
type Executing<Context extends object> = GraphQLRequestContextExecutionDidStart<Context>;
type Sending<Context extends object> = GraphQLRequestContextWillSendResponse<Context>;

/**
 * What Apollo Server calls for one request, and what of it is asked of the operation behind it. A class, as every request
 * makes one and Apollo asks it for a handful of methods.
 */
export class RequestListener<Context extends object> implements GraphQLRequestListener<Context> {
  readonly #protection: Protection<Context>;
  readonly #operation: ProtectedOperation<Context>;
  /** Why the document was not even parsed, or not validated. */
  #refusal: GraphQLError | undefined;
  #pending: Promise<void> | undefined;

  constructor(protection: Protection<Context>, contextValue: Context, refusal: GraphQLError | undefined) {
    this.#protection = protection;
    this.#operation = new ProtectedOperation(protection, contextValue);
    this.#refusal = refusal;
  }

  /**
   * Asked only of documents that are not in Apollo's store: those there are have passed. Of the hooks before validation it is the last
   * that Apollo waits for; it does not wait for what a hook says about the end of parsing.
   */
  async validationDidStart(context: GraphQLRequestContextValidationDidStart<Context>): Promise<void> {
    const { schema, document, queryHash, request } = context;
    const { operationName, variables } = request;
    const header = headerOf(context);
    const unvalidated = { schema, document, documentHash: queryHash, operationName, variables, header };
    // To validate it takes most of what a refusal costs.
    this.#refusal = this.#protection.documents.ofParsed(schema, document);
    this.#refusal ??= await this.#operation.foreseeDenial(unvalidated);
    this.#refusal ??= await this.#operation.foreseeRefusal(unvalidated);
    if (!this.#refusal) return;
    this.#protection.admittedPlans.forgetRefused(document, queryHash);
    // Nor has Apollo a hook that may refuse before it validates: this it refuses at once, and keeps no copy of it.
    Object.assign(context, { document: NOTHING_VALID });
  }

  /** Apollo formats these errors next: those of a document that was put in the place of another give way to what it was refused for. */
  async didEncounterErrors({ errors }: GraphQLRequestContextDidEncounterErrors<Context>): Promise<void> {
    if (this.#refusal) (errors as GraphQLError[]).splice(0, errors.length, this.#refusal);
  }

  didResolveOperation(context: Resolved<Context>): Promise<void> {
    // A wrong operationName resolves none: Apollo answers 400, and the fee is taken.
    if (!context.operation) return NOTHING_TO_DO as Promise<void>;
    const { schema, document, operation, operationName, queryHash, request } = context;
    const begun = this.#operation.begin({
      schema,
      document,
      operation,
      operationName,
      variables: request.variables,
      documentHash: queryHash,
      header: headerOf(context),
    });
    this.#pending = begun.then((denial) => {
      // What is over need not be waited for when the answer is sent.
      this.#pending = undefined;
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

  executionDidStart(context: Executing<Context>): Promise<GraphQLRequestExecutionListener<Context> | undefined> {
    const watch = this.#operation.execute(context.schema);
    const listener = watch?.running?.listener ?? (watchedSchemas.has(context.schema) ? NO_LISTENER : undefined);
    if (!watch && !listener) return NOTHING_TO_DO;
    return Promise.resolve({ ...listener, ...(watch?.typed && executeTyped(watch.typed, context)) });
  }

  async willSendResponse(context: Sending<Context>): Promise<void> {
    // Another plugin's hook may have failed while the charge was under way: it is not to be lost.
    if (this.#pending) await this.#pending.catch(() => undefined);
    const parts = this.#operation.isPriced ? this.#finish(context) : await this.#refuse(context);
    const { document, queryHash } = context;
    if (document && !this.#operation.isAdmitted) this.#protection.admittedPlans.forgetRefused(document, queryHash);
    if (parts) writeAnswer(context, parts, this.#protection.now());
    // The settlement is on its way before the answer is.
    const sent = this.#operation.settlementSent();
    if (sent) await sent;
  }

  #finish(context: Sending<Context>) {
    const { response, errors, document, contextValue } = context;
    const { body } = response;
    return this.#operation.finish({
      data: body?.kind === 'single' ? body.singleResult.data : undefined,
      errors,
      document,
      isIncremental: body?.kind === 'incremental',
      whenAnswered: (done) => {
        if (body?.kind === 'incremental') whenAnswered(body, this.#protection.abortSignal(contextValue), done);
        else done();
      },
    });
  }

  async #refuse(context: Sending<Context>) {
    const refused = await this.#operation.refuse(headerOf(context));
    if (refused?.denial) replaceErrors(context, refused.denial);
    return refused?.parts;
  }
}

function headerOf({ request }: Pick<Sending<object>, 'request'>): (name: string) => string | undefined {
  const headers = request.http?.headers;
  return (name) => headers?.get(name);
}

const NOTHING_VALID: DocumentNode = {
  kind: Kind.DOCUMENT,
  definitions: [{ kind: Kind.SCHEMA_DEFINITION, operationTypes: [] }],
};

const NOTHING_TO_DO = Promise.resolve(undefined);
const NO_RESPONSE = Promise.resolve(null);
/** Apollo says in the context what resolves fields without a resolver only where a plugin listens to them. */
const NO_LISTENER = { willResolveField: () => undefined };
