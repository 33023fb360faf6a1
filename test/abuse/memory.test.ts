import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { keysWithoutExpiry } from '../../bench/load/keys-without-expiry.js';
import { createLimiter, type Limiter } from '../../src/limiter/create-limiter.js';
import { PATIENT, PATIENT_MS } from '../helpers/patient.js';
import { startRedisServer } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { reportFigure } from '../report/figures.js';
import { type AbuseApi, countCases, serveAbuseApi, TARGETS } from './serve.js';

// Tests for memory leaks that become visible only after many attacks.

/**
 * Number of one-shot identities: each of them sends one request. Set ABUSE_IDENTITIES to a million
 * for a long run.
 */
const IDENTITIES = Number(process.env['ABUSE_IDENTITIES'] ?? 200_000);
const IDENTITIES_ON_REDIS = Number(process.env['ABUSE_IDENTITIES'] ?? 20_000);
const FIVE_MINUTES_MS = 300_000;

describe.each(TARGETS)('floods of requests, $behind', ({ redis, gateway }) => {
  const open: AbuseApi[] = [];
  afterEach(async () => {
    for (const api of open.splice(0)) await api.close();
  });

  it('A11: floods of different invalid documents do not increase the memory in use', async (context) => {
    const url = redis();
    const api = await serveAbuseApi({ gateway, ...(url !== undefined && { redis: url }) });
    open.push(api);
    const padding = 'x'.repeat(60_000);
    // Each request opens a new connection, because the server closes idle connections during the
    // long garbage collection.
    const headers = { 'content-type': 'application/json', 'x-user': api.user, connection: 'close' };
    const sendWrong = async (name: string) => {
      const body = JSON.stringify({ query: `{ ${name} } #${padding}` });
      const response = await fetch(api.url, { method: 'POST', body, headers });
      expect(response.status).toBe(400);
      await response.arrayBuffer();
    };
    // A leak would keep 6 MB of every round. Buffers and compiled code vary from round to round.
    const kept: number[] = [];
    let before = await usedMemory();
    for (let round = 0; round < 4; round++) {
      for (let index = 0; index < 100; index += 20) {
        await Promise.all(Array.from({ length: 20 }, (_, offset) => sendWrong(`f${round}_${index + offset}`)));
      }
      const after = await usedMemory();
      kept.push(after - before);
      before = after;
    }
    expect(Math.min(...kept)).toBeLessThan(3_000_000);
    countCases(context, 400);
  });
});

describe('memory of the limiter', () => {
  const bucket = { id: 'b', scope: 'USER', algorithm: 'TOKEN_BUCKET', capacity: 10, cost: 1 } as const;
  const limits = [{ ...bucket, refillAmount: 1, refillPeriodMs: 86_400_000 }];
  async function visit(limiter: Limiter, count: number, name: string): Promise<void> {
    for (let from = 0; from < count; from += 100) {
      const some = Array.from({ length: Math.min(100, count - from) }, (_, offset) => {
        return limiter.charge({ subject: { user: `${name}${from + offset}` }, limits });
      });
      for (const { admitted, degraded } of await Promise.all(some)) {
        if (!admitted || degraded) throw new Error('the limiter denied a new identity, or decided without Redis');
      }
    }
  }

  it(
    'A24: a limiter in memory holds a bounded number of one-shot identities',
    async (context) => {
      const limiter = createLimiter({ maxPartitions: 1000 });
      await visit(limiter, 20_000, 'warm');
      const before = await usedMemory();
      await visit(limiter, IDENTITIES, 'one-shot');
      const grownMb = ((await usedMemory()) - before) / 1e6;
      reportFigure(context, `${IDENTITIES} one-shot identities in memory: ${grownMb.toFixed(1)} MB more than before`);
      expect(grownMb).toBeLessThan(10);
      countCases(context, IDENTITIES);
    },
    FIVE_MINUTES_MS,
  );

  it(
    'A24: a limiter on Redis keeps no one-shot identity in memory, and each identity leaves a key that expires',
    async (context) => {
      const count = IDENTITIES_ON_REDIS;
      const server = await startRedisServer();
      const limiter = createLimiter({ redis: server.url, ...PATIENT });
      await visit(limiter, 10_000, 'warm');
      const before = await usedMemory();
      await visit(limiter, count, 'one-shot');
      const grownMb = async () => ((await usedMemory()) - before) / 1e6;
      // The limiter keeps calls in memory until their deadline, which is long in this test.
      await until('the limiter has released its calls', async () => (await grownMb()) < 10, 2 * PATIENT_MS);
      const keys = await keysWithoutExpiry(server.url);
      reportFigure(
        context,
        `${count} one-shot identities on Redis: ${keys.count} keys, ${keys.stay.length} of them without an expiry, ` +
          `${(await grownMb()).toFixed(1)} MB more in the process`,
      );
      expect(keys.stay).toEqual([]);
      expect(keys.count).toBeGreaterThanOrEqual(count + 10_000);
      await limiter.close();
      await server.stop();
      countCases(context, count);
    },
    FIVE_MINUTES_MS,
  );
});

/** Returns the bytes in use after garbage collection and finalizers. */
async function usedMemory(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  await new Promise((resolve) => setImmediate(resolve));
  collect();
  return process.memoryUsage().heapUsed + process.memoryUsage().external;
}
