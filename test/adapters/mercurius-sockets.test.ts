import { GraphQLError } from 'graphql';
import { createClient } from 'graphql-ws';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { END } from '../graphql-ws/channel.js';
import { limitOn, slots } from '../graphql-ws/socket-api.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { until } from '../helpers/until.js';
import { serveMercurius } from './mercurius-socket-api.js';

// Subscriptions over the WebSockets of Mercurius itself.

const TIER = { name: 'free', refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true };

test('Mercurius: a handshake above the limit on connections is answered 429, and a closed one frees its slot', async () => {
  const { connect, usedIs } = await serveMercurius({ rules: [limitOn('CONNECTIONS', 2)] });
  const first = await connect();
  await connect();
  const third = await connect();
  expect(third.rejected).toMatchObject({ status: 429, headers: { 'retry-after': expect.stringMatching(/^\d+$/) } });
  expect(JSON.parse(third.rejected!.body)).toMatchObject({
    errors: [{ extensions: { code: 'THROTTLED', unit: 'CONNECTIONS', limit: 2, isConcurrency: true } }],
  });
  first.socket.terminate();
  await usedIs('connections', 1);
  expect((await connect()).rejected).toBeUndefined();
});

test('Mercurius: of 100 subscriptions on one connection with a cap of 20, 80 get an error message and the connection goes on', async () => {
  const { connect, channel, readersAre } = await serveMercurius({
    rules: [limitOn('SUBSCRIPTIONS', 20, { limits: [slots(20, { perConnection: true })] })],
  });
  const client = await connect();
  for (let id = 0; id < 100; id++) client.subscribe(String(id));
  await until('80 errors', () => client.messages.filter(({ type }) => type === 'error').length === 80, PATIENT_MS);
  await readersAre(20);
  const [error] = client.messages.filter(({ type }) => type === 'error');
  expect(error!.payload).toMatchObject([
    { extensions: { code: 'THROTTLED', deniedBy: 'subscriptions', unit: 'SUBSCRIPTIONS', limit: 20 } },
  ]);
  expect(JSON.stringify(error)).not.toContain('"http"');
  channel.publish({ ticks: 7 });
  await until('20 events', () => client.messages.filter(({ type }) => type === 'next').length === 20, PATIENT_MS);
  expect(client.messages.find(({ type }) => type === 'next')!.payload).toMatchObject({
    data: { ticks: 7 },
    extensions: { cost: expect.anything() },
  });
  expect(client.closed).toBeUndefined();
  const second = await connect();
  second.subscribe('a');
  await readersAre(21);
  const [open] = client.messages.filter(({ type }) => type === 'next');
  client.complete(open!.id!);
  await readersAre(20);
  client.subscribe('again');
  await readersAre(21);
});

test('Mercurius: a subscription costs its estimate and each event its actual cost, and the last event that is not paid ends it', async () => {
  const { connect, channel, readersAre, tollgate } = await serveMercurius({ tiers: [{ ...TIER, capacity: 3 }] });
  const left = async () => (await tollgate.quota({ user: 'ann' }))[0]!.remaining;
  const client = await connect();
  client.subscribe('1');
  await readersAre(1);
  const before = await left();
  for (let event = 0; event < before; event++) channel.publish({ ticks: event });
  await until('the paid events arrive', () => client.of('1').length === before, PATIENT_MS);
  expect(await left()).toBe(0);
  expect(before).toBeGreaterThan(0);
  channel.publish({ ticks: 9 });
  await client.got('error', '1');
  expect(client.of('1').at(-1)!.payload).toMatchObject([{ extensions: { code: 'THROTTLED' } }]);
  await readersAre(0);
  expect(client.closed).toBeUndefined();
});

