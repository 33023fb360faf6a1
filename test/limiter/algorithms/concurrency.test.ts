import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Admission, Decision, Receipt } from '../../../src/limiter/charge/decision.js';
import { createLimiter } from '../../../src/limiter/create-limiter.js';
import { PATIENT } from '../../helpers/patient.js';
import { uniqueName } from '../../helpers/servers.js';
import { ENGINES, someone, type TestEngine } from '../engines.js';
import { createModel, type ModelDecision } from '../model.js';

const slots: LimitCharge = {
  id: 'slots',
  scope: 'USER',
  algorithm: 'CONCURRENCY',
  capacity: 2,
  leaseMs: 60_000,
  cost: 1,
};

function admission(decision: Decision): Admission {
  if (!decision.admitted) throw new Error(`denied by ${decision.deniedBy}`);
  return decision;
}

describe.each(ENGINES)('wait for a concurrency slot, with the $name engine', ({ start }) => {
  test('without a known hold time, the wait ends when the first slot expires', async () => {
    const { take, denial, clock } = startCaller(start);
    await take();
    clock.now += 1000;
    await take();
    expect(await denial()).toMatchObject({ retryAfterMs: 59_000 });
  });

  test('the wait is the mean hold time minus the running time of the oldest operation', async () => {
    const { take, hold, denial, clock } = startCaller(start);
    await hold(500);
    await take();
    clock.now += 200;
    await take();
    expect(await denial()).toMatchObject({ retryAfterMs: 300, limits: [{ retryAfterMs: 300 }] });
    // The first operation has already run longer than the mean. It is expected to run for as long
    // again, so the second operation is expected to end first.
    clock.now += 350;
    expect(await denial()).toMatchObject({ retryAfterMs: 150 });
  });

  test('the last hold time contributes a quarter to the mean', async () => {
    const { take, hold, denial } = startCaller(start);
    await hold(500);
    await hold(1000);
    await take();
    await take();
    expect(await denial()).toMatchObject({ retryAfterMs: 625 });
  });

  test('the wait is the running time of the newest operation when all operations have run longer than the mean', async () => {
    const { take, hold, denial, clock } = startCaller(start);
    await hold(500);
    await take();
    clock.now += 1000;
    await take();
    clock.now += 700;
    expect(await denial()).toMatchObject({ retryAfterMs: 700 });
    clock.now += 1000;
    expect(await denial()).toMatchObject({ retryAfterMs: 1700 });
  });

  test('the wait is at least 50 ms, however short operations are', async () => {
    const { take, hold, denial, clock } = startCaller(start);
    for (let i = 0; i < 20; i++) await hold(0);
    await take();
    await take();
    expect(await denial()).toMatchObject({ retryAfterMs: 50 });
    clock.now += 10;
    expect(await denial()).toMatchObject({ retryAfterMs: 50 });
  });

  test('the wait never ends later than the first slot expires, however long operations were', async () => {
    const { take, hold, denial, clock } = startCaller(start);
    await hold(59_999);
    await take();
    clock.now += 100;
    await take();
    clock.now += 59_880;
    expect(await denial()).toMatchObject({ retryAfterMs: 20 });
  });

  test('one long operation does not lengthen the wait for a slot that short operations use', async () => {
    const { take, hold, denial, clock } = startCaller(start);
    await hold(100);
    await take();
    for (let i = 0; i < 10; i++) {
      const { release } = await take();
      expect(await denial()).toMatchObject({ retryAfterMs: 100 });
      clock.now += 100;
      await release();
    }
  });

  test('an expired slot or a second release does not change the mean hold time', async () => {
    const { take, hold, denial, clock } = startCaller(start);
    await hold(500);
    const { release, settle } = await take();
    clock.now += 30_000;
    await hold(500);
    clock.now += 29_500;
    await settle();
    await release();
    await take();
    await take();
    expect(await denial()).toMatchObject({ retryAfterMs: 500 });
  });

  test.each([
    ['one slot duration', 60_000, 60_000],
    ['ten minutes', 3_600_000, 600_000],
  ])('the mean hold time is forgotten after %s without a charge or a release', async (_, leaseMs, keptMs) => {
    const { take, hold, denial, clock } = startCaller(start, { leaseMs });
    await hold(500);
    clock.now += keptMs - 1;
    await take();
    await take();
    expect(await denial()).toMatchObject({ retryAfterMs: 500 });

    const other = startCaller(start, { leaseMs });
    await other.hold(500);
    other.clock.now += keptMs;
    await other.take();
    await other.take();
    expect(await other.denial()).toMatchObject({ retryAfterMs: leaseMs });
  });

  test('an operation that holds several slots counts once in the mean hold time', async () => {
    const { take, hold, denial } = startCaller(start, { cost: 2 });
    await hold(300);
    await take();
    expect(await denial()).toMatchObject({ retryAfterMs: 300 });
  });

  test('a reset makes the mean hold time unknown again', async () => {
    const { take, hold, denial, limiter, subject, limits } = startCaller(start);
    await hold(500);
    await limiter.reset({ subject, limits });
    await take();
    await take();
    expect(await denial()).toMatchObject({ retryAfterMs: 60_000 });
  });

  test('a renewed slot ends leaseMs after its renewal, and a released slot is not renewed', async () => {
    const { take, used, clock } = startCaller(start);
    const { renew, release } = await take();
    await take();
    clock.now += 40_000;
    await renew();
    clock.now += 20_000;
    expect(await used()).toBe(1);
    clock.now += 39_999;
    expect(await used()).toBe(1);
    await release();
    await renew();
    expect(await used()).toBe(0);
  });

  test('a slot that a settlement has freed is not renewed', async () => {
    const { take, used } = startCaller(start);
    const { renew, settle } = await take();
    await settle();
    await renew();
    expect(await used()).toBe(0);
  });

  test('the renewal of an expired slot takes it again, even if no slot is free', async () => {
    const { take, used, denial, clock } = startCaller(start);
    const { renew, release } = await take();
    clock.now += 60_000;
    await take();
    await take();
    await renew();
    expect(await used()).toBe(3);
    await denial();
    await release();
    expect(await used()).toBe(2);
  });

  test('peek and charge report the same wait', async () => {
    const { take, hold, denial, limiter, subject, limits } = startCaller(start);
    await hold(500);
    await take();
    await take();
    const { decision } = await limiter.peek({ subject, limits });
    expect(decision).toEqual(await denial());
  });
});

