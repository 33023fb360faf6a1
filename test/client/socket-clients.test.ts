import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
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

// Clients of subscriptions with a real server and through the gateway. One subscription may be open
// for each caller, and a new one may start every second.

const SCHEMA = `
  type Query { me: String }
  type Subscription { ticks: Int }
`;
const TICKS = 'subscription { ticks }';
const RULE = {
  name: 'new-subscriptions',
  scope: 'GLOBAL' as const,
  field: 'Subscription.*',
  measure: 'CALLS' as const,
  limits: [{ algorithm: 'TOKEN_BUCKET' as const, capacity: 1, refillAmount: 1, refillPeriodMs: 1000 }],
};

// The link of Apollo Client reads this global, which Node 20 does not have.
Object.assign(globalThis, { WebSocket });

let rejectedTokens: string[] = [];
let closeForbidden = () => {};
const schema = makeExecutableSchema({
  typeDefs: SCHEMA,
  resolvers: {
    Subscription: {
      ticks: {
        async *subscribe() {
          yield { ticks: 1 };
          yield { ticks: 2 };
        },
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

/** Returns a function that subscribes once with a client library. */
const LIBRARIES = {
  'graphql-ws': (client: Client) => (onData: (data: unknown) => void, onError: (error: unknown) => void) =>
    client.subscribe(
      { query: TICKS },
      { next: ({ data, errors }) => (errors ? onError(errors) : onData(data)), error: onError, complete: () => {} },
    ),
  'Apollo Client': (client: Client) => {
    const apollo = new ApolloClient({ link: new GraphQLWsLink(client), cache: new InMemoryCache() });
    return (onData: (data: unknown) => void, onError: (error: unknown) => void) =>
      apollo.subscribe({ query: gql(TICKS) }).subscribe(({ data, error }) => (error ? onError(error) : onData(data)));
  },
  urql: (client: Client) => {
    const forward = subscriptionExchange({
      forwardSubscription: ({ query = '', variables }) => ({
        subscribe: (sink) => ({
          unsubscribe: client.subscribe(
            { query, ...(variables && { variables: variables as object as Record<string, unknown> }) },
            {
              ...sink,
              next: (result) => sink.next(result as Parameters<typeof sink.next>[0]),
            },
          ),
        }),
      }),
    });
    const urql = new UrqlClient({ url: 'http://unused.test', exchanges: [forward], preferGetMethod: false });
    return (onData: (data: unknown) => void, onError: (error: unknown) => void) =>
      pipe(
        urql.subscription(TICKS, {}),
        // urql repeats the last result when the subscription completes.
        filter(({ error, hasNext }) => error !== undefined || hasNext),
        listen(({ data, error }) => (error ? onError(error) : onData(data))),
      );
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
      const { mkdtempSync, writeFileSync } = await import('node:fs');
      const schemaFile = `${mkdtempSync('/tmp/tollgate-clients-')}/schema.graphql`;
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

  it.each(Object.entries(LIBRARIES))('%s receives a denial, and subscribes again when it is paced', async (_, open) => {
    const socket = connect();
    const waits: number[] = [];
    const paced = open(paceSubscriptions(socket, { onWait: (waitMs) => waits.push(waitMs) }));
    const plain = open(socket);
    const received: unknown[] = [];
    const errors: unknown[] = [];
    // The first subscription may still be paced, because of the tests before this one.
    paced(
      (data) => received.push(data),
      (error) => errors.push(error),
    );
    await until('the first subscription has its events', () => received.length === 2);
    plain(
      () => {},
      (error) => errors.push(error),
    );
    await until('the second subscription is denied', () => errors.length === 1);
    expect(inspect(errors[0], { depth: 8 })).toContain('THROTTLED');
    waits.length = 0;
    paced(
      (data) => received.push(data),
      (error) => errors.push(error),
    );
    await until('the third subscription has its events', () => received.length === 4);
    expect(waits.length).toBeGreaterThan(0);
    expect(errors).toHaveLength(1);
    expect(received).toEqual([{ ticks: 1 }, { ticks: 2 }, { ticks: 1 }, { ticks: 2 }]);
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
