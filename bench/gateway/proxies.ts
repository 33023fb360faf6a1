import type { RequestHandler } from 'express';
import type { GraphQLSchema } from 'graphql';
import { createByteRate } from '../../src/gateway/byte-rate.js';
import { createGateway, type GatewayContext } from '../../src/gateway/create-gateway.js';
import { headersForCaller, headersForUpstream } from '../../src/gateway/headers-for-upstream.js';
import { createReadBudget } from '../../src/gateway/upstream/read-budget.js';
import { createUpstream, type Upstream } from '../../src/gateway/upstream/upstream.js';
import { writeAnswer } from '../../src/http/write-answer.js';
import { createTollgate } from '../../src/index.js';
import type { Precision } from '../../src/model/limit-parameters.js';
import type { HandlerEndpoint } from '../../src/server/http/create-app.js';
import { subjectOf } from '../decision/workload.js';
import { serveEndpoint } from '../http/serve-endpoint.js';
import { benchPolicy } from '../http/tollgate.js';

export const TIMEOUT_MS = 30_000;

export interface ProxyOptions {
  schema: GraphQLSchema;
  upstreamUrl: string;
  /** URL of the Redis that stores the counters. @default counters in the memory of this process */
  redis?: string;
  /** Precision of the limits. @default EXACT */
  precision?: Precision;
  /** @default the default of the gateway */
  maxRequests?: number;
}

export interface StartedProxy {
  url: string;
  close(): Promise<void>;
}

type Handlers = Pick<HandlerEndpoint, 'handle' | 'reject'>;

/**
 * Starts a proxy with the server and the upstream client of the gateway, and no limits. It reads
 * the whole request, sends it, reads the whole response and writes it. It does not buffer a
 * response of unknown length.
 */
export function startProxy({ upstreamUrl, maxRequests = 256 }: ProxyOptions): Promise<StartedProxy> {
  const upstream = createUpstream({ url: upstreamUrl, timeoutMs: TIMEOUT_MS, maxRequests });
  const handle: RequestHandler = async (request, response) => {
    const forwarding = { headers: request.headers, protocol: 'http', accept: 'application/json' } as const;
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    const answer = await upstream.ask({
      body: JSON.stringify(request.body),
      headers: headersForUpstream(forwarding, request.socket.remoteAddress),
      signal: gone.signal,
      isQuery: true,
    });
    const headers = headersForCaller(answer.headers);
    headers.push(['content-type', answer.headers['content-type'] ?? '']);
    // A body without a content length is forwarded in chunks, because its size is unknown.
    const isWhole = answer.headers['content-length'] !== undefined;
    const body = isWhole ? await readWhole(answer.body) : answer.body;
    await writeAnswer(response, { status: answer.status, headers, body }, TIMEOUT_MS);
  };
  return serve(upstream, { handle: () => handle }, async () => {});
}

async function readWhole(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece);
  return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
}

/** Starts the gateway with six limits for each operation. */
export async function startGatewayProxy({
  schema,
  upstreamUrl,
  redis,
  precision,
  maxRequests = 256,
}: ProxyOptions): Promise<StartedProxy> {
  const tollgate = await createTollgate<GatewayContext>({
    schema,
    ...benchPolicy(redis, precision),
    identify: ({ contextValue: { subject } }) => subject,
  });
  const upstream = createUpstream({ url: upstreamUrl, timeoutMs: TIMEOUT_MS, maxRequests });
  const reject = async () => {
    throw new Error('the gateway rejected a request of the benchmark');
  };
  const options = {
    upstream,
    subscriptions: upstream,
    heartbeatMs: 12_000,
    reject,
    protect: () => tollgate.protect,
    identify: async ({ headers }: { headers: Record<string, string | string[] | undefined> }) =>
      subjectOf(Number(headers['x-caller'] ?? 0)),
    // Each user counts as a separate caller. All users have the same address, and a single caller
    // may use only a quarter of `maxRequests`.
    callerKey: ({ user }: { user?: string }) => user ?? '',
    addressOf: (request: { socket: { remoteAddress?: string | undefined } }) => request.socket.remoteAddress,
    protocolOf: () => 'http' as const,
    headers: {},
    timeoutMs: TIMEOUT_MS,
    byteRate: createByteRate(undefined),
    budget: createReadBudget({ maxBytes: 8 * 2 ** 20, maxBytesEach: 2 ** 20 }),
    maxBatchSize: 0,
    production: true,
    onFailure: (failure: Error) => console.error(failure),
  };
  const handlers: Handlers = {
    handle: (onAnswer) => createGateway(options, onAnswer),
    reject,
  };
  return serve(upstream, handlers, () => tollgate.close());
}

async function serve(upstream: Upstream, handlers: Handlers, close: () => Promise<unknown>): Promise<StartedProxy> {
  const { url, stop } = await serveEndpoint({ path: '/graphql', ...handlers });
  return {
    url,
    async close() {
      await stop();
      await upstream.close();
      await close();
    },
  };
}
