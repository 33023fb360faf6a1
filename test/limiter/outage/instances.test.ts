import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createScriptRunner, type ScriptRunner } from '../../../src/limiter/redis/create-script-runner.js';
import { createInstances, type Instances } from '../../../src/limiter/redis/instances.js';
import { startRedisServer } from '../../helpers/servers.js';

let redis: Awaited<ReturnType<typeof startRedisServer>>;
let client: Redis;
let runner: ScriptRunner;
beforeAll(async () => {
  redis = await startRedisServer();
  client = new Redis(redis.url);
  runner = createScriptRunner({ redis: redis.url, now: undefined, onConnectionError() {} });
  await runner.opened;
});
afterAll(async () => {
  await runner.close();
  client.disconnect();
  await redis.stop();
});

/**
 * Creates an instance whose replies can be lost. If `ears.isDeaf` is set, Redis executes the call,
 * but the instance does not get the reply.
 */
function join(
  atLeast = 1,
  zoneData = '2025c',
  onOtherZoneData = (_version: string) => {},
): { instances: Instances; ears: { isDeaf: boolean } } {
  const ears = { isDeaf: false };
  const instances = createInstances({
    async beat(heartbeat) {
      const pulse = await runner.beat(heartbeat);
      if (ears.isDeaf) throw new Error('the reply is lost');
      return pulse;
    },
    atLeast,
    isAway: () => false,
    onError() {},
    zoneData,
    onOtherZoneData,
  });
  return { instances, ears };
}

/**
 * Returns the sum of the shares that the instances would use if Redis failed now. The whole limit
 * is 1. A divisor of 1000 means that the instance has no share yet.
 */
function wholeOf(all: Iterable<Instances>): number {
  let sum = 0;
  for (const divisor of divisorsOf(all)) if (divisor < 1000) sum += 1 / divisor;
  return sum;
}

test('a single instance has the whole share, and two instances have half each once both know of each other', async () => {
  await client.flushall();
  const [one, other] = [join().instances, join().instances];
  await one.beat();
  expect([one.count(), divisorsOf([one])]).toEqual([1, [1]]);
  await other.beat();
  // The second instance gets no share before the first instance knows of it.
  expect(divisorsOf([one, other])).toEqual([1, 1000]);
  await one.beat();
  expect(divisorsOf([one, other])).toEqual([2, 1000]);
  await other.beat();
  expect(divisorsOf([one, other])).toEqual([2, 2]);
  await other.stop();
  await one.beat();
  // An instance uses the largest count of the last heartbeats, so the stopped instance still
  // counts.
  expect(one.count()).toBe(2);
});

test('with a configured minimum number of instances, an instance starts with no more than its share', async () => {
  await client.flushall();
  const fleet = [join(3), join(3), join(3)].map(({ instances }) => instances);
  for (const one of fleet) await one.beat();
  expect(divisorsOf(fleet)).toEqual([3, 3, 3]);
});

test('an instance reports another version of time zone data once, and never reports its own version', async () => {
  await client.flushall();
  const found: string[] = [];
  const note = (who: string) => (version: string) => void found.push(`${who} sees ${version}`);
  const [one, same] = [join(1, '2025c', note('one')), join(1, '2025c', note('same'))];
  for (const { instances } of [one, same, one]) await instances.beat();
  expect(found).toEqual([]);
  const other = join(1, '2024a', note('other'));
  for (const { instances } of [other, one, same, one, other]) await instances.beat();
  expect(found).toEqual(['other sees 2025c', 'one sees 2024a', 'same sees 2024a']);
  // Instances of versions before this check have names without time zone data.
  await client.hset('{tg:instances}:shares', 'AAAAAAAAAAAA', '1');
  await client.zadd('tg:instances', Date.now() + 10_000, 'AAAAAAAAAAAA');
  await other.instances.beat();
  expect(found).toHaveLength(3);
});

test('every key in which Redis stores the instances expires', async () => {
  for (const key of await client.keys('*')) expect(await client.pttl(key), key).toBeGreaterThan(0);
});

const step = fc.oneof(
  { weight: 2, arbitrary: fc.constant({ kind: 'join' as const, at: 0 }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('beat' as const), at: fc.nat(7) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lost' as const), at: fc.nat(7) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave' as const), at: fc.nat(7) }) },
);

test('the shares never exceed the whole limit while instances join, leave and miss replies, and become equal afterwards', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      await client.flushall();
      const fleet: ReturnType<typeof join>[] = [];
      for (const { kind, at } of steps) {
        const one = fleet[at % Math.max(1, fleet.length)];
        if (kind === 'join' && fleet.length < 8) {
          const newcomer = join();
          await newcomer.instances.beat();
          fleet.push(newcomer);
        } else if (kind === 'leave' && one) {
          await one.instances.stop();
          fleet.splice(fleet.indexOf(one), 1);
        } else if (one) {
          one.ears.isDeaf = kind === 'lost';
          await one.instances.beat().catch(() => {});
          one.ears.isDeaf = false;
        }
        expect(wholeOf(fleet.map(({ instances }) => instances))).toBeLessThanOrEqual(1 + 1e-6);
      }
      const size = fleet.length;
      // Older counts, which include stopped instances, apply for six heartbeats.
      for (let round = 0; round < 8; round++) for (const { instances } of fleet) await instances.beat();
      expect(divisorsOf(fleet.map(({ instances }) => instances))).toEqual(Array(size).fill(size));
    }),
    { numRuns: 150 },
  );
});

function divisorsOf(all: Iterable<Instances>): number[] {
  return [...all].map((one) => one.divisor());
}
