import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { onTestFinished } from 'vitest';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import type { SocketOptions } from '../../src/graphql-ws/socket-options.js';
import type { RuleInput } from '../../src/index.js';
import type { Subject } from '../../src/model/subject.js';
import { openTollgate, type PlatformTollgate } from '../../src/tollgate/create-tollgate.js';
import type { TollgateOptions } from '../../src/tollgate/tollgate-options.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { until } from '../helpers/until.js';
import { Channel } from './channel.js';

export interface Message {
  type: string;
  id?: string;
  payload?: unknown;
}

export const slots = (capacity: number, more: object = {}) => ({
  algorithm: 'CONCURRENCY' as const,
  capacity,
  leaseMs: 60_000,
  ...more,
});

export const limitOn = (measure: 'SUBSCRIPTIONS' | 'CONNECTIONS', capacity: number, more: object = {}): RuleInput => ({
  name: measure.toLowerCase(),
  scope: 'USER',
  field: '*',
  measure,
  limits: [slots(capacity)],
  ...more,
});

/** Serves the schema at `/graphql` of a free port. */
type Serve = (parts: {
  schema: GraphQLSchema;
  tollgate: PlatformTollgate<{ req: IncomingMessage }>;
  sockets: SocketOptions | undefined;
}) => Promise<{ port: number; close(): unknown }>;

interface SocketApiOptions extends Partial<TollgateOptions<{ req: IncomingMessage }>> {
  sockets?: SocketOptions;
  /** Options of graphql-ws, in addition to the schema. */
  server?: object;
  /** Whether handshakes are decided before the WebSocket opens. @default true */
  verifies?: boolean;
  keepAliveMs?: number;
  /** @default graphql-ws and ws */
  serve?: Serve;
}

/** Serves a schema with subscriptions over WebSockets, with graphql-ws and ws. */
export async function serveSockets({
  sockets,
  server: options,
  verifies = true,
  keepAliveMs = 0,
  serve,
  ...more
}: SocketApiOptions = {}) {
  const channel = new Channel();
  /** Number of events that were read from the field `endless`. */
  const reads = { count: 0 };
  const schema = makeExecutableSchema({
    typeDefs: /* GraphQL */ `
      type Query { hello: String }
      type Subscription { ticks: Int, texts: String, endless: String }
    `,
    resolvers: {
      Query: { hello: () => 'world' },
      Subscription: {
        ticks: { subscribe: () => channel.subscribe() },
        texts: { subscribe: () => channel.subscribe() },
        endless: {
          async *subscribe() {
            const endless = 'x'.repeat(65_536);
            for (;;) {
              reads.count++;
              yield { endless };
            }
          },
        },
      },
    },
  });
  const tollgate: PlatformTollgate<{ req: IncomingMessage }> = await openTollgate<{ req: IncomingMessage }>(
    {
      schema,
      identify: ({ header }) => ({ user: header('x-user') ?? 'ann', ip: '192.0.2.1' }),
      tiers: [{ name: 'free', capacity: 1_000_000, refillAmount: 1_000_000, refillPeriodMs: 1000, isDefault: true }],
      logger: { info() {}, warn() {}, error() {} },
      ...more,
    },
    undefined,
  );
  const http = createServer();
  const live = tollgate.webSockets({ schema, ...options }, sockets);
  const webSockets = new WebSocketServer({
    server: http,
    path: '/graphql',
    ...(verifies && { verifyClient: live.verifyClient }),
  });
  useServer(live.options as Parameters<typeof useServer>[0], webSockets, keepAliveMs);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const served = await serve?.({ schema, tollgate, sockets });
  const url = `ws://127.0.0.1:${served?.port ?? (http.address() as AddressInfo).port}/graphql`;
  const open: WebSocket[] = [];
  let stopped: Promise<void> | undefined;
  /** Stops Tollgate, but not the server. */
  function stop(): Promise<void> {
    stopped ??= tollgate.close();
    return stopped;
  }
  async function close(): Promise<void> {
    await stop();
    for (const socket of open) socket.terminate();
    await served?.close();
    webSockets.close();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  }
  onTestFinished(close);

  /** Opens a WebSocket. Resolves when it has opened, or was not accepted. */
  async function connect({ headers = {}, params }: { headers?: Record<string, string>; params?: object } = {}) {
    const socket = new WebSocket(url, 'graphql-transport-ws', { headers });
    open.push(socket);
    const messages: Message[] = [];
    let closed: { code: number; reason: string } | undefined;
    let rejected: { status: number; headers: IncomingMessage['headers']; body: string } | undefined;
    socket.on('message', (data: RawData) => messages.push(JSON.parse(String(data)) as Message));
    socket.on('close', (code, reason) => {
      closed = { code, reason: String(reason) };
    });
    socket.on('error', () => {});
    await new Promise<void>((resolve) => {
      socket.once('open', resolve);
      socket.once('unexpected-response', (_request, response: IncomingMessage) => {
        let body = '';
        response.on('data', (part) => {
          body += String(part);
        });
        response.on('end', () => {
          rejected = { status: response.statusCode ?? 0, headers: response.headers, body };
          resolve();
        });
      });
    });
    const send = (message: object) => socket.send(JSON.stringify(message));
    const client = {
      socket,
      messages,
      send,
      get closed() {
        return closed;
      },
      get rejected() {
        return rejected;
      },
      of: (id: string) => messages.filter((message) => message.id === id),
      subscribe: (id: string, query = 'subscription { ticks }') => send({ type: 'subscribe', id, payload: { query } }),
      complete: (id: string) => send({ type: 'complete', id }),
      got: (type: string, id?: string) =>
        until(
          `a message ${type} ${id ?? ''}`,
          () => messages.some((message) => message.type === type && (id === undefined || message.id === id)),
          PATIENT_MS,
        ),
      hasClosed: () => until('the connection has closed', () => closed !== undefined, PATIENT_MS),
    };
    if (rejected) return client;
    send({ type: 'connection_init', ...(params && { payload: params }) });
    await until(
      'the connection is acknowledged or closed',
      () => closed !== undefined || messages.some(({ type }) => type === 'connection_ack'),
      PATIENT_MS,
    );
    return client;
  }

  const used = async (rule: string, subject: Subject = { user: 'ann', ip: '192.0.2.1' }) =>
    (await tollgate.quota(subject)).find((entry) => entry.rule === rule)?.used;
  const usedIs = (rule: string, count: number, subject?: Subject) =>
    until(`${count} slots of ${rule} are used`, async () => (await used(rule, subject)) === count, PATIENT_MS);
  const readersAre = (count: number) => until(`${count} sources are open`, () => channel.readers === count, PATIENT_MS);
  return { tollgate, channel, url, connect, used, usedIs, readersAre, stop, schema, webSockets, reads };
}

export type SocketApi = Awaited<ReturnType<typeof serveSockets>>;
export type SocketClient = Awaited<ReturnType<SocketApi['connect']>>;
