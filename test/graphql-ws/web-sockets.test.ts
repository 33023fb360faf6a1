import { GraphQLError } from 'graphql';
import { createClient } from 'graphql-ws';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { createTollgate } from '../../src/index.js';
import type { DecisionRecord } from '../../src/model/decision-record.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { until } from '../helpers/until.js';
import { END } from './channel.js';
import { limitOn, serveSockets, slots } from './socket-api.js';

test('a handshake above the limit on connections is answered 429 with Retry-After, and a closed one frees its slot', async () => {
  const { connect, usedIs } = await serveSockets({ rules: [limitOn('CONNECTIONS', 2)] });
  const first = await connect();
  await connect();
  const third = await connect();
  expect(third.rejected).toMatchObject({
    status: 429,
    headers: { 'retry-after': expect.stringMatching(/^\d+$/), 'content-type': expect.stringContaining('json') },
  });
  expect(JSON.parse(third.rejected!.body)).toMatchObject({
    errors: [{ extensions: { code: 'THROTTLED', unit: 'CONNECTIONS', limit: 2, isConcurrency: true } }],
  });
  first.socket.terminate();
  await usedIs('connections', 1);
  expect((await connect()).rejected).toBeUndefined();
});

test('without verifyClient, a connection above the limit is closed with 1013', async () => {
  const { connect, usedIs } = await serveSockets({ rules: [limitOn('CONNECTIONS', 1)], verifies: false });
  await connect();
  const second = await connect();
  expect(second.closed).toMatchObject({ code: 1013, reason: expect.stringMatching(/^THROTTLED: /) });
  await usedIs('connections', 1);
});

test('a handshake that fails takes no slot, and one without connection_init frees its slot', async () => {
  const { url, usedIs, used } = await serveSockets({
    rules: [limitOn('CONNECTIONS', 5)],
    server: { connectionInitWaitTimeout: 50 },
  });
  const other = new WebSocket(url.replace('/graphql', '/other'), 'graphql-transport-ws');
  other.on('error', () => {});
  await new Promise((resolve) => other.once('close', resolve));
  expect(await used('connections')).toBe(0);
  const silent = new WebSocket(url, 'graphql-transport-ws');
  const code = await new Promise((resolve) => silent.once('close', resolve));
  expect(code).toBe(4408);
  await usedIs('connections', 0);
});

test('of 100 subscriptions on one connection with a cap of 20, 80 get an error message and the connection goes on', async () => {
  const { connect, channel, readersAre, usedIs } = await serveSockets({
    rules: [
      limitOn('SUBSCRIPTIONS', 20, { limits: [slots(20, { perConnection: true })] }),
      limitOn('SUBSCRIPTIONS', 1000, { name: 'of-caller', scope: 'TENANT' }),
      limitOn('SUBSCRIPTIONS', 50, { name: 'of-address', scope: 'IP' }),
    ],
  });
  const client = await connect();
  for (let id = 0; id < 100; id++) client.subscribe(String(id));
  await until('80 errors', () => client.messages.filter(({ type }) => type === 'error').length === 80, PATIENT_MS);
  await readersAre(20);
  await usedIs('of-address', 20);
  const [error] = client.messages.filter(({ type }) => type === 'error');
  expect(error!.payload).toMatchObject([
    { extensions: { code: 'THROTTLED', deniedBy: 'subscriptions', unit: 'SUBSCRIPTIONS', limit: 20 } },
  ]);
  expect(JSON.stringify(error)).not.toContain('"http"');
  channel.publish({ ticks: 7 });
  await until('20 events', () => client.messages.filter(({ type }) => type === 'next').length === 20, PATIENT_MS);
  expect(client.closed).toBeUndefined();
  expect(client.messages.some(({ type }) => type === 'complete')).toBe(false);
  const second = await connect();
  second.subscribe('a');
  await readersAre(21);
  const [open] = client.messages.filter(({ type }) => type === 'next');
  client.complete(open!.id!);
  await readersAre(20);
  await usedIs('of-address', 20);
  client.subscribe('again');
  await readersAre(21);
});

