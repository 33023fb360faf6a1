import type { Request, RequestHandler } from 'express';
import { type GraphQLError, getOperationAST } from 'graphql';
import type { Protect } from '../any-server/protect.js';
import { answerBatch, checkBatchSize } from '../http/answer-batch.js';
import { answerError, type RejectRequest } from '../http/reject-request.js';
import { requestErrorOf } from '../http/request-error-of.js';
import { type Outgoing, writeAnswer } from '../http/write-answer.js';
import { requestError } from '../model/errors.js';
import type { Subject } from '../model/subject.js';
import type { BatchPlace } from '../protection/batch-place.js';
import { Exchange, type ForwardOptions } from './exchange.js';
import { forward, ownAnswer } from './forward.js';
import { type GraphqlRequest, readBody, readGet } from './graphql-request.js';
import { checkHeaderBytes } from './headers-for-upstream.js';
import { takeInexactNumbers } from './keep-inexact-body.js';
import { eventFormatOf } from './subscriptions/event-format.js';

/** Context of a protected request. */
export interface GatewayContext {
  subject: Subject;
  clientGone: AbortSignal;
  batchPlace?: BatchPlace;
}

export interface GatewayOptions extends ForwardOptions {
  reject: RejectRequest;
  /**
   * Returns the current protection. Called for each request, because the schema may have changed.
   */
  protect(): Protect<GatewayContext>;
  identify(request: Request): Promise<Subject>;
  /** Returns a key that is unique for each caller. */
  callerKey(subject: Subject): string;
  maxBatchSize: number;
}

/** Reads an operation of a batch. @throws GraphQLError if the operation is invalid */
type BatchMember = () => GraphqlRequest;
type GatewayExchange = Exchange<GatewayOptions>;

/**
 * Creates the request handler of the gateway. It prices and charges each operation before it
 * forwards it to the upstream. Denied and rejected operations never reach the upstream.
 */
export function createGateway(options: GatewayOptions, onAnswer: (status: number) => void): RequestHandler {
  const { maxBatchSize } = options;
  return async (request, response) => {
    // Reject here, before pricing, so that the fee is charged: a flood of rejected requests must not
    // be free.
    const overload = options.upstream.rejection();
    if (overload) throw overload.toRequestError();
    checkHeaderBytes(request.rawHeaders);
    const exchange: GatewayExchange = new Exchange(options, request, response);
    const asked = readRequest(request, maxBatchSize);
    const subject = await options.identify(request);
    const caller = options.callerKey(subject);
    // Reject here too, before any operation of a batch is charged. If `upstream.ask` rejected an
    // operation, its charge would be refunded, so that the rejection would be free.
    exchange.share.belongsTo(caller);
    const tooMany = options.upstream.rejection(caller);
    if (tooMany) throw tooMany.toRequestError();
    exchange.subject = subject;
    exchange.caller = caller;
    const answer = Array.isArray(asked)
      ? await answerBatch(asked, (read, place) => answerMember(exchange, read, place))
      : await answerOne(exchange, asked, undefined);
    onAnswer(answer.status);
    // If writing fails, a part of the response may already have been sent. Closing the connection
    // signals that the response is incomplete.
    await writeAnswer(response, answer, options.timeoutMs).catch(() => response.destroy());
  };
}

/**
 * Reads the operations of a request. For a batch it returns functions that read the operations
 * later, so that an invalid operation does not reject the others.
 */
function readRequest(request: Request, maxBatchSize: number): GraphqlRequest | BatchMember[] {
  if (request.method === 'GET') return readGet(request);
  const { body } = request as { body: unknown };
  const numbers = takeInexactNumbers(request);
  const exactBody: unknown = numbers && JSON.parse(numbers.text);
  if (!Array.isArray(body)) return readBody(body, numbers && { body: exactBody, restore: numbers.restore }, request);
  checkBatchSize(body, maxBatchSize);
  if (!numbers) return body.map((one) => () => readBody(one));
  const { restore } = numbers;
  return body.map((one, i) => () => readBody(one, { body: (exactBody as unknown[])[i], restore }));
}

async function answerOne(
  exchange: GatewayExchange,
  asked: GraphqlRequest,
  batchPlace: BatchPlace | undefined,
): Promise<Outgoing> {
  const { request, subject, clientGone, options } = exchange;
  const operation = await options.protect()({
    query: asked.query as string | undefined,
    documentId: asked.documentId as string | undefined,
    extensions: asked.extensions,
    operationName: asked.operationName,
    variables: asked.variables as Readonly<Record<string, unknown>> | undefined,
    headers: request.headers,
    contextValue: batchPlace === undefined ? { subject, clientGone } : { subject, clientGone, batchPlace },
    signal: clientGone,
  });
  if (!operation.admitted) return ownAnswer(operation.answer, options.production);
  const { operation: type = 'query' } = getOperationAST(operation.document, asked.operationName) ?? {};
  const isBatched = batchPlace !== undefined;
  const eventFormat = operation.isSubscription && !isBatched ? eventFormatOf(request.headers.accept) : undefined;
  const mistake = operation.isSubscription
    ? findSubscriptionMistake(exchange, { eventFormat, isBatched })
    : findMistake(type, request.method);
  if (mistake) return ownAnswer(await operation.reject([mistake]), options.production);
  return forward(exchange, asked, operation, { isQuery: type === 'query', isBatched, eventFormat });
}

function findMistake(type: string, method: string): GraphQLError | undefined {
  if (method !== 'GET' || type === 'query') return undefined;
  return requestError('METHOD_NOT_ALLOWED', 'a GET request may not contain a mutation: send it by POST', {
    allow: 'POST',
  });
}

function findSubscriptionMistake(
  { options, caller }: GatewayExchange,
  { eventFormat, isBatched }: Pick<Parameters<typeof forward>[3], 'eventFormat' | 'isBatched'>,
): GraphQLError | undefined {
  if (isBatched) return requestError('BAD_REQUEST', 'a batch may not contain a subscription: send it alone');
  if (!eventFormat) {
    const expected = 'Accept: text/event-stream, or Accept: multipart/mixed;subscriptionSpec=1.0';
    return requestError('BAD_REQUEST', `a subscription over HTTP needs the header ${expected}`);
  }
  // Reject here, and not in `ask`, which would refund the charge, so that a flood would be free.
  return options.subscriptions.rejection(caller)?.toRequestError();
}

/**
 * Returns the response to one operation of a batch. Its errors do not affect the other operations.
 */
async function answerMember(exchange: GatewayExchange, read: BatchMember, place: BatchPlace): Promise<Outgoing> {
  try {
    return await answerOne(exchange, read(), place);
  } catch (error) {
    if (requestErrorOf(error) === undefined) throw error;
    return answerError(exchange.request, error, exchange.options.reject);
  }
}