test('Mercurius: an event that a rule drops is not sent, and the subscription goes on', async () => {
  const limits = [{ algorithm: 'TOKEN_BUCKET' as const, capacity: 3, refillAmount: 1, refillPeriodMs: 86_400_000 }];
  const { connect, channel, readersAre, tollgate } = await serveMercurius({
    rules: [{ name: 'events', scope: 'USER', field: '*', limits, onEventDenied: 'DROP' }],
  });
  const client = await connect();
  client.subscribe('1');
  await readersAre(1);
  for (let event = 0; event < 5; event++) channel.publish({ ticks: event });
  const { events } = tollgate.streams();
  await until(
    'each event is sent or denied',
    () => tollgate.streams().events.denied + client.of('1').length === 5,
    PATIENT_MS,
  );
  expect(events.denied).toBeGreaterThanOrEqual(2);
  expect(client.of('1').every(({ type }) => type === 'next')).toBe(true);
  expect(client.of('1').length).toBeGreaterThan(0);
  expect(channel.readers).toBe(1);
});

test('Mercurius: every kind of end frees the slots of the subscription and its connection', async () => {
  const { connect, channel, usedIs, readersAre } = await serveMercurius({
    rules: [limitOn('SUBSCRIPTIONS', 10), limitOn('CONNECTIONS', 10)],
  });
  const client = await connect();
  client.subscribe('1');
  await usedIs('subscriptions', 1);
  client.complete('1');
  await usedIs('subscriptions', 0);
  client.subscribe('2');
  await readersAre(1);
  channel.publish(END);
  await client.got('complete', '2');
  await usedIs('subscriptions', 0);
  client.subscribe('3');
  await readersAre(1);
  channel.publish(new Error('broken'));
  await client.got('error', '3');
  await usedIs('subscriptions', 0);
  client.subscribe('4');
  client.socket.terminate();
  await usedIs('subscriptions', 0);
  await usedIs('connections', 0);
  await readersAre(0);
});

test('Mercurius: an id that is reused while its first subscription begins leaves no subscription open after the connection', async () => {
  const { connect, channel, usedIs, readersAre } = await serveMercurius({ rules: [limitOn('SUBSCRIPTIONS', 10)] });
  const client = await connect();
  for (let i = 0; i < 5; i++) {
    client.subscribe('same');
    client.complete('same');
  }
  client.subscribe('same');
  client.subscribe('other');
  await until('the other source is open', () => channel.readers >= 1, PATIENT_MS);
  client.socket.terminate();
  await usedIs('subscriptions', 0);
  await readersAre(0);
});

test('Mercurius: a client that ends its subscriptions before they begin cannot have more than 100 of them begin', async () => {
  let goOn = () => {};
  const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
  const { connect, readersAre } = await serveMercurius({}, {}, () => mayGoOn);
  const client = await connect();
  for (let id = 0; id < 100; id++) {
    client.subscribe(String(id));
    client.complete(String(id));
  }
  client.send({ type: 'ping' });
  await client.got('pong');
  expect(client.closed).toBeUndefined();
  client.subscribe('one more');
  await client.hasClosed();
  expect(client.closed).toMatchObject({ code: 1013, reason: expect.stringContaining('Too many operations') });
  goOn();
  await readersAre(0);
  const other = await connect();
  for (let id = 0; id < 150; id++) {
    other.subscribe(String(id));
    other.complete(String(id));
    await other.got('error', String(id));
  }
  other.subscribe('open');
  await readersAre(1);
});

test('Mercurius: a hook of the app that throws leaves no slot in use', async () => {
  const { connect, usedIs, readersAre } = await serveMercurius({ rules: [limitOn('SUBSCRIPTIONS', 10)] }, {}, () =>
    Promise.reject(new Error('not you')),
  );
  const client = await connect();
  client.subscribe('1');
  await client.got('error', '1');
  expect(client.of('1')[0]!.payload).toMatchObject([{ message: 'not you' }]);
  await usedIs('subscriptions', 0);
  await readersAre(0);
});

test('Mercurius: when the server stops, connections are closed with 1012 and their slots are freed', async () => {
  const { connect, stop, readersAre } = await serveMercurius({ rules: [limitOn('SUBSCRIPTIONS', 10)] });
  const client = await connect();
  client.subscribe('1');
  await readersAre(1);
  await stop();
  await client.hasClosed();
  expect(client.closed?.code).toBe(1012);
  await readersAre(0);
});

