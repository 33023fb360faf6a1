import type { ApolloServer, BaseContext, ContextFunction, HTTPGraphQLResponse } from '@apollo/server';
import { HeaderMap } from '@apollo/server';
import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import { joinBatchHeaders } from '../protection/answer/batch-headers.js';
import { costExtension } from '../protection/answer/cost-extension.js';
import { isPaid, setQuotaHeaders } from '../protection/answer/quota-headers.js';
import { type BatchPlace, createBatch } from '../protection/batch.js';
import type { FeeOutcome } from '../protection/fee.js';
import { HttpError, toHttpError } from './http-error.js';
import { PAGE_POLICY } from './page-policy.js';

interface Exchange {
  req: Request;
  res: Response;
}

/** One GraphQL API at one path. */
export interface GraphqlEndpoint<Context extends BaseContext> {
  path: string;
  server: ApolloServer<Context>;
  context: ContextFunction<[Exchange], Context>;
  /** Takes the fee for a request that did not reach the API's plugin. @default such requests are free */
  chargeFee?: (request: Request) => Promise<FeeOutcome>;
  /**
   * How many operations a batch may have; each then finds its `batchPlace` in the context, for the plugin to charge them
   * as one. @default 0: batches are refused
   */
  maxBatchSize?: number;
  /** Origins whose pages may read the answers. @default none */
  corsOrigins?: readonly string[];
}

/** An answer before it is written. */
interface Answer {
  status: number;
  headers: Map<string, string>;
  body: string | AsyncIterable<string>;
}

interface WholeAnswer extends Answer {
  body: string;
}

/** Executes what the body or the query string of a request asks for. */
export function handleGraphql<Context extends BaseContext>(
  endpoint: GraphqlEndpoint<Context>,
  onAnswer: (status: number) => void,
): RequestHandler {
  const { maxBatchSize = 0 } = endpoint;
  const write = (response: Response, answer: Answer) => {
    onAnswer(answer.status);
    return writeAnswer(response, answer);
  };
  return async (request, response) => {
    const { body } = request;
    if (!Array.isArray(body)) {
      const answer = await execute(endpoint, request, response, body);
      await write(response, await withFee(endpoint, request, answer));
      return;
    }
    if (maxBatchSize === 0) throw new HttpError('BAD_REQUEST', 'expected one operation, got a batch: batches are off');
    if (body.length === 0 || body.length > maxBatchSize) {
      throw new HttpError('BAD_REQUEST', `expected a batch of 1 to ${maxBatchSize} operations, got ${body.length}`);
    }
    await write(response, await executeBatch(endpoint, request, response, body));
  };
}

/** Answers what was thrown: mistakes of the client in words, and at the price of the fee; anything else without words. */
export function answerErrors(
  endpoint: Pick<GraphqlEndpoint<BaseContext>, 'chargeFee'>,
  onAnswer: (status: number) => void,
  onError: (error: unknown) => void,
): ErrorRequestHandler {
  return async (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    const mistake = toHttpError(error);
    if (mistake === undefined) onError(error);
    const answer = await answerOfMistake(endpoint, request, mistake);
    onAnswer(answer.status);
    await writeAnswer(response, answer);
  };
}

/** What is answered to a mistake of the client, at the price of the fee. Without one it is a failure of ours. */
export async function answerOfMistake(
  endpoint: Pick<GraphqlEndpoint<BaseContext>, 'chargeFee'>,
  request: Request,
  mistake: HttpError | undefined,
): Promise<WholeAnswer> {
  const { message, status, code, headers } = mistake ?? INTERNAL;
  const answer = {
    status,
    headers: new Map([['content-type', JSON_TYPE], ...Object.entries(headers)]),
    body: JSON.stringify({ errors: [{ message, extensions: { code } }] }),
  };
  return withFee(endpoint, request, answer, mistake?.takesFee);
}

/**
 * Stands last: what no route has answered for, or has failed to answer for, ends here and in the log. Express' own would
 * write the stack to standard error.
 */
export function answerFailures(onError: (error: unknown) => void): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    const mistake = toHttpError(error);
    if (mistake === undefined) onError(error);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const { message, status, code, headers } = mistake ?? INTERNAL;
    response
      .status(status)
      .set(headers)
      .json({ errors: [{ message, extensions: { code } }] });
  };
}

