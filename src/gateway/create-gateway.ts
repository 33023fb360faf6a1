import { once } from 'node:events';
import type { Request, RequestHandler, Response } from 'express';
import { GraphQLError, getOperationAST, print } from 'graphql';
import type { Answer } from '../any-server/answer-of.js';
import type { AdmittedRequest, Protect } from '../any-server/protect.js';
import { ERRORS, type ErrorCode } from '../errors.js';
import { HttpError, hideDetails } from '../http/http-error.js';
import type { Subject } from '../model/subject.js';
import { type BatchPlace, createBatch } from '../protection/batch.js';
import { type Forwarding, type HeaderRules, headersForCaller, headersForUpstream } from './forwarded-headers.js';
import { type GraphqlRequest, readBody, readGet } from './graphql-request.js';
import { type GraphqlResult, readAnswer } from './read-answer.js';
import type { ReadBudget, ReadShare } from './read-budget.js';
import { failureOf, type Upstream, type UpstreamAnswer } from './upstream.js';
import { UpstreamFailure } from './upstream-failure.js';
import { withCost } from './with-cost.js';

/** What a request brings to be protected. */
export interface GatewayContext {
  subject: Subject;
  clientGone: AbortSignal;
  batchPlace?: BatchPlace;
}

export interface GatewayOptions {
  upstream: Upstream;
  /** Asked for each request: the schema may have changed. */
  protect(): Protect<GatewayContext>;
  identify(request: Request): Promise<Subject>;
  /** One text for each caller. */
  callerKey(subject: Subject): string;
  addressOf(request: Request): string | undefined;
  protocolOf(request: Request): Forwarding['protocol'];
  headers: HeaderRules;
  timeoutMs: number;
  budget: ReadBudget;
  maxBatchSize: number;
  /** Errors tell nothing of the schema. */
  production: boolean;
  onFailure(failure: UpstreamFailure): void;
}

/** An answer before it is written. */
interface Outgoing {
  status: number;
  headers: [name: string, value: string | string[]][];
  text: string;
  /** Written behind `text`. */
  rest?: AsyncIterable<Buffer>;
  begun?: readonly Buffer[];
}

/** Prices what is asked for, charges it, and only then passes it on to the upstream. What is refused never reaches it. */
export function createGateway(options: GatewayOptions, onAnswer: (status: number) => void): RequestHandler {
  const { maxBatchSize } = options;
  return async (request, response) => {
    // Before anything is priced, and for the fee: a flood of what is refused must not be free.
    const refused = options.upstream.refusal();
    if (refused) throw refused.toHttpError();
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    // Before anything is waited for: a caller who has gone meanwhile closes nothing any more.
    const share = options.budget.open();
    response.once('close', share.release);
    const over = new Promise<void>((resolve) => response.once('close', resolve));
    const asked = readRequest(request, maxBatchSize);
    const subject = await options.identify(request).catch(refuseSender);
    const caller = options.callerKey(subject);
    // Likewise for the fee, and before any of a batch is begun: what `upstream.ask` refuses is refunded.
    const tooMany = options.upstream.refusal(caller);
    if (tooMany) throw tooMany.toHttpError();
    const exchange: Exchange = { ...options, request, subject, caller, clientGone: gone.signal, share, over };
    const answer = Array.isArray(asked)
      ? await answerBatch(exchange, asked)
      : await answerOne(exchange, asked, undefined);
    await write(exchange, response, answer, onAnswer);
  };
}

function readRequest(request: Request, maxBatchSize: number): GraphqlRequest | GraphqlRequest[] {
  if (request.method === 'GET') return readGet(request);
  const { body } = request as { body: unknown };
  if (!Array.isArray(body)) return readBody(body);
  if (maxBatchSize === 0) throw new HttpError('BAD_REQUEST', 'expected one operation, got a batch: batches are off');
  if (body.length === 0 || body.length > maxBatchSize) {
    throw new HttpError('BAD_REQUEST', `expected a batch of 1 to ${maxBatchSize} operations, got ${body.length}`);
  }
  return body.map(readBody);
}

