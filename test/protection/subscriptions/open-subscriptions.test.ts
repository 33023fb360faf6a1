import { expect, test } from 'vitest';
import type { Receipt } from '../../../src/limiter/charge/decision.js';
import { createOpenSubscriptions } from '../../../src/protection/slots/open-subscriptions.js';

/** Creates a register with a clock that only the test moves, and counts its renewals by receipt. */
function openRegister() {
  let nowMs = 0;
  let timers: { atMs: number; run: () => void }[] = [];
  const renewals: string[] = [];
  const register = createOpenSubscriptions({
    renew: async (receipt) => void renewals.push(String(receipt)),
    timings: {
      clock: () => nowMs,
      random: () => 0.5,
      schedule(run, afterMs) {
        const timer = { atMs: nowMs + afterMs, run };
        timers.push(timer);
        return () => {
          timers = timers.filter((one) => one !== timer);
        };
      },
    },
  });
  return {
    register,
    renewals,
    pendingTimers: () => timers.length,
    add: (name: string, leaseMs: number | undefined, end = () => {}) =>
      register.add({ receipt: name as unknown as Receipt, leaseMs }, end),
    pass(byMs: number) {
      const untilMs = nowMs + byMs;
      for (;;) {
        const [next] = timers.filter(({ atMs }) => atMs <= untilMs).sort((a, b) => a.atMs - b.atMs);
        if (next === undefined) break;
        timers = timers.filter((one) => one !== next);
        nowMs = Math.max(nowMs, next.atMs);
        next.run();
      }
      nowMs = untilMs;
    },
  };
}

test('the slots of a subscription are renewed four times per lease until it ends', () => {
  const { add, pass, renewals, pendingTimers } = openRegister();
  const end = add('a', 40_000);
  pass(9_999);
  expect(renewals).toEqual([]);
  pass(1);
  expect(renewals).toEqual(['a']);
  pass(50_000);
  expect(renewals).toHaveLength(6);
  end();
  pass(100_000);
  expect(renewals).toHaveLength(6);
  expect(pendingTimers()).toBe(0);
});

test.each([
  3000, 10_000, 60_000,
])('with a lease of %d ms, the third renewal comes before the slot expires', (leaseMs) => {
  const { add, pass, renewals } = openRegister();
  add('a', leaseMs);
  pass(leaseMs - 1);
  expect(renewals.length).toBeGreaterThanOrEqual(3);
});

test('subscriptions with equal leases share one timer, and each is renewed at its own times', () => {
  const { add, pass, renewals, pendingTimers } = openRegister();
  add('a', 40_000);
  pass(4_000);
  const end = add('b', 40_000);
  add('c', 80_000);
  expect(pendingTimers()).toBe(2);
  pass(6_000);
  expect(renewals).toEqual(['a']);
  pass(4_000);
  expect(renewals).toEqual(['a', 'b']);
  end();
  pass(10_000);
  expect(renewals).toEqual(['a', 'b', 'a', 'c']);
});

test('a subscription without slots is not renewed, but ends with the others when the server stops', () => {
  const { add, pass, register, renewals } = openRegister();
  const ended: string[] = [];
  add('a', undefined, () => ended.push('a'));
  add('b', 30_000, () => ended.push('b'))();
  pass(100_000);
  expect(renewals).toEqual([]);
  expect(register.count).toBe(1);
  register.endAll();
  expect(ended).toEqual(['a']);
});

test('a subscription that begins after the server has stopped ends at once', async () => {
  const { add, register } = openRegister();
  register.endAll();
  let hasEnded = false;
  add('a', 30_000, () => {
    hasEnded = true;
  });
  await Promise.resolve();
  expect(hasEnded).toBe(true);
  expect(register.count).toBe(0);
});
