import { describe, expect, test } from 'vitest';
import { type BreakerState, createBreaker } from '../../../src/limiter/fallback/breaker.js';
import { type CounterOptions, withCounterDefaults } from '../../../src/options/counter-options.js';

/** Starts a breaker whose clock and probes the test controls. */
function start({ random = () => 0.5, ...options }: { random?: () => number } & CounterOptions = {}) {
  let nowMs = 1_000_000;
  const timers: { run: () => void; atMs: number }[] = [];
  const probes: { ok: () => void; fail: () => void }[] = [];
  const states: BreakerState[] = [];
  const breaker = createBreaker({
    thresholds: withCounterDefaults(options),
    probe: () => new Promise((resolve, reject) => probes.push({ ok: () => resolve(undefined), fail: () => reject() })),
    onChange: (state) => states.push(state),
    timings: {
      clock: () => nowMs,
      schedule(run, afterMs) {
        const timer = { run, atMs: nowMs + afterMs };
        timers.push(timer);
        return () => timers.splice(timers.indexOf(timer), 1);
      },
      random,
    },
  });
  return {
    breaker,
    probes,
    states,
    timers,
    /** Returns the time until the next probe. */
    nextMs: () => timers[0]!.atMs - nowMs,
    wait(ms: number) {
      nowMs += ms;
      for (const timer of timers.filter(({ atMs }) => atMs <= nowMs)) {
        timers.splice(timers.indexOf(timer), 1);
        timer.run();
      }
    },
    settled: () => new Promise((resolve) => setImmediate(resolve)),
    calls(count: number, what: 'succeeded' | 'failed') {
      for (let i = 0; i < count; i++) breaker[what]();
    },
  };
}

describe('circuit breaker', () => {
  test('the breaker opens only when half of the calls of the last second have failed', () => {
    const { breaker, calls } = start();
    calls(11, 'succeeded');
    calls(10, 'failed');
    expect(breaker.state()).toBe('CLOSED');
    calls(1, 'failed');
    expect(breaker.state()).toBe('OPEN');
  });

  test('the options set the failure rate, the numbers of calls and the longest pause between probes', async () => {
    const rare = start({ breakerMinCalls: 2, breakerFailurePercent: 100 });
    rare.calls(1, 'failed');
    expect(rare.breaker.state()).toBe('CLOSED');
    rare.calls(1, 'failed');
    expect(rare.breaker.state()).toBe('OPEN');
    const tolerant = start({ breakerFailurePercent: 80 });
    tolerant.calls(5, 'succeeded');
    tolerant.calls(19, 'failed');
    expect(tolerant.breaker.state()).toBe('CLOSED');
    tolerant.calls(1, 'failed');
    expect(tolerant.breaker.state()).toBe('OPEN');
    const row = start({ breakerFailuresInRow: 2, breakerProbeMs: 4000 });
    row.calls(1, 'failed');
    row.wait(1000);
    row.calls(1, 'failed');
    const pauses: number[] = [];
    for (let i = 0; i < 6; i++) {
      pauses.push(row.nextMs());
      row.wait(row.nextMs());
      row.probes.at(-1)!.fail();
      await row.settled();
    }
    expect(pauses).toEqual([250, 500, 1000, 2000, 4000, 4000]);
  });

  test('the breaker ignores calls that are older than a second', () => {
    const { breaker, calls, wait } = start();
    calls(100, 'succeeded');
    wait(1100);
    calls(9, 'failed');
    expect(breaker.state()).toBe('CLOSED');
    calls(1, 'failed');
    expect(breaker.state()).toBe('OPEN');
  });

  test('the breaker does not open after nine failures without other calls', () => {
    const { breaker, calls } = start();
    calls(9, 'failed');
    expect(breaker.state()).toBe('CLOSED');
  });

  test('with rare calls, the breaker opens once three calls in a row have failed over at least a second', () => {
    const { breaker, wait } = start();
    for (let i = 0; i < 2; i++) {
      breaker.failed();
      wait(2000);
    }
    expect(breaker.state()).toBe('CLOSED');
    breaker.succeeded();
    for (let i = 0; i < 2; i++) {
      breaker.failed();
      wait(2000);
    }
    expect(breaker.state()).toBe('CLOSED');
    breaker.failed();
    expect(breaker.state()).toBe('OPEN');
  });

  test('the breaker sends one probe at a time, with increasing pauses, and closes at the first reply', async () => {
    const { breaker, calls, wait, probes, states, nextMs, settled, timers } = start();
    calls(10, 'failed');
    const waits: number[] = [];
    for (let i = 0; i < 4; i++) {
      waits.push(nextMs());
      wait(nextMs());
      expect(breaker.state()).toBe('HALF_OPEN');
      expect(timers).toEqual([]);
      calls(50, 'failed');
      wait(10_000);
      expect(probes).toHaveLength(i + 1);
      probes[i]!.fail();
      await settled();
      expect(breaker.state()).toBe('OPEN');
    }
    expect(waits).toEqual([250, 500, 1000, 1000]);
    wait(nextMs());
    probes.at(-1)!.ok();
    await settled();
    expect(breaker.isClosed()).toBe(true);
    expect(states.slice(-3)).toEqual(['OPEN', 'HALF_OPEN', 'CLOSED']);
  });

  test('after the breaker has closed, failures from before it opened no longer count', async () => {
    const { breaker, calls, wait, probes, nextMs, settled } = start();
    calls(10, 'failed');
    wait(nextMs());
    probes[0]!.ok();
    await settled();
    calls(9, 'failed');
    expect(breaker.state()).toBe('CLOSED');
  });

  test('a breaker that opens again before any call succeeds keeps increasing its pauses', async () => {
    const { calls, wait, probes, nextMs, settled } = start();
    calls(10, 'failed');
    wait(nextMs());
    probes[0]!.ok();
    await settled();
    calls(10, 'failed');
    expect(nextMs()).toBe(500);
  });

  test('the probes of many instances are spread over half of the pause', () => {
    const waitsOf = (share: number) => {
      const { calls, nextMs } = start({ random: () => share });
      calls(10, 'failed');
      return nextMs();
    };
    expect([0, 0.5, 1].map(waitsOf)).toEqual([187.5, 250, 312.5]);
  });

  test('trip opens the breaker immediately, and stop ends its probes', async () => {
    const { breaker, wait, probes, timers, settled } = start();
    breaker.trip();
    expect(breaker.state()).toBe('OPEN');
    wait(250);
    breaker.stop();
    probes[0]!.fail();
    await settled();
    expect(timers).toEqual([]);
  });
});