interface Exchange extends GatewayOptions {
  request: Request;
  subject: Subject;
  caller: string;
  clientGone: AbortSignal;
  /** Of what is held of answers, until this one is written. */
  share: ReadShare;
  /** The answer is out, or its reader has gone. */
  over: Promise<void>;
}

async function answerOne(
  exchange: Exchange,
  asked: GraphqlRequest,
  batchPlace: BatchPlace | undefined,
): Promise<Outgoing> {
  const { request, subject, clientGone, protect, production } = exchange;
  const operation = await protect()({
    query: asked.query as string | undefined,
    operationName: asked.operationName as string | undefined,
    variables: asked.variables as Readonly<Record<string, unknown>> | undefined,
    headers: request.headers,
    contextValue: { subject, clientGone, ...(batchPlace && { batchPlace }) },
    signal: clientGone,
  });
  if (!operation.admitted) return ownAnswer(operation.answer, production);
  const { operation: type = 'query' } =
    getOperationAST(operation.document, asked.operationName as string | undefined) ?? {};
  const mistake = findMistake(type, request.method);
  if (mistake) {
    // Nothing was started: all is refunded, and the mistake is paid for as any other.
    await operation.finish({});
    throw mistake;
  }
  return forward(exchange, asked, operation, {
    isQuery: type === 'query',
    isBatched: batchPlace !== undefined,
  });
}

/** A caller who cannot be identified is answered, and pays, as one who sends no operation. */
function refuseSender(error: unknown): never {
  if (!(error instanceof GraphQLError)) throw error;
  const { code, http } = error.extensions as { code?: ErrorCode; http?: { headers?: ReadonlyMap<string, string> } };
  if (code === undefined || !Object.hasOwn(ERRORS, code)) throw error;
  const detail = error.message.replace(`${ERRORS[code].message}: `, '');
  throw new HttpError(code, detail, Object.fromEntries(http?.headers ?? []));
}

function findMistake(type: string, method: string): HttpError | undefined {
  if (type === 'subscription') return new HttpError('BAD_REQUEST', 'subscriptions do not pass this gateway');
  if (method !== 'GET' || type === 'query') return undefined;
  return new HttpError('METHOD_NOT_ALLOWED', 'a GET may ask for a query alone: send a mutation by POST', {
    allow: 'POST',
  });
}

interface Forwarded {
  isQuery: boolean;
  isBatched: boolean;
}

/**
 * Asks the upstream. What it is sent is written anew from what was priced: nothing else of the request can mean another
 * operation.
 */
