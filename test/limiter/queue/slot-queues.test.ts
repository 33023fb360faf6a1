import { expect, test } from 'vitest';
import { checkedRequestOf, createLimitSet } from '../../../src/limiter/charge/checked-request.js';
import { createLimitCompiler } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Decision, PeekedStates } from '../../../src/limiter/charge/decision.js';
import { SlotQueues } from '../../../src/limiter/queue/slot-queues.js';
import type { LimitState } from '../../../src/model/limit-parameters.js';

const WAIT_MS = 30_000;
const { compile } = createLimitCompiler();

/** Queues whose slots are all in use, with a clock that the test moves. */
function start() {
  let now = 0;
  const timers = new Set<{ atMs: number; run: () => void }>();
  const schedule = (run: () => void, afterMs: number) => {
    const timer = { atMs: now + afterMs, run };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const calls = { charges: 0, peeks: 0 };
  const states = (limits: readonly { id: string }[]): LimitState[] =>
    limits.map(({ id }) => ({
      id,
      limit: 1,
      used: 1,
      remaining: 0,
      resetAtMs: 0,
      retryAfterMs: 20,
      violated: true,
      shadow: false,
      wouldDeny: false,
    }));
  const denial = (limits: readonly { id: string }[]): Decision => ({
    admitted: false,
    degraded: false,
    limits: states(limits),
    deniedBy: limits[0]!.id,
    retryAfterMs: 20,
    maxAdmissibleCost: 0,
    code: 'THROTTLED',
  });
  const queues = new SlotQueues({
    timings: { clock: () => now, schedule, scheduleAwaited: schedule, random: () => 0.5 },
    async charge({ limits }) {
      calls.charges++;
      return denial(limits);
    },
    async peek({ limits }) {
      calls.peeks++;
      return Object.assign(states(limits), { decision: denial(limits) }) as PeekedStates;
    },
    refund() {},
    notices: () => undefined,
    openNotices: () => false,
    closeNotices() {},
  });
  return {
    queues,
    calls,
    timers,
    wait(id: string, user: string) {
      const limit = { id, scope: 'GLOBAL', algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 60_000 } as const;
      const compiled = compile({ ...limit, maxWaitMs: WAIT_MS, maxQueue: 10_000, cost: 1 }, 0);
      const request = checkedRequestOf({ user }, createLimitSet([compiled]), [1]);
      return queues.charge({ request, pool: undefined, caller: user, signal: undefined, current: undefined });
    },
    /** Moves the clock, and runs the timers that are due in the order of their times. */
    async advance(ms: number) {
      const untilMs = now + ms;
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        const [next] = [...timers].filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
        if (next === undefined) break;
        now = Math.max(now, next.atMs);
        timers.delete(next);
        next.run();
      }
      now = untilMs;
    },
  };
}

test('1,000 operations that wait for one slot cause about one charge per second', async () => {
  const { queues, calls, wait, advance, timers } = start();
  const all = [wait('one', 'first')];
  await advance(0);
  for (let i = 1; i < 1000; i++) all.push(wait('one', `user ${i % 50}`));
  expect(calls.charges).toBe(1);
  await advance(20_000);
  expect(queues.totals().waiting).toBe(1000);
  expect(calls.charges).toBeGreaterThan(10);
  expect(calls.charges).toBeLessThan(60);
  await advance(WAIT_MS);
  for (const decision of await Promise.all(all)) expect(decision).toMatchObject({ admitted: false, waitedMs: WAIT_MS });
  // Each operation reads its limits once for its denial, and nothing is left.
  expect(calls.peeks).toBe(1000);
  expect(queues.totals()).toMatchObject({ waiting: 0, ended: { expired: 1000 } });
  expect(queues.isIdle).toBe(true);
  expect(timers.size).toBe(0);
});

test('operations that wait for slots of 1,000 counters cause a bounded number of charges per second', async () => {
  const { queues, calls, wait, advance } = start();
  for (let i = 0; i < 1000; i++) void wait(`counter ${i}`, 'ann');
  await advance(0);
  expect(calls.charges).toBe(1000);
  await advance(5000);
  expect(queues.totals().waiting).toBe(1000);
  expect(calls.charges - 1000).toBeLessThanOrEqual(5 * 640 + 64);
});
