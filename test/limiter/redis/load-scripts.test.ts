import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createProtectionLimiter } from '../../../src/limiter/create-limiter.js';
import { PATIENT } from '../../helpers/patient.js';
import { startRedisServer } from '../../helpers/servers.js';

const bucket: LimitCharge = {
  id: 'bucket',
  scope: 'USER',
  algorithm: 'TOKEN_BUCKET',
  capacity: 100,
  refillAmount: 1,
  refillPeriodMs: 1_000_000,
  cost: 10,
};

it.each([
  ['a URL'],
  ['a client'],
])('on a Redis without loaded scripts, a peek sees the settlement directly before it, with %s', async (given) => {
  const server = await startRedisServer();
  const client = given === 'a client' ? new Redis(server.url) : undefined;
  const limiter = createProtectionLimiter({ redis: client ?? server.url, ...PATIENT });
  const subject = { user: 'u' };
  const decision = await limiter.charge({ subject, limits: [bucket] });
  if (!decision.admitted) throw new Error('not admitted');
  const settled = limiter.settle(decision.receipt, { bucket: 4 });
  await limiter.settlementsSent();
  const [state] = await limiter.peek({ subject, limits: [bucket] });
  expect(state?.used).toBe(4);
  await settled;
  await limiter.close();
  await client?.quit();
  await server.stop();
});
