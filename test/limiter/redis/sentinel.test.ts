import { afterAll, beforeAll, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../../../src/limiter/create-limiter.js';
import { until } from '../../helpers/redis-cluster.js';
import { type RedisSentinels, startRedisSentinels } from '../../helpers/redis-sentinel.js';
import { someone } from '../engines.js';

let sentinels: RedisSentinels;
beforeAll(async () => {
  sentinels = await startRedisSentinels();
});
afterAll(() => sentinels?.stop());

test('a limiter charges the primary that sentinels name, and the new primary after a failover', async () => {
  const limiter = createLimiter({ redis: sentinels.url, deadlineMs: 500 });
  const limit: LimitCharge = {
    id: 'window',
    scope: 'USER',
    algorithm: 'FIXED_WINDOW',
    amount: 1000,
    windowMs: 86_400_000,
    cost: 1,
  };
  const subject = someone();
  // On a busy machine, the first attempt to connect may take longer than the deadline.
  await limiter.opened;
  await until(async () => !(await limiter.charge({ subject, limits: [limit] })).degraded);
  await sentinels.failOver();
  // Decisions are degraded until the client has found the new primary. Then they continue from the
  // replicated state.
  await until(async () => {
    const decision = await limiter.charge({ subject, limits: [limit] });
    return !decision.degraded && decision.limits[0]!.used >= 2;
  });
  await limiter.close();
});