test('the caller is identified by headersOf, and limits per caller and per address count separately', async () => {
  const identified: (string | undefined)[] = [];
  const { connect, tollgate, usedIs } = await serveSockets({
    identify: ({ header }) => {
      identified.push(header('x-user'));
      return { user: header('x-user'), ip: '192.0.2.1' };
    },
    rules: [limitOn('CONNECTIONS', 1), limitOn('CONNECTIONS', 3, { name: 'address', scope: 'IP' })],
    sockets: { headersOf: ({ user }) => ({ 'X-User': typeof user === 'string' ? user : undefined }) },
  });
  await connect({ params: { user: 'ann' } });
  await connect({ params: { user: 'ben' } });
  const second = await connect({ params: { user: 'ann' } });
  expect(second.closed).toMatchObject({ code: 1013, reason: expect.stringContaining('THROTTLED') });
  await usedIs('address', 2, { ip: '192.0.2.1' });
  const third = await connect({ params: { user: 'cleo' } });
  expect((await connect({ params: { user: 'dan' } })).rejected).toMatchObject({ status: 429 });
  third.send({ type: 'subscribe', id: 'q', payload: { query: '{ hello }' } });
  await third.got('complete', 'q');
  expect(identified.at(-1)).toBe('cleo');
  expect((await tollgate.quota({ user: 'cleo' })).find(({ rule }) => rule === 'connections')?.used).toBe(1);
});

