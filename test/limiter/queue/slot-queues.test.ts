import { expect, test } from 'vitest';
import type { Limit } from '../../../src/limiter/algorithms/limit-algorithm.js';
import { type CheckedRequest, checkedRequestOf, createLimitSet } from '../../../src/limiter/charge/checked-request.js';
import { createLimitCompiler, type LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import type { Decision, PeekedStates, Receipt } from '../../../src/limiter/charge/decision.js';
import { SlotQueues } from '../../../src/limiter/queue/slot-queues.js';
import type { PatientCharge } from '../../../src/limiter/queue/waiter.js';
import { keysFor } from '../../../src/limiter/redis/keys-for.js';
import type { LimitState } from '../../../src/model/limit-parameters.js';

const WAIT_MS = 30_000;
const { compile } = createLimitCompiler();

/** A request for one slot. */
function requestOf(id: string, user: string, limits: Partial<LimitCharge> = {}): CheckedRequest {
  const limit = { id, scope: 'GLOBAL', algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 60_000 } as const;
  const compiled = compile({ ...limit, maxWaitMs: WAIT_MS, maxQueue: 10_000, cost: 1, ...limits }, 0);
  return checkedRequestOf({ user }, createLimitSet([compiled]), [1]);
}

/**
 * Queues whose slots are all in use, except for those that the test frees, with a clock that the test
 * moves.
 */
function start({ callersElsewhere = 0 } = {}) {
  let now = 0;
  let free = 0;
  const timers = new Set<{ atMs: number; run: () => void }>();
  const schedule = (run: () => void, afterMs: number) => {
    const timer = { atMs: now + afterMs, run };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const calls = { charges: 0, peeks: 0, admitted: [] as string[], counted: [] as string[] };
  const states = (limits: readonly Limit[]): LimitState[] =>
    limits.map(({ id, hasSlots }) => ({
      id,
      limit: 1,
      used: 1,
      remaining: 0,
      resetAtMs: 0,
      retryAfterMs: 20,
      violated: hasSlots,
      shadow: false,
      wouldDeny: false,
    }));
  const denial = (limits: readonly Limit[]): Decision => ({
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
    async charge({ subject, limits }) {
      calls.charges++;
      if (limits.every(({ hasSlots }) => !hasSlots)) calls.counted.push(subject.user!);
      else if (free > 0) {
        free--;
        calls.admitted.push(subject.user!);
        return { admitted: true, degraded: false, limits: [], delayMs: 0, receipt: {} as Receipt };
      }
      return denial(limits);
    },
    async peek({ limits }) {
      calls.peeks++;
      return Object.assign(states(limits), { decision: denial(limits) }) as PeekedStates;
    },
    refund() {},
    notices: () =>
      callersElsewhere > 0 ? { callersElsewhere: () => callersElsewhere, waiting() {}, freed() {} } : undefined,
    openNotices: () => callersElsewhere > 0,
    closeNotices() {},
  });
  return {
    queues,
    calls,
    timers,
    /** Frees one slot of a counter. */
    free(id: string) {
      free++;
      queues.freed(requestOf(id, 'holder'), 'default', () => true);
    },
    /** Frees one slot of a counter in another process. */
    freeElsewhere(id: string) {
      free++;
      const request = requestOf(id, 'holder');
      queues.freedElsewhere('default', keysFor(request.subject)(request.limits[0]!));
    },
    wait(id: string, user: string, more: Partial<PatientCharge> = {}) {
      const request = requestOf(id, user);
      return queues.charge({ request, pool: undefined, caller: user, signal: undefined, current: undefined, ...more });
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

test('a slot that is freed elsewhere reaches the callers that began to wait while the process competed for it', async () => {
  const { calls, wait, advance, freeElsewhere } = start({ callersElsewhere: 1 });
  const left = new AbortController();
  const first = wait('one', 'first', { signal: left.signal });
  await advance(0);
  freeElsewhere('one');
  // The queue of the counter ends, and the next caller has another one.
  left.abort(new Error('left'));
  await expect(first).rejects.toThrow('left');
  const second = wait('one', 'second');
  await advance(20);
  expect(calls.admitted).toEqual(['second']);
  expect(await second).toMatchObject({ admitted: true });
});

test('an operation that the current rules reject gives its turn to the next one', async () => {
  const { calls, wait, advance, free } = start();
  const first = wait('one', 'first', {
    current: () => {
      throw new Error('rejected');
    },
  });
  await advance(0);
  const second = wait('one', 'second');
  free('one');
  await expect(first).rejects.toThrow('rejected');
  expect(await second).toMatchObject({ admitted: true });
  expect(calls.admitted).toEqual(['second']);
});

test('a caller who fills all waits of a process gives way to others, in queues of any counter', async () => {
  const { queues, wait, advance } = start();
  const greedy: Promise<Decision>[] = [];
  for (let i = 0; i < 10_000; i++) greedy.push(wait(`counter ${i % 5}`, 'greedy'));
  await advance(0);
  expect(queues.totals().waiting).toBe(10_000);
  const modest = Array.from({ length: 100 }, (_, i) => wait(i % 2 ? 'counter 1' : `other ${i}`, `modest ${i}`));
  await advance(0);
  expect(queues.totals()).toMatchObject({ waiting: 10_000, ended: { full: 100 } });
  const isDecided = async (one: Promise<Decision>) => (await Promise.race([one, undefined])) !== undefined;
  const decided = await Promise.all([...greedy, ...modest].map(isDecided));
  expect(decided.slice(0, 9900)).not.toContain(true);
  expect(decided.slice(9900, 10_000)).not.toContain(false);
  expect(decided.slice(10_000)).not.toContain(true);
  // A further operation of the greedy caller is denied at once.
  expect(await wait('more', 'greedy')).toMatchObject({ admitted: false });
  await queues.end();
  expect(queues.totals()).toMatchObject({ waiting: 0 });
  expect(queues.isIdle).toBe(true);
});

test('an operation whose wait has ended counts its denial, and takes no slot from those that wait', async () => {
  const { queues, calls, advance, free } = start();
  const window = { id: 'window', scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 9, windowMs: 60_000 } as const;
  const counting = compile({ ...window, countDenied: true, cost: 1 }, 1);
  const wait = (user: string, maxQueue: number) => {
    const { subject, limits } = requestOf('one', user, { maxQueue });
    const request = checkedRequestOf({ ...subject }, createLimitSet([...limits, counting]), [1, 1]);
    return queues.charge({ request, pool: undefined, caller: user, signal: undefined, current: undefined });
  };
  const first = wait('first', 1);
  await advance(0);
  // A slot is free, but `first` has not taken it yet.
  const second = wait('second', 1);
  free('one');
  expect(await second).toMatchObject({ admitted: false });
  expect(await first).toMatchObject({ admitted: true });
  expect(calls).toMatchObject({ admitted: ['first'], counted: ['second'] });
});
