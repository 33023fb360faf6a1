import { expect, test } from 'vitest';
import { createCallFailures } from '../../../src/limiter/fallback/call-failures.js';
import { createDeadlines } from '../../../src/limiter/redis/deadlines.js';
import { DeadlineError, type EngineErrorClass, GivenUpError } from '../../../src/limiter/redis/engine-failure.js';

function start() {
  const notified: EngineErrorClass[] = [];
  let counted = 0;
  const failures = createCallFailures({
    pool: 'default',
    deadlineMs: 25,
    deadlines: createDeadlines({ deadlineMs: 25, clock: () => 0 }),
    onFailure: (failure) => notified.push(failure.class),
    onCounted: () => counted++,
    connectionError: () => undefined,
  });
  return { failures, notified, counted: () => counted };
}

test('an abandoned call that waited too long in the local queue does not count as a failure of Redis', () => {
  const { failures, notified, counted } = start();
  const isCounted = failures.fail(new DeadlineError(25, true));
  failures.failLate(new GivenUpError(), isCounted);
  expect([notified, counted()]).toEqual([['deadline'], 0]);
});

test('a call that waited too long in the local queue and then fails counts once', () => {
  const { failures, notified, counted } = start();
  const isCounted = failures.fail(new DeadlineError(25, true));
  failures.failLate(new Error('Connection is closed.'), isCounted);
  expect([notified, counted()]).toEqual([['deadline', 'connection'], 1]);
});