test('a credential that is not valid is answered 401 at the handshake, and closes with 4403 if it is in the parameters', async () => {
  const handshake = await serveSockets({
    identify: ({ header }) => {
      if (header('authorization') === 'bad') throw unauthenticated();
      return { user: 'ann', ip: '192.0.2.1' };
    },
    tiers: [{ name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    sockets: { headersOf: ({ token }) => ({ authorization: token as string | undefined }) },
  });
  expect((await handshake.connect({ headers: { authorization: 'bad' } })).rejected).toMatchObject({ status: 401 });
  expect(await handshake.used('tier:free')).toBe(0);
  const client = await handshake.connect({ params: { token: 'bad' } });
  expect(client.closed).toMatchObject({ code: 4403, reason: expect.stringContaining('UNAUTHENTICATED') });
  // Otherwise, guessing credentials would be free.
  await until('the caller of the handshake has paid the fee', async () => (await handshake.used('tier:free')) === 1);
});

function unauthenticated(): GraphQLError {
  return new GraphQLError('expired', { extensions: { code: 'UNAUTHENTICATED', http: { status: 401 } } });
}

test('a token that expires closes the connection with 4403, and the stock client reconnects with new parameters', async () => {
  let isValid = true;
  const { url, channel, readersAre } = await serveSockets({
    identify: ({ header }) => {
      if (header('authorization') === 'old' && !isValid) throw unauthenticated();
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
  // The first subscription may end after the client has connected again. Only the new one delivers.
  const receivesEvents = () => {
    channel.publish({ ticks: 1 });
    return events.length > 0;
  };
  await until('an event', receivesEvents, PATIENT_MS, 50);
  expect([asked, codes]).toEqual([['old', 'new'], [4403]]);
  await client.dispose();
});

test('every kind of end frees the slots of the subscription and its connection', async () => {
  const { connect, channel, usedIs, readersAre } = await serveSockets({
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

test('an id that is reused while its first subscription begins leaves no subscription open after the connection', async () => {
  const { connect, channel, usedIs, readersAre } = await serveSockets({ rules: [limitOn('SUBSCRIPTIONS', 10)] });
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

test('a context that throws leaves no slot in use', async () => {
  const { connect, usedIs, readersAre } = await serveSockets({
    rules: [limitOn('SUBSCRIPTIONS', 10), limitOn('CONNECTIONS', 10)],
    server: {
      context: (_context: object, id: string) => {
        if (id === 'bad') throw new Error('no context');
        return {};
      },
    },
  });
  const client = await connect();
  client.subscribe('good');
  await readersAre(1);
  client.subscribe('bad');
  await client.hasClosed();
  await usedIs('subscriptions', 0);
  await usedIs('connections', 0);
  await readersAre(0);
});

test('when the server stops, connections are closed with 1012 and their slots are freed', async () => {
  const { connect, stop, readersAre } = await serveSockets({ rules: [limitOn('SUBSCRIPTIONS', 10)] });
  const client = await connect();
  client.subscribe('1');
  await readersAre(1);
  await stop();
  await client.hasClosed();
  expect(client.closed?.code).toBe(1012);
  await readersAre(0);
});

test('a connection without an operation is closed after the idle time, and one with a subscription is not', async () => {
  const { connect, readersAre, usedIs } = await serveSockets({
    rules: [limitOn('CONNECTIONS', 10)],
    sockets: { idleTimeoutMs: 1000 },
  });
  const busy = await connect();
  busy.subscribe('1');
  await readersAre(1);
  const idle = await connect();
  await idle.hasClosed();
  expect(idle.closed).toMatchObject({ code: 1000, reason: 'Idle' });
  expect(busy.closed).toBeUndefined();
  busy.complete('1');
  await busy.hasClosed();
  await usedIs('connections', 0);
});

test.each([
  [{ maxBufferedBytes: 5 }, 'maxBufferedBytes: expected a whole number from 1024 to 1073741824, got 5'],
  [{ onSlowReader: 'WAIT' }, 'onSlowReader: expected "COMPLETE", "DROP" or "PAUSE", got "WAIT"'],
  [
    { headersOf: {} },
    'headersOf: expected a function, such as ({ token }) => ({ authorization: token }), got an object',
  ],
  [{ idleTimeout: 5 }, 'idleTimeout: unknown option; did you mean idleTimeoutMs?'],
])('the options %j are rejected: %s', async (options, message) => {
  const { tollgate, schema } = await serveSockets();
  expect(() => tollgate.webSockets({ schema }, options as never)).toThrow(message);
  await expect(createTollgate({ schema }).then((own) => own.webSockets({ schema }, options as never))).rejects.toThrow(
    message,
  );
});

test.each([
  'DROP',
  'COMPLETE',
] as const)('with onSlowReader: %s, a client that does not read leaves few events waiting, and they cost nothing', async (onSlowReader) => {
  let dropped = 0;
  const decisions: DecisionRecord[] = [];
  const { connect, channel, readersAre, tollgate } = await serveSockets({
    onDecision: (record) => decisions.push(record),
    sockets: { onSlowReader, maxBufferedBytes: 65_536 },
  });
  const client = await connect();
  client.subscribe('1', 'subscription { texts }');
  await readersAre(1);
  client.socket.pause();
  const text = 'x'.repeat(65_536);
  let published = 0;
  // The first events fill the buffers of the operating system.
  const publishing = setInterval(() => {
    channel.publish({ texts: text });
    published++;
    dropped = tollgate.streams().events.dropped;
  }, 1);
  try {
    await until(
      'the bound has an effect',
      () => (onSlowReader === 'DROP' ? dropped >= 50 : channel.readers === 0),
      PATIENT_MS,
    );
  } finally {
    clearInterval(publishing);
  }
  client.socket.resume();
  if (onSlowReader === 'COMPLETE') {
    await client.got('error', '1');
    expect(client.of('1').at(-1)?.payload).toMatchObject([{ extensions: { code: 'SUBSCRIPTION_ENDED' } }]);
  } else {
    await until(
      'an event arrives again',
      () => {
        channel.publish({ texts: 'last' });
        return JSON.stringify(client.messages.at(-1)).includes('last');
      },
      PATIENT_MS,
    );
    // Only the events that were sent have been charged. The first decision is that of the begin.
    const charged = () => decisions.filter(({ denial }) => denial === undefined).length - 1;
    const sent = () => tollgate.streams().events.sent;
    await until('each event that was charged is sent', () => charged() === sent(), PATIENT_MS);
    expect(published - sent()).toBeGreaterThanOrEqual(30);
  }
});

test('with onSlowReader: PAUSE, no event is read from the source while the buffer of the client is full', async () => {
  const { connect, reads } = await serveSockets({ sockets: { maxBufferedBytes: 65_536 } });
  const client = await connect();
  client.socket.pause();
  client.subscribe('1', 'subscription { endless }');
  await until('the source is read', () => reads.count > 0, PATIENT_MS);
  let before = -1;
  await until(
    'the source rests',
    () => {
      const isSame = reads.count === before;
      before = reads.count;
      return isSame;
    },
    PATIENT_MS,
    300,
  );
  expect(reads.count).toBeLessThan(500);
  client.socket.resume();
  await until('more events are read', () => reads.count > before, PATIENT_MS);
});
