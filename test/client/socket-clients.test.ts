import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ApolloClient, gql, InMemoryCache } from '@apollo/client/core';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { subscriptionExchange, Client as UrqlClient } from '@urql/core';
import { type Client, createClient, type ServerOptions } from 'graphql-ws';
import { useServer } from 'graphql-ws/use/ws';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { filter, subscribe as listen, pipe } from 'wonka';
import { WebSocket, WebSocketServer } from 'ws';
import { paceSubscriptions } from '../../packages/client/src/graphql-ws.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { openGateway } from '../gateway/gateway.js';
import { until } from '../helpers/until.js';

// Clients of subscriptions with a real server and through the gateway. One subscription may be open.

const SCHEMA = `
  type Query { me: String }
  type Subscription { ticks: Int }
`;
const TICKS = 'subscription { ticks }';
const RULE = {
  name: 'open-subscriptions',
  scope: 'GLOBAL' as const,
  field: '*',
  measure: 'SUBSCRIPTIONS' as const,
  limits: [{ algorithm: 'CONCURRENCY' as const, capacity: 1, leaseMs: 60_000 }],
};

// The link of Apollo Client reads this global, which Node 20 does not have.
Object.assign(globalThis, { WebSocket });

/** Emits one event, and then none until the client leaves. */
function endless(): AsyncIterableIterator<{ ticks: number }, undefined> {
  let count = 0;
  let leave = () => {};
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  return {
    async next() {
      count++;
      if (count === 1) return { done: false, value: { ticks: 1 } };
      await left;
      return { done: true, value: undefined };
    },
    async return() {
      leave();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

let rejectedTokens: string[] = [];
let closeForbidden = () => {};
const schema = makeExecutableSchema({
  typeDefs: SCHEMA,
  resolvers: {
    Subscription: {
      ticks: {
        subscribe: endless,
      },
    },
  },
});

/** Serves the schema over WebSockets. A token in `rejectedTokens` is forbidden. */
async function serve(options: ServerOptions) {
  const http = createServer((_request, response) => response.writeHead(404).end());
  const server = new WebSocketServer({ server: http, path: '/graphql' });
  useServer(
    {
      ...options,
      onConnect: ({ connectionParams, extra }) => {
        closeForbidden = () => (extra as { socket: WebSocket }).socket.close(4403, 'The token has expired');
        return !rejectedTokens.includes(String(connectionParams?.['token']));
      },
    },
    server,
  );
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/graphql`,
    async close() {
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

type Open = (onData: (data: unknown) => void, onError: (error: unknown) => void) => () => void;

/**
 * Returns a function that subscribes with a client library, and returns how to leave. A client of
 * Apollo or urql shares equal subscriptions, so each subscription has a client of its own.
 */
const LIBRARIES: Record<string, (client: Client) => Open> = {
  'graphql-ws': (client) => (onData, onError) =>
    client.subscribe(
      { query: TICKS },
      { next: ({ data, errors }) => (errors ? onError(errors) : onData(data)), error: onError, complete: () => {} },
    ),
  'Apollo Client': (client) => (onData, onError) => {
    const apollo = new ApolloClient({ link: new GraphQLWsLink(client), cache: new InMemoryCache() });
    const subscribed = apollo
      .subscribe({ query: gql(TICKS) })
      .subscribe(({ data, error }) => (error ? onError(error) : onData(data)));
    return () => subscribed.unsubscribe();
  },
  urql: (client) => (onData, onError) => {
    const forward = subscriptionExchange({
      forwardSubscription: ({ query = '', variables }) => ({
        subscribe: (sink) => ({
          unsubscribe: client.subscribe(
            { query, ...(variables && { variables: variables as object as Record<string, unknown> }) },
            { ...sink, next: (result) => sink.next(result as Parameters<typeof sink.next>[0]) },
          ),
        }),
      }),
    });
    const urql = new UrqlClient({ url: 'http://unused.test', exchanges: [forward], preferGetMethod: false });
    const subscribed = pipe(
      urql.subscription(TICKS, {}),
      // urql repeats the last result when the subscription completes.
      filter(({ error, hasNext }) => error !== undefined || hasNext),
      listen(({ data, error }) => (error ? onError(error) : onData(data))),
    );
    return () => subscribed.unsubscribe();
  },
};

describe.each(['own server', 'gateway'])('clients of subscriptions, %s', (place) => {
  let url: string;
  const closers: (() => unknown)[] = [];
  const clients: Client[] = [];
  beforeAll(async () => {
    if (place === 'gateway') {
      const api = await serve({ schema });
      closers.push(api.close);
      const folder = mkdtempSync(join(tmpdir(), 'tollgate-clients-'));
      closers.push(() => rmSync(folder, { recursive: true }));
      const schemaFile = join(folder, 'schema.graphql');
      writeFileSync(schemaFile, SCHEMA);
      ({ url } = await openGateway(api.url, { schemaFile }, {}, 1000, [RULE]));
      return;
    }
    const tollgate = await createTollgate({ schema, identify: () => ({ user: 'ann' }), rules: [RULE] });
    const api = await serve(tollgate.execution({ schema, context: ({ extra }: { extra: object }) => ({ extra }) }));
    closers.push(api.close, () => tollgate.close());
    ({ url } = api);
  });
  afterEach(async () => {
    rejectedTokens = [];
    for (const client of clients.splice(0)) await client.dispose();
  });
  afterAll(async () => {
    for (const close of closers) await close();
  });

  function connect(connectionParams?: () => Record<string, unknown>): Client {
    const client = createClient({
      url: url.replace('http', 'ws'),
      webSocketImpl: WebSocket,
      lazy: false,
      onNonLazyError: () => {},
      retryWait: async () => {},
      ...(connectionParams && { connectionParams }),
    });
    clients.push(client);
    return client;
  }

  it.each(
    Object.entries(LIBRARIES),
  )('%s receives a denial, and subscribes again when it is paced', async (_, library) => {
    const socket = connect();
    const waits: number[] = [];
    const errors: unknown[] = [];
    const received: string[] = [];
    const failed = (error: unknown) => errors.push(error);
    const receivesAs = (name: string) => () => received.push(name);
    const paced = library(paceSubscriptions(socket, { onWait: (waitMs) => waits.push(waitMs) }));
    let leaveFirst = paced(receivesAs('first'), failed);
    // The slot of the test before this one is free as soon as its subscription has ended.
    await until('the first subscription has its event', () => {
      if (waits.splice(0).length > 0) {
        leaveFirst();
        leaveFirst = paced(receivesAs('first'), failed);
      }
      return received.includes('first');
    });
    const denials: unknown[] = [];
    library(socket)(receivesAs('second'), (denial) => denials.push(denial));
    await until('the second subscription is denied', () => denials.length > 0);
    expect(inspect(denials[0], { depth: 8 })).toContain('THROTTLED');
    const leaveThird = paced(receivesAs('third'), failed);
    await until('the third subscription waits', () => waits.length > 0);
    leaveFirst();
    await until('the third subscription has its event', () => received.includes('third'));
    leaveThird();
    expect(errors).toEqual([]);
    expect(received).toEqual(['first', 'third']);
  });

  it('a client whose token has expired connects again with new parameters', async () => {
    const tokens = ['expired', 'fresh'];
    rejectedTokens = ['expired'];
    const sent: unknown[] = [];
    const client = connect(() => {
      const token = tokens.shift() ?? 'fresh';
      sent.push(token);
      return { token };
    });
    const connected: unknown[] = [];
    client.on('connected', () => connected.push(1));
    await until('the client has connected with the second token', () => connected.length === 1);
    expect(sent).toEqual(['expired', 'fresh']);
    // The token expires while the socket is open.
    closeForbidden();
    await until('the client has connected again', () => connected.length === 2);
    expect(sent).toEqual(['expired', 'fresh', 'fresh']);
  });
});

describe('paced subscriptions with a clock of the test', () => {
  /** A client whose answers the test gives, in the order of its subscriptions. */
  function fakeSocket() {
    const started: { next(value: unknown): void; error(error: unknown): void; complete(): void; left: boolean }[] = [];
    const timers: { atMs: number; callback: () => void }[] = [];
    let nowMs = 0;
    const client = {
      subscribe(_payload: object, sink: { next(value: never): void; error(error: unknown): void; complete(): void }) {
        const entry = { ...sink, next: (value: unknown) => sink.next(value as never), left: false };
        started.push(entry);
        return () => {
          entry.left = true;
        };
      },
    };
    const paced = paceSubscriptions(client, {
      maxWaitMs: 90_000,
      now: () => nowMs,
      random: () => 0,
      setTimer: (callback, delayMs) => {
        const timer = { atMs: nowMs + delayMs, callback };
        timers.push(timer);
        return () => void timers.splice(timers.indexOf(timer), 1);
      },
    });
    const pass = (ms: number) => {
      nowMs += ms;
      for (const timer of timers.filter(({ atMs }) => atMs <= nowMs)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.callback();
      }
    };
    const open = () => {
      const failed: unknown[] = [];
      const leave = paced.subscribe({}, { next: () => {}, error: (error) => failed.push(error), complete: () => {} });
      return { failed, leave };
    };
    return { started, timers, pass, open };
  }
  const denial = (retryAfterMs: number, more: object = {}) => [
    { message: 'denied', extensions: { code: 'THROTTLED', retryAfterMs, ...more } },
  ];
  const lacksSlot = denial(60_000, { isConcurrency: true });

  it('an operation that lacks a slot starts again when another one ends, and then with longer waits', () => {
    const { started, pass, open } = fakeSocket();
    const first = open();
    open();
    started[1]!.error(lacksSlot);
    pass(1000);
    expect(started).toHaveLength(2);
    first.leave();
    expect(started[0]!.left).toBe(true);
    expect(started).toHaveLength(3);
    // The API has not freed the slot yet.
    started[2]!.error(lacksSlot);
    pass(49);
    expect(started).toHaveLength(3);
    pass(1);
    expect(started).toHaveLength(4);
    started[3]!.error(lacksSlot);
    pass(99);
    expect(started).toHaveLength(4);
    pass(1);
    expect(started).toHaveLength(5);
  });

  it('only one of the operations that lack a slot starts again when another one ends', () => {
    const { started, open } = fakeSocket();
    open();
    open();
    open();
    started[1]!.error(lacksSlot);
    started[2]!.error(lacksSlot);
    started[0]!.complete();
    expect(started).toHaveLength(4);
  });

  it('an operation that lacks tokens does not start again earlier than the API reports', () => {
    const { started, pass, open } = fakeSocket();
    open();
    open();
    started[1]!.error(denial(5000));
    started[0]!.complete();
    pass(4999);
    expect(started).toHaveLength(2);
    pass(1);
    expect(started).toHaveLength(3);
  });

  it('an operation fails with its denial if it would wait longer than the maximum', () => {
    const { started, pass, open } = fakeSocket();
    const tooLong = open();
    started[0]!.error(denial(90_001));
    expect(tooLong.failed).toHaveLength(1);
    const repeated = open();
    started[1]!.error(denial(60_000));
    pass(60_000);
    started[2]!.error(denial(60_000));
    expect(repeated.failed).toHaveLength(1);
    expect(started).toHaveLength(3);
  });

  it('an operation that its client ends while it waits does not start again', () => {
    const { started, timers, open } = fakeSocket();
    open();
    const waiting = open();
    started[1]!.error(lacksSlot);
    waiting.leave();
    started[0]!.complete();
    expect(timers).toEqual([]);
    expect(started).toHaveLength(2);
  });
});
