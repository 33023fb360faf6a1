import { fileURLToPath } from 'node:url';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { ExecutionResult, GraphQLSchema } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../../src/tollgate/create-tollgate.js';
import { useTollgate } from '../../../src/yoga/use-tollgate.js';
import type { YogaPlugin } from '../../../src/yoga/yoga-plugin.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { until } from '../../helpers/until.js';

// Tests of operations over the WebSockets of graphql-ws, in NestJS with the driver of Yoga.

interface NestApp {
  openNest(options: { schema: GraphQLSchema; protect(): Promise<YogaPlugin> }): Promise<{
    listen(): Promise<string>;
    close(): Promise<void>;
  }>;
}

interface Socket {
  readyState: number;
  on(event: 'message', listener: (data: unknown) => void): void;
  once(event: 'open', listener: () => void): void;
  send(text: string): void;
  close(): void;
}

// The package has no types.
const { WebSocket } = (await import(String('ws'))) as {
  WebSocket: { new (url: string, protocol: string, options: object): Socket; OPEN: number };
};

const schema = makeExecutableSchema({
  typeDefs: /* GraphQL */ `
    type Query { items(first: Int!): [Item!]! }
    type Subscription { ticks(first: Int!): [Item!]!, silence: Item }
    type Item { name: String }
  `,
  resolvers: {
    Query: { items: (_: unknown, { first }: { first: number }) => Array.from({ length: first / 2 }, () => ({})) },
    Subscription: {
      ticks: {
        async *subscribe() {
          yield { ticks: [{ name: 'a' }] };
          yield { ticks: [{ name: 'b' }] };
        },
      },
      silence: {
        subscribe: () => ({
          next: () => new Promise(() => {}),
          return: async () => ({ done: true, value: undefined }),
          [Symbol.asyncIterator]() {
            return this;
          },
        }),
      },
    },
  },
});

let tollgate: Tollgate;
let url: string;
let close: () => Promise<void>;

beforeAll(async () => {
  const { openNest } = (await import(fileURLToPath(new URL('nest-app.mjs', import.meta.url)))) as NestApp;
  tollgate = await createTollgate({
    schema,
    identify: ({ header }) => ({ user: header('x-user') ?? 'nobody' }),
    tiers: [{ name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    rules: [
      {
        name: 'one-at-a-time',
        scope: 'USER',
        field: 'Subscription.silence',
        measure: 'REQUESTS',
        limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 600_000 }],
      },
    ],
    logger: { info() {}, warn() {}, error() {} },
  });
  const app = await openNest({ schema, protect: async () => useTollgate(tollgate) });
  close = () => app.close();
  url = await app.listen();
});

afterAll(async () => {
  await close();
  await tollgate.close();
});

/** Opens a connection of one caller, in the protocol of graphql-ws. */
async function connect(user: string) {
  const socket = new WebSocket(url, 'graphql-transport-ws', { headers: { 'x-user': user } });
  const came: { id?: string; type: string; payload?: unknown }[] = [];
  socket.on('message', (data) => came.push(JSON.parse(String(data))));
  await new Promise((resolve) => socket.once('open', () => resolve(undefined)));
  const send = (message: object) => socket.send(JSON.stringify(message));
  send({ type: 'connection_init' });
  await until('the connection is acknowledged', async () => came.length > 0, PATIENT_MS);
  let asked = 0;
  return {
    close: () => socket.close(),
    start(query: string): string {
      const id = String(++asked);
      send({ id, type: 'subscribe', payload: { query } });
      return id;
    },
    stop: (id: string) => send({ id, type: 'complete' }),
    async ask(query: string) {
      const id = this.start(query);
      const isOver = () => came.some((each) => each.id === id && (each.type === 'complete' || each.type === 'error'));
      await until('the operation has ended', async () => isOver() || socket.readyState !== WebSocket.OPEN, PATIENT_MS);
      expect(socket.readyState).toBe(WebSocket.OPEN);
      // biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
      return came.filter((each) => each.id === id && each.payload).map(({ payload }) => payload) as any[];
    },
  };
}

const left = async (user: string, rule = 'tier:free') =>
  (await tollgate.quota({ user })).find((entry) => entry.rule === rule)!.remaining;
const costOf = ({ extensions }: ExecutionResult) => extensions?.['cost'];

it('operations on a connection are charged to its caller, and the difference to the estimate is refunded', async () => {
  const ann = await connect('ann');
  const bob = await connect('bob');
  const [answer] = await ann.ask('{ items(first: 10) { name } }');
  expect(answer.data.items).toHaveLength(5);
  expect(costOf(answer)).toMatchObject({ requestedQueryCost: 10, actualQueryCost: 5 });
  const events = await bob.ask('subscription { ticks(first: 4) { name } }');
  expect(events.map(({ data }) => data)).toEqual([{ ticks: [{ name: 'a' }] }, { ticks: [{ name: 'b' }] }]);
  expect(costOf(events[0])).toMatchObject({ requestedQueryCost: 4, actualQueryCost: null });
  // Bob pays the estimate of 4, and 1 for each of two events.
  expect([await left('ann'), await left('bob')]).toEqual([95, 94]);
  ann.close();
  bob.close();
});

it('an operation over an open connection can be denied, and one above the capacity costs the fee', async () => {
  const cid = await connect('cid');
  await cid.ask('{ items(first: 100) { name } }');
  const [denied] = await cid.ask('{ items(first: 60) { name } }');
  expect(denied.errors[0].extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'tier:free', remaining: 50 });
  const [tooExpensive] = await cid.ask('subscription { ticks(first: 500) { name } }');
  expect(tooExpensive.errors[0].extensions).toMatchObject({ code: 'MAX_COST_EXCEEDED' });
  expect(costOf(tooExpensive)).toMatchObject({ fee: 1 });
  await cid.ask('{ nothing }');
  expect(await left('cid')).toBe(48);
  cid.close();
});

it('a subscription holds its slot until it ends', async () => {
  const dan = await connect('dan');
  const id = dan.start('subscription { silence { name } }');
  await until('the subscription runs', async () => (await left('dan', 'one-at-a-time')) === 0, PATIENT_MS);
  const [denied] = await dan.ask('subscription { silence { name } }');
  expect(denied.errors[0].extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'one-at-a-time' });
  dan.stop(id);
  await until('its slot is free', async () => (await left('dan', 'one-at-a-time')) === 1, PATIENT_MS);
  dan.close();
});
