import type { Request, RequestHandler } from 'express';
import { GraphQLError, getOperationAST } from 'graphql';
import type { Protect } from '../any-server/protect.js';
import { answerOfMistake, type GraphqlEndpoint } from '../http/graphql-handler.js';
import { HttpError, toHttpError } from '../http/http-error.js';
import { ERRORS, type ErrorCode } from '../model/errors.js';
import type { Subject } from '../model/subject.js';
import { joinBatchHeaders } from '../protection/answer/batch-headers.js';
import { type BatchPlace, createBatch } from '../protection/batch.js';
import type { StopSignal } from '../runtime/stop.js';
import { type ByteText, type Outgoing, writeAnswer } from './answer/write-answer.js';
import { Exchange, type ForwardOptions } from './exchange.js';
import { forward, JSON_TYPE, ownAnswer } from './forward.js';
import { checkHeaderBytes } from './forwarded-headers.js';
import { type GraphqlRequest, readBody, readGet } from './graphql-request.js';
import { takeInexactNumbers } from './inexact-bodies.js';

/** What a request brings to be protected. */
export interface GatewayContext {
  subject: Subject;
  clientGone: StopSignal;
  batchPlace?: BatchPlace;
}

export interface GatewayOptions extends ForwardOptions, Pick<GraphqlEndpoint<object>, 'chargeFee'> {
  /** Asked for each request: the schema may have changed. */
  protect(): Protect<GatewayContext>;
  identify(request: Request): Promise<Subject>;
  /** One text for each caller. */
  callerKey(subject: Subject): string;
  maxBatchSize: number;
}

/** Reads an operation of a batch. @throws HttpError */
type BatchMember = () => GraphqlRequest;
type GatewayExchange = Exchange<GatewayOptions>;

/** Prices what is asked for, charges it, and only then passes it on to the upstream. What is refused never reaches it. */
export function createGateway(options: GatewayOptions, onAnswer: (status: number) => void): RequestHandler {
  const { maxBatchSize } = options;
  return async (request, response) => {
    // Before anything is priced, and for the fee: a flood of what is refused must not be free.
    const refused = options.upstream.refusal();
    if (refused) throw refused.toHttpError();
    checkHeaderBytes(request.rawHeaders);
    const exchange: GatewayExchange = new Exchange(options, request, response);
    const asked = readRequest(request, maxBatchSize);
    let subject: Subject;
    try {
      subject = await options.identify(request);
    } catch (error) {
      return refuseSender(error);
    }
    const caller = options.callerKey(subject);
    // Likewise for the fee, and before any of a batch is begun: what `upstream.ask` refuses is refunded.
    exchange.share.belongsTo(caller);
    const tooMany = options.upstream.refusal(caller);
    if (tooMany) throw tooMany.toHttpError();
    exchange.subject = subject;
    exchange.caller = caller;
    const answer = Array.isArray(asked)
      ? await answerBatch(exchange, asked)
      : await answerOne(exchange, asked, undefined);
    onAnswer(answer.status);
    await writeAnswer(response, answer, options.timeoutMs);
  };
}

/** The operations of a batch stay unread: one that cannot be read is no mistake of the others. */
function readRequest(request: Request, maxBatchSize: number): GraphqlRequest | BatchMember[] {
  if (request.method === 'GET') return readGet(request);
  const { body } = request as { body: unknown };
  const numbers = takeInexactNumbers(request);
  const exactBody: unknown = numbers && JSON.parse(numbers.text);
  if (!Array.isArray(body)) return readBody(body, numbers && { body: exactBody, restore: numbers.restore });
  if (maxBatchSize === 0) throw new HttpError('BAD_REQUEST', 'expected one operation, got a batch: batches are off');
  if (body.length === 0 || body.length > maxBatchSize) {
    throw new HttpError('BAD_REQUEST', `expected a batch of 1 to ${maxBatchSize} operations, got ${body.length}`);
  }
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
    operationName: asked.operationName,
    variables: asked.variables as Readonly<Record<string, unknown>> | undefined,
    headers: request.headers,
    contextValue: batchPlace === undefined ? { subject, clientGone } : { subject, clientGone, batchPlace },
    signal: clientGone,
  });
  if (!operation.admitted) return ownAnswer(operation.answer, options.production);
  const { operation: type = 'query' } = getOperationAST(operation.document, asked.operationName) ?? {};
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

/** Passes the operations of a batch on side by side, as one purchase, and answers with their answers in order. */
async function answerBatch(exchange: GatewayExchange, batch: readonly BatchMember[]): Promise<Outgoing> {
  const places = createBatch(batch.length);
  const answers = await Promise.all(
    batch.map(async (read, index) => {
      const place = places[index]!;
      try {
        return await answerOne(exchange, read(), place);
      } catch (error) {
        const mistake = toHttpError(error);
        if (mistake === undefined) throw error;
        const answer = await answerOfMistake(exchange.options, exchange.request, mistake);
        return { ...answer, headers: [...answer.headers] };
      } finally {
        // One that never got as far as being priced must not keep the others waiting.
        place.leave();
      }
    }),
  );
  const statuses = new Set(answers.map(({ status }) => status));
  const all = answers.flatMap((answer) => answer.headers);
  // Of each its last word: a price that the upstream says, which may be behind a Tollgate itself, is none of these.
  const headers = joinBatchHeaders(answers.flatMap((answer) => [...new Map(answer.headers)]));
  // The one header of which each line says something else.
  const cookies = all.flatMap(([name, value]) => (name === 'set-cookie' ? value : []));
  if (cookies.length > 0) headers.set('set-cookie', cookies);
  headers.set('content-type', JSON_TYPE);
  return {
    status: statuses.size === 1 ? [...statuses][0]! : 200,
    headers: [...headers],
    // Of a batch, none passes unread.
    body: `[${answers.map(({ body }) => (body as string | ByteText | Buffer).toString()).join(',')}]`,
  };
}
