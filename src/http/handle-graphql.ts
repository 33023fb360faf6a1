import type { ApolloServer, BaseContext, ContextFunction } from '@apollo/server';
import { HeaderMap } from '@apollo/server';
import type { Request, RequestHandler, Response } from 'express';
import type { BatchPlace } from '../protection/batch-place.js';
import { answerBatch, checkBatchSize } from './answer-batch.js';
import { idInPath } from './id-in-path.js';
import { PAGE_POLICY } from './page-policy.js';
import type { RejectRequest } from './reject-request.js';
import { type Outgoing, writeAnswer } from './write-answer.js';

interface Exchange {
  req: Request;
  res: Response;
}

/** Members of an operation's context value that this handler uses. */
export interface HandledContext extends BaseContext {
  /** Place of an operation in a batch: the plugin charges the operations of a batch as one. */
  batchPlace?: BatchPlace;
  /**
   * Whether the response of the plugin reports the charge of the operation. It is an object because
   * Apollo Server copies context values.
   */
  payment?: { isPaid: boolean };
}

/** Marks the request as paid. Use it as the plugin's hook `onAnswered`. */
export function markPaid({ payment }: HandledContext): void {
  if (payment) payment.isPaid = true;
}

/** One GraphQL API at one path. */
export interface GraphqlEndpoint<Context extends HandledContext> {
  path: string;
  server: ApolloServer<Context>;
  context: ContextFunction<[Exchange], Context>;
  /**
   * Charges the fee of requests that are rejected before they reach the plugin. @default such
   * requests are free
   */
  reject?: RejectRequest;
  /** Maximum number of operations in a batch. @default 0: batches are rejected */
  maxBatchSize?: number;
  /** Origins whose pages may read the responses. @default none */
  corsOrigins?: readonly string[];
}

/** Returns a handler that executes the operations in the body or the query string of a request. */
export function handleGraphql<Context extends HandledContext>(
  endpoint: GraphqlEndpoint<Context>,
  onAnswer: (status: number) => void,
): RequestHandler {
  return async (request, response) => {
    const body: unknown = request.body;
    let answer: Outgoing;
    if (Array.isArray(body)) {
      checkBatchSize(body, endpoint.maxBatchSize ?? 0);
      let shared: Promise<Context> | undefined;
      answer = await answerBatch(body, (operation: unknown, batchPlace) => {
        const context = async (exchange: Exchange) => {
          shared ??= endpoint.context(exchange);
          return { ...(await shared), batchPlace };
        };
        // A batch inside a batch is not an operation.
        return execute({ ...endpoint, context }, request, response, Array.isArray(operation) ? {} : operation);
      });
    } else answer = await execute(endpoint, request, response, body);
    onAnswer(answer.status);
    await writeAnswer(response, answer);
  };
}

async function execute<Context extends HandledContext>(
  { server, context, reject }: GraphqlEndpoint<Context>,
  request: Request,
  response: Response,
  given: unknown,
): Promise<Outgoing> {
  const headers = new HeaderMap();
  for (const name in request.headers) {
    const value = request.headers[name];
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value);
  }
  const { method } = request;
  const { search, body } = withIdInPath(request, given);
  const payment = { isPaid: false };
  const answered = await server.executeHTTPGraphQLRequest({
    httpGraphQLRequest: { method, headers, search, body },
    context: async () => Object.assign(await context({ req: request, res: response }), { payment }),
  });
  const { status = 200 } = answered;
  // A page may load scripts from this server. All other responses are data and may load nothing.
  const isPage = answered.headers.get('content-type')?.startsWith('text/html');
  if (isPage) answered.headers.set('content-security-policy', PAGE_POLICY);
  if (answered.body.kind !== 'complete') return { ...answered, status, body: answered.body.asyncIterator };
  const answer = { status, headers: answered.headers, body: answered.body.string };
  const isUnpaid = reject && status >= 400 && status < 500 && !payment.isPaid;
  return isUnpaid ? withFee(answer, await reject(request, JSON.parse(answer.body).errors)) : answer;
}

/** Returns the search and the body of a request, with the id of a document in its path. */
function withIdInPath(request: Request, body: unknown): { search: string; body: unknown } {
  const { url, method } = request;
  const mark = url.indexOf('?');
  const search = mark < 0 ? '' : url.slice(mark);
  if (mark === 0 || mark === 1 || url.length <= 1) return { search, body };
  if (method === 'GET') {
    const id = idInPath(request, new URLSearchParams(search).get('query'));
    if (id === undefined) return { search, body };
    return { search: `${search === '' ? '?' : `${search}&`}documentId=${encodeURIComponent(id)}`, body };
  }
  const given = typeof body === 'object' && body !== null ? body : {};
  const id = idInPath(request, (given as { query?: unknown }).query);
  return { search, body: id === undefined ? body : { ...given, documentId: id } };
}

/**
 * Adds the fee to a response that the plugin has not seen. If a limit denies the fee, the denial
 * replaces the response.
 */
function withFee(
  { status, headers, body }: { status: number; headers: Map<string, string>; body: string },
  { feePaid, ...fee }: Awaited<ReturnType<RejectRequest>>,
): Outgoing {
  for (const [name, value] of Object.entries(fee.headers)) headers.set(name, value);
  if (feePaid === false) return { status: fee.status, headers, body: JSON.stringify(fee.body) };
  const { extensions } = fee.body;
  return { status, headers, body: JSON.stringify({ ...JSON.parse(body), ...(extensions && { extensions }) }) };
}
