import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { connect, Socket } from 'node:net';
import { ApolloServer } from '@apollo/server';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createApp } from '../../../src/server/http/create-app.js';
import { listen } from '../../../src/server/http/listen.js';
import { paceRequests, type RequestPace } from '../../../src/server/http/pace-requests.js';
import { createServerMetrics } from '../../../src/server/http/server-metrics.js';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Creates a connection with a simulated socket. `begun` records the requests that have begun. */
function connection(pace: RequestPace, begun: string[], name: string) {
  const socket = new Socket();
  const answers: ServerResponse[] = [];
  let number = 0;
  return {
    socket,
    /**
     * Passes this number of requests to the pacer, as if one read of the socket had delivered them.
     */
    pass(count: number) {
      for (let i = 0; i < count; i++) {
        const request = new IncomingMessage(socket);
        const response = new ServerResponse(request);
        const own = `${name}${number++}`;
        pace(request, response, () => {
          begun.push(own);
          answers.push(response);
        });
      }
    },
    answerAll() {
      for (const answer of answers.splice(0)) answer.emit('close');
    },
  };
}

test('of many simultaneous requests, a few begin in each turn, in order of arrival', async () => {
  const begun: string[] = [];
  const pace = paceRequests();
  const pass = (from: number, to: number) => {
    for (let i = from; i < to; i++) connection(pace, begun, `${i} `).pass(1);
  };
  pass(0, 30);
  expect(begun).toHaveLength(8);
  let before = begun.length;
  for (let turn = 0; begun.length < 40; turn++) {
    await nextTurn();
    expect(begun.length - before).toBeLessThanOrEqual(8);
    before = begun.length;
    // Requests that arrive later must not overtake the waiting requests.
    if (turn === 0) pass(30, 40);
    expect(turn).toBeLessThan(12);
  }
  expect(begun).toEqual(Array.from({ length: 40 }, (_, i) => `${i} 0`));
});

test('a single request begins immediately, even after a burst', async () => {
  const begun: string[] = [];
  const pace = paceRequests({ perTurn: 2 });
  const passOne = () => connection(pace, begun, 'one').pass(1);
  passOne();
  expect(begun).toHaveLength(1);
  for (let i = 0; i < 9; i++) passOne();
  for (let turn = 0; turn < 12; turn++) await nextTurn();
  expect(begun).toHaveLength(10);
  passOne();
  expect(begun).toHaveLength(11);
});

test('a flood on one connection delays a request on another connection by at most one turn', async () => {
  const begun: string[] = [];
  const pace = paceRequests({ maxRunning: Number.POSITIVE_INFINITY });
  connection(pace, begun, 'flood').pass(2500);
  connection(pace, begun, 'other').pass(1);
  expect(begun).not.toContain('other0');
  await nextTurn();
  expect(begun).toContain('other0');
});

test('a connection has at most 16 running requests, and the next one begins when a response is sent', async () => {
  const begun: string[] = [];
  const one = connection(paceRequests(), begun, 'flood');
  one.pass(100);
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(begun).toHaveLength(16);
  one.answerAll();
  for (let turn = 0; turn < 20; turn++) await nextTurn();
  expect(begun).toHaveLength(32);
});

test('a connection with 16 waiting requests stays paused even if it is resumed, and is read again later', async () => {
  const begun: string[] = [];
  const one = connection(paceRequests(), begun, 'flood');
  one.pass(8 + 15);
  expect(one.socket.isPaused()).toBe(false);
  one.pass(1);
  expect(one.socket.isPaused()).toBe(true);
  // Node.js resumes the socket like this when it reads the body of a request.
  one.socket.resume();
  await new Promise((resolve) => process.nextTick(resolve));
  expect(one.socket.isPaused()).toBe(true);
  for (let turn = 0; turn < 3; turn++) {
    await nextTurn();
    one.answerAll();
  }
  expect(one.socket.isPaused()).toBe(false);
});

test('the requests of a closed connection are dropped before they begin', async () => {
  const begun: string[] = [];
  const pace = paceRequests();
  const one = connection(pace, begun, 'gone');
  one.pass(100);
  expect(pace.waiting()).toBe(92);
  one.socket.destroy();
  await once(one.socket, 'close');
  expect(pace.waiting()).toBe(0);
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  expect(begun).toHaveLength(8);
});

test('while 10,000 requests wait, connections that pipeline are cut and connections with one request stay open', () => {
  const begun: string[] = [];
  const pace = paceRequests();
  const floods = Array.from({ length: 20 }, (_, i) => connection(pace, begun, `flood${i} `));
  for (const flood of floods) flood.pass(2500);
  expect(pace.waiting()).toBeLessThanOrEqual(10_000);
  expect(floods.filter(({ socket }) => socket.destroyed).length).toBeGreaterThanOrEqual(15);
  const single = Array.from({ length: 50 }, (_, i) => connection(pace, begun, `single${i} `));
  for (const one of single) one.pass(1);
  expect(single.filter(({ socket }) => socket.destroyed)).toEqual([]);
});

test('the platform begins at most 8 simultaneous requests in one turn of the event loop', async () => {
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
  // The server accepts one connection per turn. After this first round, requests on all connections
  // arrive in one turn.
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

test('500 pipelined requests get their responses in order, and other connections are served in the meantime', async () => {
  const typeDefs = 'type Query { echo(n: Int): Int }';
  const api = new ApolloServer({ typeDefs, resolvers: { Query: { echo: (_: unknown, { n }: { n: number }) => n } } });
  await api.start();
  const handler = createApp({
    endpoints: [{ path: '/graphql', server: api, context: async () => ({}) }],
    metrics: await createServerMetrics(new Registry()),
    notReadyBecause: () => undefined,
    onError: () => {},
  });
  const listening = await listen({ handler, host: '127.0.0.1', port: 0 });
  const socket = connect(listening.port, '127.0.0.1');
  const requests = Array.from({ length: 500 }, (_, n) => {
    const body = `{"query":"{ echo(n: ${n}) }"}`;
    return `POST /graphql HTTP/1.1\r\nhost: api\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  });
  socket.write(requests.join(''));
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  await once(socket, 'data');
  const url = `http://127.0.0.1:${listening.port}/readyz`;
  expect((await fetch(url, { headers: { connection: 'close' } })).status).toBe(200);
  while (!text.endsWith('{"echo":499}}\n')) await once(socket, 'data');
  const answers = [...text.matchAll(/{"echo":(\d+)}/g)].map(([, n]) => Number(n));
  expect(answers).toEqual(Array.from({ length: 500 }, (_, n) => n));
  socket.destroy();
  await listening.stop(1000);
  await api.stop();
}, 60_000);
