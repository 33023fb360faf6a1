import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startEmbeddedPlatform } from '../helpers/embedded-platform.js';
import type { Platform } from '../helpers/platform.js';
import { until } from '../helpers/until.js';
import { ask, askAdmin, FREE, openStack, PRO, QUERY, readiness, type Stack } from './stack.js';
import { startTraffic } from './traffic.js';

/**
 * A query whose actual cost equals its estimated cost, which is much more than the refill during a
 * test.
 */
const COUNTRIES = '{ countries(first: 100) { name } }';
const HOUR_MS = 3_600_000;
const QUOTA = '{ quota(subject: { user: "demo-pro-user", tenant: "demo-company" }) { limits { rule remaining } } }';
const JUMPS = [`clock:${6 * HOUR_MS}`, `clock:${-18 * HOUR_MS}`, `clock:${12 * HOUR_MS}`];
const NODE_OPTIONS = `--import ${fileURLToPath(new URL('./disturb.mjs', import.meta.url))}`;

let stack: Stack;
beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.stop());

const disturbedBy = (...disturbances: string[]) => ({ NODE_OPTIONS, DISTURBANCES: disturbances.join(',') });

async function disturb(platform: Platform, disturbance: string): Promise<void> {
  const times = () => platform.output().split(`disturbed by ${disturbance}\n`).length;
  const before = times();
  platform.process.kill('SIGUSR2');
  await until(disturbance, () => times() > before);
}

const PLATFORMS = [
  { on: 'Redis', start: () => stack.start(disturbedBy(...JUMPS)) },
  { on: 'counters in memory', start: () => startEmbeddedPlatform({ env: disturbedBy(...JUMPS) }) },
];

describe('clock of the machine', () => {
  it.each(
    PLATFORMS,
  )('N3: no bucket fills up, empties or stops refilling when the clock jumps by hours, on $on', async ({ start }) => {
    const platform = await start();
    // The bucket refills one token every 200 ms. If the limiter used the clock of the machine, a
    // jump forwards would fill the bucket, and a jump backwards would stop the refill.
    const tier = 'name: "pro", capacity: 100000, refillAmount: 5, refillPeriodMs: 1000';
    await askAdmin(platform, `mutation { tierUpdate(input: { ${tier} }) { userErrors { code } } }`);
    const spend = async () => {
      const { status, body } = await ask(platform, PRO, COUNTRIES);
      expect(status).toBe(200);
      expect(body.extensions.cost.degraded).toBe(false);
      return body.extensions.cost;
    };
    const { requestedQueryCost: cost, actualQueryCost } = await spend();
    expect(actualQueryCost).toBe(cost);
    for (const jump of JUMPS) {
      const before = (await spend()).throttleStatus.currentlyAvailable;
      const startedMs = performance.now();
      await disturb(platform, jump);
      const after = (await spend()).throttleStatus.currentlyAvailable;
      const refilled = after + cost - before;
      expect(refilled).toBeGreaterThanOrEqual(0);
      expect(refilled).toBeLessThanOrEqual(Math.ceil(((performance.now() - startedMs) * 5) / 1000) + 1);
      // A query of the quota charges nothing.
      const remaining = async () => {
        const { limits } = (await askAdmin(platform, QUOTA)).body.data.quota;
        return limits.find(({ rule }: { rule: string }) => rule === 'tier:pro').remaining;
      };
      const now = await remaining();
      await until('the bucket refills', async () => (await remaining()) > now);
    }
    const { headers } = await ask(platform, PRO);
    expect(Number(headers.get('x-ratelimit-limit'))).toBe(100_000);
    expect(await platform.stop()).toBe(0);
  });

  it('N3: callers are still identified, changes come into force and PostgreSQL stays in use when the clock jumps by hours', async () => {
    const platform = await stack.start(disturbedBy(...JUMPS));
    const traffic = startTraffic({ url: platform.url, query: QUERY, callers: [PRO, FREE, {}] });
    for (const [index, jump] of JUMPS.entries()) {
      await disturb(platform, jump);
      const update = `tierUpdate(input: { name: "pro", capacity: ${90_000 + index} }) { userErrors { code } }`;
      expect((await askAdmin(platform, `mutation { ${update} }`)).status).toBe(200);
      const { body } = await ask(platform, PRO);
      expect(body.extensions.cost.throttleStatus.maximumAvailable).toBe(90_000 + index);
      // The only problem reported is the difference between the clocks.
      const degradations = (await readiness(platform)).degraded ?? [];
      for (const text of degradations)
        expect(text).toMatch(/^the clock of this instance is \d+ s (ahead of|behind) that of Redis/);
      expect(degradations.length).toBeLessThanOrEqual(1);
    }
    const { failures, degraded } = await traffic.stop();
    expect({ failures, degraded }).toEqual({ failures: [], degraded: 0 });
    expect(await platform.stop()).toBe(0);
  });
});

describe('event loop', () => {
  it('N3: a stall of the event loop for two seconds with charges in flight is no failure of Redis', async () => {
    const platform = await stack.start({
      ...disturbedBy('stall:2000', 'stall:2000', 'stall:2000'),
      // The deadline is long enough even if the proxy and Redis have to wait for a processor.
      TOLLGATE_REDIS_DEADLINE_MS: '500',
    });
    // The delay keeps charges in flight whenever the loop stalls. The delay is much shorter than
    // the deadline, and the stall is much longer.
    await stack.toRedis.set({ kind: 'delay', ms: 5 });
    const traffic = startTraffic({ url: platform.url, query: QUERY, callers: Array(8).fill(PRO) });
    for (let round = 0; round < 3; round++) {
      const before = traffic.result.requests;
      await until('responses arrive', () => traffic.result.requests > before + 50);
      await disturb(platform, 'stall:2000');
    }
    const before = traffic.result.requests;
    await until('responses arrive', () => traffic.result.requests > before + 50);
    const { failures, degraded } = await traffic.stop();
    await stack.toRedis.set({ kind: 'pass' });
    expect({ failures, degraded }).toEqual({ failures: [], degraded: 0 });
    expect((await readiness(platform)).degraded).toBeUndefined();
    expect(await platform.stop()).toBe(0);
  });
});
