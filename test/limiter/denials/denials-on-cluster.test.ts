import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Receipt } from '../../../src/limiter/charge/decision.js';
import { createProtectionLimiter, type ProtectionLimiter } from '../../../src/limiter/create-limiter.js';
import { PATIENT } from '../../helpers/patient.js';
import { type RedisCluster, startRedisCluster } from '../../helpers/redis-cluster.js';
import { uniqueName } from '../../helpers/servers.js';
import { someone } from '../engines.js';

let cluster: RedisCluster;
beforeAll(async () => {
  cluster = await startRedisCluster({ replicas: false });
});
afterAll(() => cluster?.stop());

const clock = { now: 1_700_000_000_123 };

function startLimiter(maxAgeMs = 60_000): ProtectionLimiter {
  const limiter = createProtectionLimiter({
    redis: cluster.url,
    now: () => clock.now,
    denialMemory: { maxAgeMs },
    ...PATIENT,
  });
  onTestFinished(() => limiter.close());
  return limiter;
}

const bucket: LimitCharge = {
  id: 'bucket',
  scope: 'USER',
  algorithm: 'TOKEN_BUCKET',
  capacity: 100,
  refillAmount: 1,
  refillPeriodMs: 1000,
  cost: 1,
};
const perDay = (scope: 'IP' | 'GLOBAL', amount = 1): LimitCharge => ({
  id: uniqueName('day'),
  scope,
  algorithm: 'FIXED_WINDOW',
  amount,
  windowMs: 86_400_000,
  cost: 1,
});

/** Sends charges one after the other until one is denied from memory. */
async function remembered(limiter: ProtectionLimiter, request: Parameters<ProtectionLimiter['charge']>[0]) {
  for (let i = 0; i < 5 && limiter.rememberedDenials.answered === 0; i++) await limiter.charge(request);
  expect(limiter.rememberedDenials.answered).toBe(1);
}

test.each([
  'IP',
  'GLOBAL',
] as const)('on a Cluster, a flood of charges that a limit with scope %s denies calls Redis only a few times', async (scope) => {
  // The loop tries six callers. The counters of some of them are on the same node as the limit, so
  // that no pending charge has to be cancelled.
  for (let run = 0; run < 6; run++) {
    const limiter = startLimiter();
    const request = { subject: { ...someone(), ip: uniqueName('ip') }, limits: [bucket, perDay(scope)] };
    expect(await limiter.charge(request)).toMatchObject({ admitted: true });
    // Several charges travel in one call. Each leaves a pending charge of the caller, which the
    // limiter cancels.
    await Promise.all(Array.from({ length: 30 }, () => limiter.charge(request)));
    await Promise.all(Array.from({ length: 30 }, () => limiter.charge(request)));
    const { answered } = limiter.rememberedDenials;
    const decisions = await Promise.all(Array.from({ length: 500 }, () => limiter.charge(request)));
    expect(decisions.every(({ admitted }) => !admitted)).toBe(true);
    expect(decisions[0]).toMatchObject({ deniedBy: request.limits[1]!.id, retryAfterMs: expect.any(Number) });
    expect(limiter.rememberedDenials.answered - answered).toBe(500);
    // No denied operation was charged to the caller.
    await expect.poll(() => limiter.peek(request)).toMatchObject([{ used: 1 }, { used: 1 }]);
  }
});

test('on a Cluster, a refund on the hash slot of the denying limit is available immediately', async () => {
  const limiter = startLimiter();
  const request = { subject: someone(), limits: [bucket, perDay('GLOBAL')] };
  const admitted = await limiter.charge(request);
  await remembered(limiter, request);
  await limiter.settle((admitted as { receipt: Receipt }).receipt, { [request.limits[1]!.id]: 0 });
  expect(await limiter.charge(request)).toMatchObject({ admitted: true });
});

test('on a Cluster, a reset by another instance takes effect once the remembered denial has expired', async () => {
  const [here, there] = [startLimiter(400), startLimiter()];
  const request = { subject: someone(), limits: [bucket, perDay('GLOBAL')] };
  await there.charge(request);
  await remembered(here, request);
  expect(await there.reset(request)).toBe(true);
  clock.now += 401;
  expect(await here.charge(request)).toMatchObject({ admitted: true });
});

test('on a Cluster, a pending charge that another hash slot denies does not cause a later denial of its caller', async () => {
  const limiter = startLimiter();
  const subject = someone();
  const all = perDay('GLOBAL');
  const whole = { ...bucket, cost: 100 };
  await limiter.charge({ subject: someone(), limits: [bucket, all] });
  // Each charge reserves the whole bucket until the global limit denies it. Meanwhile, the bucket
  // denies some of the other charges.
  for (let i = 0; i < 3; i++) {
    await Promise.all(Array.from({ length: 30 }, () => limiter.charge({ subject, limits: [whole, all] })));
  }
  await expect.poll(() => limiter.charge({ subject, limits: [whole] })).toMatchObject({ admitted: true });
});
