import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter, type MonitoredLimiter } from '../../../src/limiter/create-limiter.js';
import type { EngineObserver } from '../../../src/limiter/fallback/engine-observer.js';
import { hashTag, keysFor } from '../../../src/limiter/redis/keys-for.js';
import { type ProxiedCluster, startProxiedCluster } from '../../helpers/proxied-cluster.js';
import { uniqueName } from '../../helpers/servers.js';
import type { TcpProxy } from '../../helpers/tcp-proxy.js';
import { until } from '../../helpers/until.js';

let cluster: ProxiedCluster;
beforeAll(async () => {
  cluster = await startProxiedCluster();
});
afterEach(() => cluster.setAll({ kind: 'pass' }));
afterAll(() => cluster?.stop());

const window = { algorithm: 'FIXED_WINDOW', amount: 10, windowMs: 86_400_000, cost: 10 } as const;
const ofUser: LimitCharge = { ...window, id: 'user', scope: 'USER' };

interface Subject {
  user: string;
  ip: string;
}

const someone = (): Subject => ({ user: uniqueName('user'), ip: uniqueName('ip') });

function nodeOf(subject: Subject, charge: LimitCharge): TcpProxy {
  const [limit] = createChargeReader().read(subject, [charge]).limits;
  return cluster.proxyOf(hashTag(keysFor(subject)(limit!)));
}

/** Returns a limit of this scope whose counter is on another node than the counters of the user. */
function elsewhere(scope: 'IP' | 'GLOBAL'): { subject: Subject; other: LimitCharge } {
  for (;;) {
    const subject = someone();
    const other: LimitCharge = { ...window, id: uniqueName('other'), scope, amount: 1000 };
    if (nodeOf(subject, other) !== nodeOf(subject, ofUser)) return { subject, other };
  }
}

async function start(deadlineMs: number, observer: EngineObserver = {}): Promise<MonitoredLimiter> {
  const limiter = createLimiter({ redis: cluster.url, deadlineMs, observer });
  await limiter.opened;
  await until('Redis decides', () => Promise.resolve(limiter.health()[0]!.state === 'CLOSED'));
  return limiter;
}

test.each([
  'GLOBAL',
  'IP',
] as const)('an operation of a user without remaining quota is denied while the node of a %s limit does not reply', async (scope) => {
  const { subject, other } = elsewhere(scope);
  // The deadline is long, because after it the local share would admit the operation.
  const limiter = await start(4000);
  const limits = [ofUser, other];
  expect(await limiter.charge({ subject, limits: [ofUser, { ...other, cost: 0 }] })).toMatchObject({ admitted: true });
  await nodeOf(subject, other).set({ kind: 'black-hole' });
  const denial = await limiter.charge({ subject, limits });
  expect(denial).toMatchObject({ admitted: false, degraded: false, code: 'THROTTLED', deniedBy: 'user' });
  await cluster.setAll({ kind: 'pass' });
  // The limiter cancels the pending charges of the silent node when the node replies.
  await until('nothing is pending', async () => (await limiter.peek({ subject, limits }))[1]!.used === 0);
  await limiter.close();
});

test('the breaker stays open while a node does not reply, even a node without the heartbeats', async () => {
  let subject: Subject;
  do subject = someone();
  while (nodeOf(subject, ofUser) === cluster.proxyOf('tg:instances'));
  const states: string[] = [];
  const limiter = await start(250, { changed: ({ state }) => states.push(state) });
  const charge = () => limiter.charge({ subject, limits: [{ ...ofUser, amount: 1_000_000, cost: 1 }] });
  await until('Redis decides', async () => !(await charge()).degraded);
  states.length = 0;
  await nodeOf(subject, ofUser).set({ kind: 'black-hole' });
  await until('it opens', async () => {
    await Promise.all(Array.from({ length: 12 }, charge));
    return states.includes('OPEN');
  });
  await until('it has probed three times', () =>
    Promise.resolve(states.filter((one) => one === 'HALF_OPEN').length >= 3),
  );
  expect(states).not.toContain('CLOSED');
  await cluster.setAll({ kind: 'pass' });
  await until('it closes', () => Promise.resolve(states.includes('CLOSED')));
  await until('the node decides', async () => !(await charge()).degraded);
  await limiter.close();
});