async function forward(
  exchange: Exchange,
  { query, operationName, variables }: GraphqlRequest,
  operation: AdmittedRequest,
  { isQuery, isBatched }: Forwarded,
): Promise<Outgoing> {
  const { request, clientGone, upstream, addressOf, protocolOf, headers, timeoutMs, share } = exchange;
  const { caller, production, onFailure } = exchange;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new UpstreamFailure('UPSTREAM_TIMEOUT', { hasRun: true })), timeoutMs);
  const signal = AbortSignal.any([clientGone, late.signal]);
  let answer: UpstreamAnswer | undefined;
  try {
    const document = operation.start();
    const isTyped = document !== operation.document;
    const sent = { query: isTyped ? print(document) : query, operationName, variables };
    answer = await upstream.ask({
      body: JSON.stringify(sent),
      headers: headersForUpstream(
        { headers: request.headers, protocol: protocolOf(request) },
        addressOf(request),
        headers,
      ),
      signal,
      caller,
      isQuery,
    });
    const read = await readAnswer(answer, share);
    const { status } = answer;
    const passed = headersForCaller(answer.headers);
    const contentType: [string, string] = ['content-type', answer.headers['content-type'] ?? JSON_TYPE];
    if (!('text' in read)) {
      if (isBatched) {
        answer.dump();
        throw new UpstreamFailure('UPSTREAM_INVALID_ANSWER', { hasRun: true, status });
      }
      // Too large to be read: it stays at its estimate, and keeps the types that the price has asked for.
      const settled = await operation.finish({}, { whenOver: exchange.over });
      const all = [...passed, contentType, ...Object.entries(settled.headers)];
      return { status, headers: all, text: '', begun: read.begun, rest: { [Symbol.asyncIterator]: () => read.rest } };
    }
    const { text, result } = read;
    const settled = await operation.finish(resultOf(result));
    const cost = settled.body.extensions?.cost;
    // The document asked for more than its caller did: `finish` has taken that out.
    const shown = isTyped ? JSON.stringify(result) : text;
    return {
      status,
      headers: [...passed, contentType, ...Object.entries(settled.headers)],
      text: withCost(shown, result, cost),
    };
  } catch (error) {
    answer?.dump();
    const failure = failureOf(error, signal);
    if (!clientGone.aborted) onFailure(failure);
    // What may have run stays at its estimate: else an upstream that is made to fail would be free.
    return ownAnswer(await settleFailure(operation, failure), production);
  } finally {
    clearTimeout(timer);
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';
const STAYS = { whenOver: Promise.resolve() };

function settleFailure(operation: AdmittedRequest, failure: UpstreamFailure): Promise<Answer> {
  const errors = [failure.toGraphqlError()];
  return operation.finish({ errors }, failure.details.hasRun ? STAYS : { hasNotRun: true });
}

/** Statuses and headers that the upstream writes into its errors are not for this server. */
function resultOf({ data, errors }: GraphqlResult) {
  return {
    ...(data !== undefined && { data }),
    ...(errors && { errors: errors.map(({ message, path }) => ({ message, path })) as unknown as GraphQLError[] }),
  };
}

/** What was answered here and not by the upstream. */
function ownAnswer({ status, headers, body }: Answer, production: boolean): Outgoing {
  const shown = production && body.errors ? { ...body, errors: body.errors.map(hideDetails) } : body;
  return {
    status,
    headers: [['content-type', JSON_TYPE], ...Object.entries(headers)],
    text: JSON.stringify(shown),
  };
}

/** Passes the operations of a batch on side by side, as one purchase, and answers with their answers in order. */
async function answerBatch(exchange: Exchange, batch: readonly GraphqlRequest[]): Promise<Outgoing> {
  const places = createBatch(batch.length);
  const answers = await Promise.all(
    batch.map(async (asked, index) => {
      const place = places[index]!;
      try {
        return await answerOne(exchange, asked, place);
      } finally {
        // One that never got as far as being priced must not keep the others waiting.
        place.leave();
      }
    }),
  );
  const statuses = new Set(answers.map(({ status }) => status));
  const all = answers.flatMap((answer) => answer.headers);
  const headers = new Map(all);
  // The one header of which each line says something else.
  const cookies = all.flatMap(([name, value]) => (name === 'set-cookie' ? value : []));
  if (cookies.length > 0) headers.set('set-cookie', cookies);
  headers.set('content-type', JSON_TYPE);
  return {
    status: statuses.size === 1 ? [...statuses][0]! : 200,
    headers: [...headers],
    text: `[${answers.map(({ text }) => text).join(',')}]`,
  };
}

async function write(
  { timeoutMs }: Exchange,
  response: Response,
  answer: Outgoing,
  onAnswer: (status: number) => void,
): Promise<void> {
  onAnswer(answer.status);
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  if (answer.rest === undefined) {
    response.setHeader('content-length', Buffer.byteLength(answer.text));
    response.end(answer.text);
    return;
  }
  const stop = new AbortController();
  response.once('close', () => stop.abort());
  try {
    for (const chunk of answer.begun ?? []) await writeChunk(response, chunk, stop, timeoutMs);
    for await (const chunk of answer.rest) await writeChunk(response, chunk, stop, timeoutMs);
    response.end();
  } catch {
    // Half of an answer was sent: that it is not whole is told by the connection.
    response.destroy();
  }
}

/**
 * Waits for readers that are slow: what they have not read is not kept here. One who takes nothing for as long as the upstream
 * may be silent is cut off, as they hold one of its places.
 */
async function writeChunk(response: Response, chunk: Buffer, stop: AbortController, timeoutMs: number): Promise<void> {
  if (response.destroyed) throw new Error('The client is gone');
  if (response.write(chunk)) return;
  const timer = setTimeout(() => stop.abort(), timeoutMs);
  await once(response, 'drain', { signal: stop.signal }).finally(() => clearTimeout(timer));
}
