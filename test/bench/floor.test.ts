import { readFileSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterAll, expect, inject, test } from 'vitest';
import { packParameters } from '../../bench/decision/script-caller.js';
import { uniqueName } from '../helpers/servers.js';

// The floor is the baseline of the benchmark of decisions. These tests check that it does the
// documented work. If it did less, the ratios to it would be worthless.

const redis = new Redis(inject('redisUrl'));
afterAll(() => redis.quit());

const script = readFileSync(new URL('../../bench/decision/floor.lua', import.meta.url), 'utf8');
const HOUR_MS = 3_600_000;
const BUCKET = { capacity: 100, refillAmount: 0, refillPeriodMs: 1000 };
const AMOUNTS = [50, 40, 30, 20, 10];

/**
 * Returns the remaining amounts of the bucket and of the five windows, or undefined for a denial.
 */
async function charge(keys: string[], cost: number, { bucket = BUCKET, amounts = AMOUNTS } = {}) {
  const windows = amounts.map((amount) => ({ amount, windowMs: HOUR_MS }));
  const request = packParameters(bucket, windows);
  request.writeUInt32LE(cost);
  const reply = await redis.callBuffer('EVAL', script, 3, ...keys, request);
  if (!Buffer.isBuffer(reply)) throw new Error(`a buffer was expected, got ${reply}`);
  return reply.length === 0 ? undefined : Array.from({ length: 6 }, (_, index) => reply.readUInt32LE(index * 4));
}

function freshKeys(): string[] {
  const root = `{${uniqueName('floor')}}`;
  return ['user', 'tenant', 'address'].map((partition) => `${root}:${partition}`);
}

test('the floor charges a bucket and five windows and returns the remaining amount of each', async () => {
  const keys = freshKeys();
  expect(await charge(keys, 30)).toEqual([70, 49, 39, 29, 19, 9]);
  expect(await charge(keys, 70)).toEqual([0, 48, 38, 28, 18, 8]);
  for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(HOUR_MS);
});

test('the floor charges none of its limits when the charge would exceed any of them', async () => {
  for (const full of [0, 1, 2, 3, 4, 5]) {
    const keys = freshKeys();
    expect(await charge(keys, 1)).toBeDefined();
    const before = await Promise.all(keys.map((key) => redis.getBuffer(key)));
    const denied =
      full === 0
        ? await charge(keys, 100)
        : await charge(keys, 1, { amounts: AMOUNTS.map((amount, index) => (index === full - 1 ? 1 : amount)) });
    expect(denied).toBeUndefined();
    expect(await Promise.all(keys.map((key) => redis.getBuffer(key)))).toEqual(before);
  }
});

test('the floor refills its bucket, up to the capacity', async () => {
  const keys = freshKeys();
  expect((await charge(keys, 100))?.[0]).toBe(0);
  const refilling = { ...BUCKET, refillAmount: 1_000_000 };
  await expect
    .poll(() =>
      charge(keys, 0, { bucket: refilling, amounts: [1000, 1000, 1000, 1000, 1000] }).then((left) => left?.[0]),
    )
    .toBe(100);
});
