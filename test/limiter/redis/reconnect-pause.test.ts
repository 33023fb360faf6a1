import type { Redis } from 'ioredis';
import { expect, inject, onTestFinished, test } from 'vitest';
import { connect } from '../../../src/limiter/redis/connect.js';

test.each([
  ['reconnectMs', 4000, 4000],
  ['its default', undefined, 500],
])('the pauses between attempts to connect grow up to %s', async (_, reconnectMs, longestMs) => {
  const connection = await connect(inject('redisUrl'), { reconnectMs });
  onTestFinished(() => connection.close());
  await connection.ready();
  const { retryStrategy } = (connection.client as Redis).options;
  const pausesAt = (attempt: number) => Array.from({ length: 200 }, () => retryStrategy!(attempt) as number);
  for (const pauseMs of pausesAt(1)) expect(pauseMs).toBeLessThanOrEqual(50);
  const late = pausesAt(20);
  expect(Math.max(...late)).toBeLessThanOrEqual(longestMs);
  expect(Math.min(...late)).toBeGreaterThanOrEqual(longestMs / 2);
  expect(Math.max(...late)).toBeGreaterThan(0.75 * longestMs);
});