test('Mercurius: a connection without an operation is closed after the idle time, and one without connection_init after 3 seconds', async () => {
  const { connect, url, usedIs } = await serveMercurius({
    rules: [limitOn('CONNECTIONS', 10)],
    sockets: { idleTimeoutMs: 100 },
  });
  const idle = await connect();
  await idle.hasClosed();
  expect(idle.closed).toMatchObject({ code: 1000, reason: 'Idle' });
  const silent = new WebSocket(url, 'graphql-transport-ws');
  expect(await new Promise((resolve) => silent.once('close', resolve))).toBe(4408);
  await usedIs('connections', 0);
});

test('Mercurius: the caller is identified by headersOf, and parameters of the client are no headers otherwise', async () => {
  const identify = ({ header }: { header(name: string): string | undefined }) => ({
    user: header('x-user') ?? 'unnamed',
    ip: '192.0.2.1',
  });
  const rules = [limitOn('SUBSCRIPTIONS', 10)];
  const mapped = await serveMercurius({
    identify,
    rules,
    sockets: { headersOf: ({ user }) => ({ 'x-user': user as string }) },
  });
  (await mapped.connect({ params: { user: 'ben' } })).subscribe('1');
  await mapped.usedIs('subscriptions', 1, { user: 'ben' });
  const plain = await serveMercurius({ identify, rules });
  const client = await plain.connect({ params: { 'x-user': 'ben' } });
  client.subscribe('1');
  await plain.readersAre(1);
  client.subscribe('2');
  await plain.usedIs('subscriptions', 2, { user: 'unnamed' });
  expect(await plain.used('subscriptions', { user: 'ben' })).toBe(0);
});

test('Mercurius: a token that expires closes the connection with 4403, and the stock client reconnects with new parameters', async () => {
  let isValid = true;
  const { url, channel, readersAre } = await serveMercurius({
    identify: ({ header }) => {
      if (header('authorization') === 'old' && !isValid) {
        throw new GraphQLError('expired', { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } });
      }
      return { user: 'ann', ip: '192.0.2.1' };
    },
    sockets: { headersOf: ({ token }) => ({ authorization: token as string }), recheckMs: 1000 },
  });
  const asked: string[] = [];
  const codes: number[] = [];
  const client = createClient({
    url,
    webSocketImpl: WebSocket,
    retryWait: async () => {},
    connectionParams: () => {
      asked.push(isValid ? 'old' : 'new');
      return { token: asked.at(-1) };
    },
    on: { closed: (event) => codes.push((event as { code: number }).code) },
  });
  const events: unknown[] = [];
  client.subscribe(
    { query: 'subscription { ticks }' },
    { next: (one) => events.push(one.data), error() {}, complete() {} },
  );
  await readersAre(1);
  isValid = false;
  await until('the client has new parameters', () => asked.length === 2, PATIENT_MS);
  await readersAre(1);
  channel.publish({ ticks: 1 });
  await until('an event', () => events.length === 1, PATIENT_MS);
  expect([asked, codes]).toEqual([['old', 'new'], [4403]]);
  await client.dispose();
});

test('Mercurius: queries over a WebSocket are rejected with the reason, because they would have no price', async () => {
  const { connect } = await serveMercurius({}, { subscription: { fullWsTransport: true } });
  const client = await connect();
  client.send({ type: 'subscribe', id: 'q', payload: { query: '{ hello }' } });
  await until('an answer', () => client.of('q').length > 0, PATIENT_MS);
  expect(JSON.stringify(client.of('q')[0])).toContain('have no price: send them over HTTP');
});

test('Mercurius: a connection whose operations are rejected pays the fee for each, and is closed when it cannot pay', async () => {
  const { connect, tollgate } = await serveMercurius({ tiers: [{ ...TIER, capacity: 10 }] });
  const client = await connect();
  const left = async () => (await tollgate.quota({ user: 'ann' }))[0]!.remaining;
  client.subscribe('1', 'subscription {');
  await until('the fee is charged', async () => (await left()) < 10, PATIENT_MS);
  for (let id = 2; id < 40; id++) client.subscribe(String(id), id % 2 ? 'subscription { nothing }' : '{ hello }');
  await client.hasClosed();
  expect(client.closed).toMatchObject({ code: 1013, reason: expect.stringContaining('THROTTLED') });
});
