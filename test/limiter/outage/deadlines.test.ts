import { execFileSync } from 'node:child_process';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { createDeadlines, endWatch, type Line, longestWaitMs } from '../../../src/limiter/redis/deadlines.js';
import { until } from '../../helpers/until.js';

function standStill(forMs: number): void {
  const end = performance.now() + forMs;
  while (performance.now() < end) {}
}

const start = (deadlineMs: number) => createDeadlines({ deadlineMs, clock: () => performance.now() });

describe('deadlines of calls', () => {
  const DEADLINE_MS = 25;
  /** Creates a clock and timers that advance by one millisecond at a time. */
  function simulate() {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] });
    let nowMs = 0;
    const deadlines = createDeadlines({ deadlineMs: DEADLINE_MS, clock: () => nowMs });
    return {
      deadlines,
      now: () => nowMs,
      /** Advances the time until a condition holds, and returns that time. */
      runUntil(holds: () => boolean): number {
        while (!holds() && nowMs < 10_000) {
          nowMs++;
          vi.advanceTimersByTime(1);
        }
        return nowMs;
      },
    };
  }
  afterEach(() => void vi.useRealTimers());

  test('each open call is abandoned once, in the order in which the calls began', async () => {
    // All calls get the same start time. Otherwise, a late timer would extend only the calls that
    // are already due.
    let beganMs: number | undefined = performance.now();
    const deadlines = createDeadlines({ deadlineMs: 20, clock: () => beganMs ?? performance.now() });
    const given: number[] = [];
    const watches = Array.from({ length: 3000 }, (_, i) => deadlines.watch(() => given.push(i)));
    beganMs = undefined;
    expect(watches.filter((_, i) => i % 3 === 0).every(endWatch)).toBe(true);
    await until('the other calls are abandoned', () => given.length === 2000);
    expect(given).toEqual(watches.flatMap((_, i) => (i % 3 === 0 ? [] : [i])));
    expect(watches.some(endWatch)).toBe(false);
    const late = new Promise<void>((resolve) => deadlines.watch(resolve));
    await late;
    expect(given).toHaveLength(2000);
  });

  test('almost all calls that have ended can be garbage-collected long before their deadlines', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const deadlines = start(60_000);
    const ended: WeakRef<object>[] = [];
    for (let i = 0; i < 1000; i++) {
      const together = Array.from({ length: 10 }, () => deadlines.watch(() => {}));
      for (const watch of together) {
        endWatch(watch);
        ended.push(new WeakRef(watch));
      }
    }
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    expect(ended.filter((watch) => watch.deref() !== undefined).length).toBeLessThan(200);
  });

  test('a deadline never fires early', async () => {
    const deadlines = start(30);
    for (let i = 0; i < 5; i++) {
      const beganMs = performance.now();
      await new Promise<void>((resolve) => deadlines.watch(resolve));
      expect(performance.now() - beganMs).toBeGreaterThanOrEqual(29);
    }
  });

  test('after a stall of the process, a deadline does not abandon a call whose reply is ready to be read', async () => {
    const deadlines = start(20);
    const given: string[] = [];
    const watch = deadlines.watch(() => given.push('given up'));
    // This simulates a reply that Node.js reads in the poll phase, which follows the timers. The
    // deadlines must wait for the poll phase.
    setTimeout(() => setImmediate(() => setImmediate(() => endWatch(watch))), 1);
    standStill(200);
    await new Promise<void>((resolve) => deadlines.watch(resolve));
    expect(given).toEqual([]);
  });

  test('a deadline is extended once for a stall of the process, and not repeatedly', async () => {
    const deadlines = start(20);
    let given = false;
    deadlines.watch(() => {
      given = true;
    });
    let stalls = 0;
    while (!given) {
      standStill(40);
      stalls++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(stalls).toBeGreaterThan(1);
    expect(stalls).toBeLessThan(5);
  });

  describe('deadline of a call that waits behind other calls on its connection', () => {
    const silentSince = (silentSinceMs: number): Line => ({ calls: 9, silentSinceMs, hasReplied: true });

    /**
     * Simulates a connection (`line`) that replies every millisecond for `repliesForMs`. Returns
     * the time at which the watch fires, and whether the connection was silent at that time.
     */
    function giveUp(line: Line, repliesForMs: number): { atMs: number; metSilence: boolean | undefined } {
      const { deadlines, runUntil, now } = simulate();
      let metSilence: boolean | undefined;
      const watch = deadlines.watch(() => {
        metSilence = deadlines.metSilence(watch);
      });
      watch.line = line;
      const atMs = runUntil(() => {
        if (now() < repliesForMs) line.silentSinceMs = now();
        return metSilence !== undefined;
      });
      return { atMs, metSilence };
    }
    const givenUpAtMs = (line: Line, repliesForMs: number) => giveUp(line, repliesForMs).atMs;

    test('a late call counts as a failure of Redis only when its connection has stopped replying', () => {
      expect(giveUp(silentSince(0), Number.POSITIVE_INFINITY).metSilence).toBe(false);
      expect(giveUp(silentSince(0), 2 * DEADLINE_MS).metSilence).toBe(true);
      expect(giveUp({ calls: 2, silentSinceMs: 0, hasReplied: false }, 0).metSilence).toBe(true);
    });

    test('a call is abandoned one deadline after its connection stops replying, and not while the connection replies', () => {
      const tookMs = givenUpAtMs(silentSince(0), 4 * DEADLINE_MS);
      expect(tookMs).toBeGreaterThanOrEqual(5 * DEADLINE_MS - 1);
      expect(tookMs).toBeLessThan(5 * DEADLINE_MS + 3);
    });

    test('a call is abandoned after the longest possible wait, however often its connection replies', () => {
      const tookMs = givenUpAtMs(silentSince(0), Number.POSITIVE_INFINITY);
      expect(tookMs).toBeGreaterThanOrEqual(longestWaitMs(DEADLINE_MS));
      expect(tookMs).toBeLessThan(longestWaitMs(DEADLINE_MS) + 3);
    });

    test('a call is abandoned at its own deadline when its connection was silent before the call', () => {
      expect(givenUpAtMs(silentSince(-1000), 0)).toBeLessThan(DEADLINE_MS + 3);
    });

    test('a silent connection does not affect the calls of other connections', () => {
      const { deadlines, runUntil, now } = simulate();
      const replying = silentSince(0);
      const given: string[] = [];
      deadlines.watch(() => given.push('replying')).line = replying;
      deadlines.watch(() => given.push('silent')).line = silentSince(0);
      runUntil(() => {
        if (given.length === 0) replying.silentSinceMs = now();
        return given.length > 0;
      });
      expect(given).toEqual(['silent']);
      runUntil(() => given.length === 2);
      expect(given).toEqual(['silent', 'replying']);
    });
  });

  test('a pending deadline does not keep a finished process alive', () => {
    const script = `
      import { createLimiter } from './src/limiter/create-limiter.ts';
      const limiter = createLimiter({ redis: process.argv[1], deadlineMs: 60_000 });
      const limit = { id: 'w', scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 10, windowMs: 1000, cost: 1 };
      const { admitted, degraded } = await limiter.charge({ subject: { user: 'done' }, limits: [limit] });
      await limiter.close();
      console.log(admitted, degraded);`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script, inject('redisUrl')];
    // execFileSync kills a hanging process after the timeout and then throws.
    expect(execFileSync(process.execPath, args, { timeout: 50_000, encoding: 'utf8' })).toBe('true false\n');
  });
});
