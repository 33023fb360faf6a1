import { expect, inject, it, onTestFinished } from 'vitest';
import { createLimiter } from '../../../src/limiter/create-limiter.js';
import { PATIENT } from '../../helpers/patient.js';
import { redisDatabase, uniqueName } from '../../helpers/servers.js';
import { startTcpProxy } from '../../helpers/tcp-proxy.js';
import { until } from '../../helpers/until.js';

const AMOUNT = 3000;
/**
 * A separate database, so that instances of other tests are not counted. The number of instances
 * reduces the size of a lease.
 */
const redisUrl = redisDatabase(inject('redisUrl'), 5);

it('three regions with delays of 10, 80 and 150 ms to one Redis admit exactly the limit, and decide most operations in memory', async () => {
  const limit = {
    id: uniqueName('all'),
    scope: 'GLOBAL',
    algorithm: 'FIXED_WINDOW',
    amount: AMOUNT,
    windowMs: 86_400_000_000,
    precision: 'LEASED',
    cost: 1,
  } as const;
  const regions = await Promise.all(
    [10, 80, 150].map(async (ms) => {
      const proxy = await startTcpProxy(redisUrl);
      await proxy.set({ kind: 'delay', ms });
      const limiter = createLimiter({ ...PATIENT, redis: proxy.url, leases: { lengthMs: 5000 } });
      onTestFinished(async () => {
        await limiter.close();
        await proxy.close();
      });
      // A region that connects last could find the limit used up.
      await limiter.opened;
      return { limiter, admitted: 0 };
    }),
  );

  async function attempt(region: (typeof regions)[number]): Promise<boolean> {
    const { admitted } = await region.limiter.charge({ subject: {}, limits: [limit] });
    if (admitted) region.admitted++;
    return admitted;
  }

  // Each region sends one operation after the other, until the limit denies it.
  await Promise.all(
    regions.map(async (region) => {
      while (await attempt(region));
    }),
  );
  // A region denies operations while others hold tokens. They return them at the end of the lease.
  await until('no region holds tokens', () => regions.every(({ limiter }) => limiter.leases().held === 0));
  await until('every region is denied', async () => {
    const results = await Promise.all(regions.map(attempt));
    return results.every((admitted) => !admitted);
  });

  const decided = regions.reduce((sum, { limiter }) => sum + limiter.leases().decisions, 0);
  expect(regions.reduce((sum, { admitted }) => sum + admitted, 0)).toBe(AMOUNT);
  expect(decided).toBeGreaterThan(0.9 * AMOUNT);
  for (const { admitted } of regions) expect(admitted).toBeGreaterThan(0);
});
