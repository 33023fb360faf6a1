import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { PATIENT_MS } from '../helpers/patient.js';
import { scrape } from '../helpers/samples.js';
import { until } from '../helpers/until.js';
import { limitOn, serveSockets } from './socket-api.js';

test.each([
  ['one limit per address and one per caller', [limitOn('CONNECTIONS', 5), limitOn('CONNECTIONS', 9, { scope: 'IP' })]],
  ['no limit on connections', []],
])('with %s, the metrics count each open WebSocket once, and its subscriptions', async (_, limits) => {
  const registry = new Registry();
  const { connect, readersAre } = await serveSockets({
    metrics: registry,
    rules: limits.map((limit, index) => ({ ...limit, name: `connections-${index}` })),
    sockets: { headersOf: ({ user }) => ({ 'x-user': user as string }) },
  });
  const open = async () => {
    const samples = await scrape(registry);
    return [samples.get('tollgate_open_connections'), samples.get('tollgate_open_subscriptions')];
  };
  expect(await open()).toEqual([0, 0]);
  const first = await connect({ params: { user: 'ann' } });
  const second = await connect({ params: { user: 'ben' } });
  first.subscribe('1');
  first.subscribe('2');
  second.subscribe('1');
  await readersAre(3);
  await until('two connections and three subscriptions are open', async () => (await open()).join() === '2,3');
  first.complete('2');
  await readersAre(2);
  await until('a subscription less is open', async () => (await open())[1] === 2, PATIENT_MS);
  first.socket.terminate();
  await until('a connection less is open', async () => (await open()).join() === '1,1', PATIENT_MS);
  second.socket.terminate();
  await until('nothing is open', async () => (await open()).join() === '0,0', PATIENT_MS);
});

test('the metrics count the events that were sent, and those that a limit denied', async () => {
  const registry = new Registry();
  const { connect, channel, readersAre } = await serveSockets({
    metrics: registry,
    rules: [
      {
        name: 'tokens',
        scope: 'USER',
        field: '*',
        limits: [{ algorithm: 'TOKEN_BUCKET', capacity: 4, refillAmount: 1, refillPeriodMs: 3_600_000 }],
        onEventDenied: 'DROP',
      },
    ],
  });
  expect(await events(registry)).toEqual({ sent: 0, denied: 0, dropped: 0 });
  const client = await connect();
  client.subscribe('1');
  await readersAre(1);
  for (let ticks = 0; ticks < 6; ticks++) channel.publish({ ticks });
  // The start of the subscription costs one of the four tokens.
  await until('three events are denied', async () => (await events(registry)).denied === 3, PATIENT_MS);
  expect(await events(registry)).toEqual({ sent: 3, denied: 3, dropped: 0 });
  const received = () => client.of('1').filter(({ type }) => type === 'next').length;
  await until('the client has received what was sent', () => received() === 3, PATIENT_MS);
});

test('the metrics count the events that were dropped for a slow client', async () => {
  const registry = new Registry();
  const { connect, channel, readersAre } = await serveSockets({
    metrics: registry,
    sockets: { onSlowReader: 'DROP', maxBufferedBytes: 65_536 },
  });
  const client = await connect();
  client.subscribe('1', 'subscription { texts }');
  await readersAre(1);
  client.socket.pause();
  const publishing = setInterval(() => channel.publish({ texts: 'x'.repeat(65_536) }), 1);
  try {
    await until('an event is dropped', async () => (await events(registry)).dropped! > 0, PATIENT_MS);
  } finally {
    clearInterval(publishing);
  }
});

/** Returns the events of subscriptions in a scrape, by their outcome. */
async function events(registry: Registry): Promise<Record<string, number>> {
  const samples = await scrape(registry);
  const numbers = ['sent', 'denied', 'dropped'].map((outcome) => [
    outcome,
    samples.get(`tollgate_subscription_events_total{outcome="${outcome}"}`),
  ]);
  return Object.fromEntries(numbers);
}