const client = new Redis(inject('redisUrl'));
afterAll(() => client.disconnect());

test('Redis stores the mean hold time in five bytes and deletes it when it expires', async () => {
  const user = uniqueName('bytes');
  const limiter = createLimiter({ redis: client, ...PATIENT });
  onTestFinished(() => limiter.close());
  const request = { subject: { user }, limits: [{ ...slots, leaseMs: 4000 }] };
  const { receipt } = admission(await limiter.charge(request));
  const [key] = await client.keys(`*${user}*`);
  const before = await client.strlen(key!);
  await limiter.release(receipt);
  expect(await client.strlen(key!)).toBe(before - 17 + 5);
  const ttlMs = await client.pttl(key!);
  expect(ttlMs).toBeGreaterThan(4000);
  expect(ttlMs).toBeLessThanOrEqual(4000 * 1.25 + 10_000);
});

const RUNS = Number(process.env['HISTORIES'] ?? 150);
const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
const step = fc.oneof(
  fc.record({ kind: fc.constant('charge' as const), cost: fc.integer({ min: 1, max: 2 }), duration: fc.nat(3) }),
  fc.record({ kind: fc.constant('release' as const), receipt: fc.nat(9) }),
  fc.record({ kind: fc.constant('renew' as const), receipt: fc.nat(9) }),
  fc.record({
    kind: fc.constant('wait' as const),
    byMs: fc.oneof(fc.constantFrom(1, 49, 50, 51, -1, -6000), fc.nat(300), fc.nat(5000)),
  }),
);
/** Slot durations (`leaseMs`) of a limit that is edited. */
const SLOTS_MS = [100, 3000, 3000, 900_000];

test(
  `both engines and the model predict the same time of the next free slot in ${RUNS} random histories (SEED=${seed})`,
  async () => {
    let estimated = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }), async (steps) => {
        let clock = 1_700_000_000_000;
        const now = () => clock;
        const redis = createLimiter({ redis: client, now, ...PATIENT });
        const memory = createLimiter({ now });
        const model = createModel();
        const subject = { user: uniqueName('model') };
        const held: { redis: Receipt; memory: Receipt; model: NonNullable<ModelDecision['receipt']> }[] = [];
        for (const one of steps) {
          if (one.kind === 'wait') clock += one.byMs;
          else if (one.kind === 'release') {
            const [chosen] = held.splice(one.receipt % (held.length || 1), 1);
            if (!chosen) continue;
            await redis.release(chosen.redis);
            await memory.release(chosen.memory);
            model.settle(chosen.model, { slots: 0 }, clock);
          } else if (one.kind === 'renew') {
            const chosen = held[one.receipt % (held.length || 1)];
            if (!chosen) continue;
            await redis.renew(chosen.redis);
            await memory.renew(chosen.memory);
            model.renew(chosen.model, clock);
          } else {
            const leaseMs = SLOTS_MS[one.duration]!;
            const limits = [{ ...slots, capacity: 3, cost: one.cost, leaseMs }];
            const { receipt, ...expected } = model.charge(subject, limits, clock);
            const inMemory = await memory.charge({ subject, limits });
            const onRedis = await redis.charge({ subject, limits });
            expect(inMemory).toMatchObject(expected);
            expect(onRedis).toMatchObject(expected);
            if (receipt && inMemory.admitted && onRedis.admitted) {
              held.push({ redis: onRedis.receipt, memory: inMemory.receipt, model: receipt });
            }
            if (!expected.admitted && expected.retryAfterMs! < leaseMs - 1000) estimated++;
          }
        }
        await redis.close();
      }),
      { numRuns: RUNS, seed, endOnFailure: false },
    );
    expect(estimated).toBeGreaterThan(RUNS / 10);
  },
  500 * RUNS + 60_000,
);

/** Starts a caller with slots on an engine. Only the test moves the clock of the engine. */
function startCaller(start: TestEngine['start'], changes: Partial<LimitCharge> = {}) {
  const { limiter, clock } = start();
  onTestFinished(() => limiter.close());
  const subject = someone();
  const limits = [{ ...slots, ...changes }];
  const take = async () => {
    const { receipt } = admission(await limiter.charge({ subject, limits }));
    return {
      release: () => limiter.release(receipt),
      settle: () => limiter.settle(receipt, { slots: 1 }),
      renew: () => limiter.renew(receipt),
    };
  };
  return {
    limiter,
    clock,
    subject,
    limits,
    take,
    used: async () => (await limiter.peek({ subject, limits }))[0]!.used,
    async hold(forMs: number) {
      const { release } = await take();
      clock.now += forMs;
      await release();
    },
    async denial() {
      const decision = await limiter.charge({ subject, limits });
      expect(decision.admitted).toBe(false);
      return decision;
    },
  };
}
