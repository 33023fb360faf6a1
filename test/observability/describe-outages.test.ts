import { expect, it } from 'vitest';
import type { PoolHealth } from '../../src/limiter/fallback/engine-observer.js';
import { describeOutages } from '../../src/observability/describe-outages.js';

const REDIS: PoolHealth = {
  pool: 'default',
  state: 'CLOSED',
  sinceMs: 0,
  reason: undefined,
  instances: 2,
  divisor: 2,
};

it.each([
  [REDIS, 300_000, [expect.stringContaining('the clock of this instance is 300 s behind that of Redis')]],
  [REDIS, -300_000, [expect.stringContaining('the clock of this instance is 300 s ahead of that of Redis')]],
  [REDIS, 2_000, []],
  // If the counters are in memory, a change of the local clock affects no other instance.
  [undefined, 300_000, []],
])('a clock that differs from the clock of Redis is a problem if counters are in Redis: %j, %i ms', (redis, clockAheadMs, problems) => {
  expect(describeOutages(redis ? [redis] : [], undefined, undefined, clockAheadMs)).toEqual(problems);
});

it('a snapshot that cannot be written is reported as a problem, although all requests succeed', () => {
  const rules = { version: 1, source: 'postgres' as const, invalid: undefined, unknown: [], databaseAway: undefined };
  const unsaved = { sinceMs: 0, reason: '/data/ruleset.json: ENOSPC: no space left on device, write' };
  expect(describeOutages([], { ...rules, unsaved }, undefined, 0)).toEqual([
    `writing the snapshot of the ruleset has failed since 1970-01-01T00:00:00.000Z, and a start without PostgreSQL has older rules or none: ${unsaved.reason}`,
  ]);
  expect(describeOutages([], { ...rules, unsaved: undefined }, undefined, 0)).toEqual([]);
});
