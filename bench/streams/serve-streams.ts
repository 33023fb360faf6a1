import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as waitMs } from 'node:timers/promises';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { useServer as serveOperations } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { createTollgate, type RuleInput } from '../../src/index.js';
import { Channel } from '../../test/graphql-ws/channel.js';
import { benchPolicy } from '../http/tollgate.js';

/** Adds limits, or none, to a graphql-ws server. */
export type Protection = (schema: GraphQLSchema, redisUrl: string) => Promise<ProtectedServer>;

interface ProtectedServer {
  options: object;
  verifyClient?: unknown;
  close(): Promise<unknown>;
}

export interface ServedStreams {
  url: string;
  /** Waits until this number of subscriptions is open. */
  opened(count: number): Promise<unknown>;
  /** Sends an event to the talking subscription with this number. `sentMs` is the time of its delay. */
  publish(talker: number, sentMs: number): void;
  close(): Promise<unknown>;
}

const TYPE_DEFS = /* GraphQL */ `
  type Query { hello: String }
  type Price { id: ID, amount: Float, currency: String, sentMs: Float }
  type Subscription { priceChanged(talker: Int!): Price }
`;

const slots = { algorithm: 'CONCURRENCY' as const, capacity: 20, leaseMs: 60_000 };

const RULES: RuleInput[] = [
  { name: 'connections', scope: 'USER', field: '*', measure: 'CONNECTIONS', limits: [slots] },
  { name: 'subscriptions', scope: 'USER', field: '*', measure: 'SUBSCRIPTIONS', limits: [slots] },
  {
    name: 'new-subscriptions',
    scope: 'USER',
    field: 'Subscription.*',
    measure: 'CALLS',
    limits: [{ algorithm: 'SLIDING_WINDOW_COUNTER', amount: 1000, windowMs: 60_000 }],
  },
  {
    name: 'event-tokens',
    scope: 'USER',
    field: 'Subscription.*',
    limits: [{ algorithm: 'TOKEN_BUCKET', capacity: 1_000_000, refillAmount: 1_000_000, refillPeriodMs: 1000 }],
    onEventDenied: 'DROP',
  },
];

export const plain: Protection = async (schema) => ({ options: { schema }, close: async () => {} });

export const protectedInMemory: Protection = (schema) => protect(schema);

export const protectedOnRedis: Protection = (schema, redisUrl) => protect(schema, redisUrl);

async function protect(schema: GraphQLSchema, redis?: string): Promise<ProtectedServer> {
  let isClosing = false;
  const tollgate = await createTollgate({
    schema,
    identify: ({ header }) => ({ user: header('x-user') ?? 'none' }),
    ...benchPolicy(redis),
    rules: RULES,
    logger: {
      info() {},
      warn() {},
      // Without Redis, limits are decided in another way, which must not be measured.
      error(_details, message) {
        if (isClosing) return;
        console.error(message);
        process.exit(1);
      },
    },
  });
  const { options, verifyClient } = tollgate.webSockets({ schema });
  return {
    options,
    verifyClient,
    close() {
      isClosing = true;
      return tollgate.close();
    },
  };
}

/** Serves subscriptions over graphql-ws. A talker with a negative number never gets an event. */
export async function serveStreams(protection: Protection, redisUrl: string): Promise<ServedStreams> {
  const channels = new Map<number, Channel>();
  const schema = makeExecutableSchema({
    typeDefs: TYPE_DEFS,
    resolvers: {
      Subscription: {
        priceChanged: {
          subscribe(_: unknown, { talker }: { talker: number }) {
            const channel = channels.get(talker) ?? new Channel();
            channels.set(talker, channel);
            return channel.subscribe();
          },
        },
      },
    },
  });
  const { options, verifyClient, close } = await protection(schema, redisUrl);
  const http: Server = createServer();
  const sockets = new WebSocketServer({
    server: http,
    path: '/graphql',
    ...(verifyClient !== undefined && { verifyClient: verifyClient as () => boolean }),
  });
  serveOperations(options as Parameters<typeof serveOperations>[0], sockets, 0);
  await new Promise<void>((resolve) => http.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve));
  return {
    url: `ws://127.0.0.1:${(http.address() as AddressInfo).port}/graphql`,
    async opened(count) {
      const open = () => [...channels.values()].reduce((sum, { readers }) => sum + readers, 0);
      while (open() !== count) await waitMs(20);
    },
    publish(talker, sentMs) {
      channels.get(talker)?.publish({ priceChanged: { id: talker, amount: 12.5, currency: 'EUR', sentMs } });
    },
    async close() {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
      http.close();
      await close();
    },
  };
}
