import {
  type DocumentNode,
  execute,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  getOperationAST,
} from 'graphql';
import { requestError } from '../model/errors.js';
import { type Answer, answerOf } from '../protection/answer/answer-of.js';
import { noSuchOperation } from '../protection/answer/denial-error.js';
import { type AnyError, httpOfErrors } from '../protection/answer/http-of-errors.js';
import type { OperationOutcome } from '../protection/operation.js';
import { ProtectedOperation } from '../protection/protected-operation.js';
import { createProtection, type ProtectionOptions } from '../protection/protection.js';
import type { FieldResolver } from '../protection/slots/watch-resolvers.js';
import type { StopSignal } from '../runtime/wait-for.js';
import { type AdmittedRequest, admitRequest } from './admitted-request.js';
import { createDocumentReader, type DocumentReader, type KeptDocument } from './document-reader.js';
import { type RequestHeaders, readHeaders } from './request-headers.js';

/** One GraphQL request, as any server holds it. */
export interface ProtectRequest<Context extends object = object> {
  /** The text of the document. It is measured, parsed and validated here, once for all requests with it. */
  query?: string | undefined;
  /** Instead of `query`: a document that your server has parsed and validated against the schema. */
  document?: DocumentNode | undefined;
  operationName?: string | null | undefined;
  variables?: Readonly<Record<string, unknown>> | null | undefined;
  /** Of the HTTP request: a `Headers`, or Node's object. */
  headers?: RequestHeaders | undefined;
  /**
   * A new object for each request; pass it to `execute` too. `identify` is asked with it; callers who are told apart by their address are looked for in
   * its `req` or `request`. @default a new object
   */
  contextValue?: Context | undefined;
  /** Aborted when the client is gone: a wait to be let through ends, and nothing is refunded of what had begun to run. */
  signal?: StopSignal | undefined;
  /**
   * Errors for which your server has rejected the request, instead of `query` and `document`. Charges the fee of rejected requests;
   * the answer has these errors, or says that the caller cannot pay the fee. @default nothing was rejected
   */
  rejection?: readonly (GraphQLError | GraphQLFormattedError)[] | undefined;
  /** Of `run`: what you give to `execute` for the fields without a resolver, if anything. @default that of graphql-js */
  fieldResolver?: FieldResolver | undefined;
}

/** It is not to run: send `answer`. Refused, denied, or only to be priced (`GraphQL-Cost: validate`). */
export interface AnsweredRequest {
  readonly admitted: false;
  readonly answer: Answer;
}

export type ProtectedRequest = AdmittedRequest | AnsweredRequest;

/** Prices a request and charges it to every limit that applies or to none, before anything of it runs. Never rejects. */
export type Protect<Context extends object = object> = (request: ProtectRequest<Context>) => Promise<ProtectedRequest>;

interface ProtectOptions<Context> extends ProtectionOptions<Context> {
  schema: GraphQLSchema;
  /** Bytes of parsed documents that are kept. */
  documentCacheBytes: number | undefined;
}

/** `Protect`, and what the texts that it has let in were read as. */
export interface ReadingProtect<Context extends object> {
  protect: Protect<Context>;
  /** The same for a text that was measured and parsed elsewhere. */
  protectParsed(request: ProtectRequest<Context>, parsed: DocumentNode | undefined): Promise<ProtectedRequest>;
  knownDocument: DocumentReader['known'];
}

/** What any server asks that has no adapter of its own: see `Protect`. */
export function createProtect<Context extends object>(options: ProtectOptions<Context>): ReadingProtect<Context> {
  const { schema } = options;
  const protection = createProtection({
    ...options,
    forgetDocument: (document) => {
      documents.forget(document);
      options.forgetDocument?.(document);
    },
  });
  const documents = createDocumentReader({
    schema,
    check: protection.documents,
    maxBytes: options.documentCacheBytes,
  });

  async function protectParsed(
    request: ProtectRequest<Context>,
    parsed: DocumentNode | undefined,
  ): Promise<ProtectedRequest> {
    const contextValue = request.contextValue ?? ({} as Context);
    const { signal, operationName = null, fieldResolver } = request;
    const variables = request.variables ?? undefined;
    const header = readHeaders(request.headers ?? undefined);
    const operation = new ProtectedOperation(protection, contextValue);
    operation.signal = signal;
    /** Which is to be forgotten where it is refused. */
    let kept: KeptDocument | undefined;

    /** Returns the answer of what has not run. */
    async function answer(errors: readonly GraphQLError[]): Promise<AnsweredRequest> {
      const answered = operation.isPriced
        ? answerOf({ errors }, operation.finish(NOTHING_CAME), protection.now())
        : await reject(operation, header, errors);
      if (kept) protection.admittedPlans.forgetRefused(kept.document, kept.hash);
      await operation.settlementSent();
      return { admitted: false, answer: answered };
    }

    if (request.rejection) return { admitted: false, answer: await reject(operation, header, request.rejection) };
    try {
      if (!isVariables(request.variables)) return await answer([misfit('variables', 'an object')]);
      // It comes as JSON, whatever its type says: from here on it stands in names, keys and messages.
      if (operationName !== null && typeof operationName !== 'string')
        return await answer([misfit('operationName', 'a text')]);
      const read = await documents.read({
        query: request.query,
        document: request.document,
        parsed,
        async foresee(document, hash) {
          kept = { document, hash };
          return operation.foresee({ schema, document, documentHash: hash, operationName, variables, header });
        },
      });
      if ('errors' in read) return await answer(read.errors);
      kept = read;
      const { document, hash } = read;
      const found = getOperationAST(document, operationName);
      if (!found) return await answer([noSuchOperation(operationName)]);
      const denial = await operation.begin({
        schema,
        document,
        operation: found,
        operationName: operationName ?? found.name?.value ?? null,
        variables,
        documentHash: hash,
        header,
      });
      if (denial) return await answer([denial]);
      const { dryRun } = operation;
      if (dryRun) {
        const ran =
          dryRun.document &&
          (await execute({ schema, document: dryRun.document, contextValue, variableValues: variables }));
        const result = { data: ran?.data ?? null };
        return { admitted: false, answer: answerOf(result, operation.finish(NOTHING_CAME), protection.now()) };
      }
    } catch (error) {
      const shown = error instanceof GraphQLError ? error : internalError();
      if ((httpOfErrors([shown]).status ?? 500) >= 500) protection.onError(error);
      return answer([shown]);
    }
    const admitted = { protection, operation, contextValue, document: kept.document, schema, fieldResolver };
    return admitRequest({ ...admitted, reject: (errors) => reject(operation, header, errors) });
  }

  /** Charges the fee, and returns the answer: these errors, or that it cannot be paid. */
  async function reject(
    operation: ProtectedOperation<Context>,
    header: (name: string) => string | undefined,
    errors: readonly AnyError[],
  ): Promise<Answer> {
    const fee = await operation.reject(header);
    const answer = answerOf({ errors: fee?.denial ? [fee.denial] : errors }, fee?.parts, protection.now());
    if (fee) answer.feePaid = fee.denial === undefined;
    return answer;
  }

  return {
    // A function of one argument: it may be given to `map`.
    protect: (request) => protectParsed(request, undefined),
    protectParsed,
    knownDocument: documents.known,
  };
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

/** They come as JSON: of any kind. */
function isVariables(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}

function misfit(member: string, expected: string): GraphQLError {
  return requestError('BAD_REQUEST', `${member}: expected ${expected}`);
}