/** Writes an answer; what it refuses is charged the fee first, and denied where there is nothing to pay it with. */
export async function answerWithFee(
  endpoint: Pick<GraphqlEndpoint<BaseContext>, 'chargeFee'>,
  request: Request,
  response: Response,
  answer: Answer,
): Promise<number> {
  const charged = await withFee(endpoint, request, answer);
  await writeAnswer(response, charged);
  return charged.status;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const INTERNAL = { message: 'Internal server error', status: 500, code: 'INTERNAL_SERVER_ERROR', headers: {} };

async function execute<Context extends BaseContext>(
  { server, context }: Pick<GraphqlEndpoint<Context>, 'server' | 'context'>,
  request: Request,
  response: Response,
  body: unknown,
): Promise<Answer> {
  const headers = new HeaderMap();
  for (const name in request.headers) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const { url, method } = request;
  const mark = url.indexOf('?');
  const answer = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method, headers, search: mark < 0 ? '' : url.slice(mark), body },
    context: () => context({ req: request, res: response }),
  });
  return toAnswer(answer);
}

function toAnswer({ status = 200, headers, body }: HTTPGraphQLResponse): Answer {
  return { status, headers, body: body.kind === 'complete' ? body.string : body.asyncIterator };
}

/** Runs the operations of a batch at once, as one purchase, and answers with their answers in order. */
async function executeBatch<Context extends BaseContext>(
  endpoint: GraphqlEndpoint<Context>,
  request: Request,
  response: Response,
  bodies: unknown[],
): Promise<Answer> {
  let shared: Promise<Context> | undefined;
  const run = async (body: unknown, batchPlace: BatchPlace): Promise<Answer> => {
    const context = async (argument: Exchange) => {
      shared ??= endpoint.context(argument);
      return { ...(await shared), batchPlace };
    };
    try {
      const nested = Array.isArray(body) ? {} : body; // A batch in a batch is no operation.
      const answer = await execute({ ...endpoint, context }, request, response, nested);
      return await withFee(endpoint, request, answer);
    } finally {
      // One that never got as far as being priced must not keep the others waiting.
      batchPlace.leave();
    }
  };
  const places = createBatch(bodies.length);
  const answers = await Promise.all(bodies.map((body, index) => run(body, places[index]!)));
  const headers = joinBatchHeaders(answers.flatMap((answer) => [...answer.headers]));
  headers.set('content-type', JSON_TYPE);
  const statuses = new Set(answers.map(({ status }) => status));
  const status = statuses.size === 1 ? [...statuses][0]! : 200;
  const texts = answers.map(({ body }) => (typeof body === 'string' ? body : IN_PARTS));
  return { status, headers, body: `[${texts.join(',')}]` };
}

const IN_PARTS = JSON.stringify({
  errors: [{ message: 'Operations of a batch cannot be answered in parts', extensions: { code: 'BAD_REQUEST' } }],
});

/** Takes the fee for a mistake that the plugin has not seen. The answer is its denial where there is nothing to pay with. */
async function withFee<Given extends Answer>(
  { chargeFee }: Pick<GraphqlEndpoint<BaseContext>, 'chargeFee'>,
  request: Request,
  answer: Given,
  takesFee = answer.status >= 400 && answer.status < 500,
): Promise<Given | WholeAnswer> {
  const { status, headers, body } = answer;
  if (chargeFee === undefined || !takesFee || isPaid(headers) || typeof body !== 'string') return answer;
  const { parts, denial } = await chargeFee(request);
  setQuotaHeaders(headers, parts, Date.now());
  const cost = costExtension(parts);
  const extensions = cost && { cost };
  if (denial === undefined) return { status, headers, body: JSON.stringify({ ...JSON.parse(body), extensions }) };
  const { http, ...details } = denial.extensions as { http?: { status?: number; headers?: Map<string, string> } };
  for (const [name, value] of http?.headers ?? []) headers.set(name, value);
  const errors = [{ message: denial.message, extensions: details }];
  return { status: http?.status ?? 200, headers, body: JSON.stringify({ errors, extensions }) };
}

async function writeAnswer(response: Response, { status, headers, body }: Answer): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of headers) response.setHeader(name, value);
  // A page brings scripts of ours; every other answer is data.
  if (headers.get('content-type')?.startsWith('text/html')) response.setHeader('content-security-policy', PAGE_POLICY);
  if (typeof body === 'string') {
    response.setHeader('content-length', Buffer.byteLength(body));
    response.end(body);
    return;
  }
  for await (const chunk of body) {
    // The reader has gone: what else would come need not be worked out.
    if (response.destroyed) return;
    response.write(chunk);
  }
  response.end();
}
