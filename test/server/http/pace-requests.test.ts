import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { ApolloServer } from '@apollo/server';
import express from 'express';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createApp } from '../../../src/server/http/create-app.js';
import { listen } from '../../../src/server/http/listen.js';
import { paceRequests } from '../../../src/server/http/pace-requests.js';
import { createServerMetrics } from '../../../src/server/server-metrics.js';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Numbers of requests in the order in which they were begun, and a way to pass more of them. */
function start(perTurn?: number) {
  const begun: number[] = [];
  const pace = paceRequests(perTurn);
  let number = 0;
  const pass = (count: number) => {
    for (let i = 0; i < count; i++) {
      const own = number++;
      pace({} as never, {} as never, () => begun.push(own));
    }
  };
  return { begun, pass };
}

test('of many requests at once a few are begun in each turn, all of them, in the order in which they came', async () => {
  const { begun, pass } = start();
  pass(30);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  let before = begun.length;
  for (let turn = 0; begun.length < 40; turn++) {
    await nextTurn();
    expect(begun.length - before).toBeLessThanOrEqual(8);
    before = begun.length;
    // Those that come meanwhile do not overtake those that wait.
    if (turn === 0) pass(10);
    expect(turn).toBeLessThan(12);
  }
  expect(begun).toEqual(Array.from({ length: 40 }, (_, i) => i));
});

test('a request that comes alone is begun at once, also after a crowd', async () => {
  const { begun, pass } = start(2);
  pass(1);
  expect(begun).toEqual([0]);
  pass(9);
  for (let turn = 0; turn < 12; turn++) await nextTurn();
  expect(begun).toHaveLength(10);
  pass(1);
  expect(begun).toHaveLength(11);
});

test('a request that fails as it is begun fails by itself', async () => {
  const app = express();
  app.use(paceRequests(1));
  app.use(({ url }, response) => {
    if (url === '/fails') throw new Error('of this one');
    response.end('answered');
  });
  app.use(((_error, _request, response, _next) => {
    response.status(500).end();
  }) satisfies express.ErrorRequestHandler);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const paths = ['/', '/fails', '/', '/fails', '/'];
  const answers = await Promise.all(paths.map((path) => fetch(`http://127.0.0.1:${port}${path}`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 500, 200, 500, 200]);
  server.close();
  server.closeAllConnections();
});

test('the platform begins few of the requests that arrive at once in one turn of the event loop', async () => {
  const api = new ApolloServer({ typeDefs: 'type Query { a: Int }', resolvers: { Query: { a: () => 1 } } });
  await api.start();
  let turn = 0;
  let isCounting = true;
  const count = () => {
    turn++;
    if (isCounting) setImmediate(count);
  };
  const begunIn = new Map<number, number>();
  const handler = createApp({
    endpoints: [
      {
        path: '/graphql',
        server: api,
        async context() {
          begunIn.set(turn, (begunIn.get(turn) ?? 0) + 1);
          return {};
        },
      },
    ],
    metrics: await createServerMetrics(new Registry()),
    notReadyBecause: () => undefined,
    onError: () => {},
  });
  const listening = await listen({ handler, host: '127.0.0.1', port: 0 });
  const sockets = Array.from({ length: 64 }, () => connect(listening.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const body = '{"query":"{ a }"}';
  const head = `POST /graphql HTTP/1.1\r\nhost: api\r\ncontent-type: application/json\r\ncontent-length: ${body.length}`;
  const askAll = async () => {
    const answers = sockets.map((socket) => once(socket, 'data'));
    for (const socket of sockets) socket.write(`${head}\r\n\r\n${body}`);
    for (const [answer] of await Promise.all(answers)) expect(String(answer)).toContain('{"data":{"a":1}}');
  };
  // Connections are accepted one in a turn; from then on requests on all of them arrive at once.
  await askAll();
  begunIn.clear();
  count();
  await askAll();
  isCounting = false;
  expect([...begunIn.values()].reduce((sum, number) => sum + number)).toBe(64);
  expect(Math.max(...begunIn.values())).toBeLessThanOrEqual(8);
  for (const socket of sockets) socket.destroy();
  await listening.stop(1000);
  await api.stop();
});
