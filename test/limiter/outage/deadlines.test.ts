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

/** As a process that is not scheduled: the time goes by, and it computes nothing. */
function withoutProcessor(forMs: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, forMs);
}

const start = (deadlineMs: number) => createDeadlines({ deadlineMs, clock: () => performance.now() });

describe('deadlines', () => {
  const DEADLINE_MS = 25;
  /** A process of which each millisecond is told what becomes of it. */
  function simulate(waitsInMs: (atMs: number) => number) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] });
    let nowMs = 0;
    let waitedMs = 0;
    const deadlines = createDeadlines({
      deadlineMs: DEADLINE_MS,
      clock: () => nowMs,
      processorTimeMs: () => 0,
      waitingTimeMs: () => waitedMs,
    });
    return {
      deadlines,
      now: () => nowMs,
      preempt(forMs: number) {
        nowMs += forMs;
        waitedMs += forMs;
      },
      /** Runs until something holds, and resolves to the time then. */
      runUntil(holds: () => boolean): number {
        while (!holds() && nowMs < 10_000) {
          nowMs++;
          waitedMs += waitsInMs(nowMs);
          vi.advanceTimersByTime(1);
        }
        return nowMs;
      },
    };
  }
  afterEach(() => void vi.useRealTimers());

  test('give up each call once, in the order in which they began, and not those that ended', async () => {
    const deadlines = start(20);
    const given: number[] = [];
    const watches = Array.from({ length: 3000 }, (_, i) => deadlines.watch(() => given.push(i)));
    expect(watches.filter((_, i) => i % 3 === 0).every(endWatch)).toBe(true);
    await until('the others are given up', () => given.length === 2000);
    expect(given).toEqual(watches.flatMap((_, i) => (i % 3 === 0 ? [] : [i])));
    expect(watches.some(endWatch)).toBe(false);
    const late = new Promise<void>((resolve) => deadlines.watch(resolve));
    await late;
    expect(given).toHaveLength(2000);
  });

  test('ask the system for the time that this process has had only while a call is under way', () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setImmediate'] });
    let nowMs = 0;
    let asked = 0;
    const deadlines = createDeadlines({
      deadlineMs: DEADLINE_MS,
      clock: () => nowMs,
      processorTimeMs: () => ++asked,
      waitingTimeMs: () => 0,
    });
    const pass = (forMs: number) => {
      nowMs += forMs;
      vi.advanceTimersByTime(forMs);
    };
    for (let call = 1; call <= 10; call++) {
      const watch = deadlines.watch(() => {});
      pass(1);
      endWatch(watch);
      pass(1000);
      expect(asked).toBe(call);
    }
    deadlines.watch(() => {});
    pass(5);
    pass(5);
    expect(asked).toBe(13);
  });

  test('keep no more of the calls that have ended than a few, long before they are due', async () => {
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

  test('are not earlier than they should be', async () => {
    const deadlines = start(30);
    for (let i = 0; i < 5; i++) {
      const beganMs = performance.now();
      await new Promise<void>((resolve) => deadlines.watch(resolve));
      expect(performance.now() - beganMs).toBeGreaterThanOrEqual(29);
    }
  });

  test('pass over a call whose answer lies ready when the process has stood still', async () => {
    const deadlines = start(20);
    const given: string[] = [];
    const watch = deadlines.watch(() => given.push('given up'));
    // What is read in the poll phase after the timers: the end of a timer's turn comes before it.
    setTimeout(() => setImmediate(() => setImmediate(() => endWatch(watch))), 1);
    standStill(200);
    await new Promise<void>((resolve) => deadlines.watch(resolve));
    expect(given).toEqual([]);
  });

  test('give back lost time once and not for ever', async () => {
    const clock = () => performance.now();
    // Busy all the time, whatever else runs on the machine.
    const deadlines = createDeadlines({ deadlineMs: 20, clock, processorTimeMs: clock, waitingTimeMs: () => 0 });
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

  test('give lost time back again where the process had no processor, as long as a call may be waited for at all', async () => {
    const deadlines = start(20);
    const beganMs = performance.now();
    let tookMs = 0;
    deadlines.watch(() => {
      tookMs = performance.now() - beganMs;
    });
    while (tookMs === 0) {
      withoutProcessor(60);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(tookMs).toBeGreaterThanOrEqual(longestWaitMs(20) - 1);
    expect(tookMs).toBeLessThan(2 * longestWaitMs(20));
  });

  test('count a silence only from where the process runs again', async () => {
    const DEADLINE_MS = 30;
    const deadlines = start(DEADLINE_MS);
    let isGivenUp = false;
    const line = { calls: 9, silentSinceMs: performance.now(), hasReplied: true };
    deadlines.watch(() => {
      isGivenUp = true;
    }).line = line;
    // Three times as long as the deadline, in pieces that each look like time that went by.
    for (let i = 0; i < 6; i++) {
      withoutProcessor(DEADLINE_MS / 2);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(isGivenUp).toBe(false);
    await until('it is given up', () => isGivenUp);
  });

  describe('where the system counts how long the process waits for a processor', () => {
    /** When a call is given up to which nobody replies. */
    function giveUpAtMs(waitsInMs: (atMs: number) => number): number {
      let isGivenUp = false;
      const { deadlines, runUntil } = simulate(waitsInMs);
      deadlines.watch(() => {
        isGivenUp = true;
      });
      return runUntil(() => isGivenUp);
    }

    test('short waits count as well, as often as they come', () => {
      // Less at once than makes a timer late.
      const tookMs = giveUpAtMs((atMs) => (atMs % 5 < 2 ? 1 : 0));
      expect(tookMs).toBeGreaterThanOrEqual(longestWaitMs(DEADLINE_MS));
      expect(tookMs).toBeLessThan(longestWaitMs(DEADLINE_MS) + 10);
    });

    test('the waits of a process that shares its processor with little else do not count', () => {
      expect(giveUpAtMs((atMs) => (atMs % 5 === 0 ? 1 : 0))).toBeLessThan(DEADLINE_MS + 3);
    });

    /** Whether a call has met silence, that is given up while its process waits for a processor all the time. */
    function meetsSilence(repliesUntilMs: number): boolean | undefined {
      const { deadlines, runUntil, now } = simulate(() => 1);
      let metSilence: boolean | undefined;
      const line = { calls: 2, silentSinceMs: 0, hasReplied: repliesUntilMs > 0 };
      const watch = deadlines.watch(() => {
        metSilence = deadlines.metSilence(watch);
      });
      watch.line = line;
      while (metSilence === undefined) {
        const untilMs = now() + 1;
        if (now() < repliesUntilMs) line.silentSinceMs = now();
        runUntil(() => now() === untilMs);
      }
      expect(now()).toBeGreaterThan(repliesUntilMs + DEADLINE_MS);
      return metSilence;
    }

    test('a call that was given up in the end has met no silence where that was the time that was lost', () => {
      expect(meetsSilence(longestWaitMs(DEADLINE_MS) - 2 * DEADLINE_MS)).toBe(false);
    });

    test('a call without any reply since it was sent has met silence, however much time was lost', () => {
      expect(meetsSilence(0)).toBe(true);
    });

    test('a wait counts between two looks too, while calls are given up', () => {
      const { deadlines, runUntil, preempt, now } = simulate(() => 0);
      let givenUpAtMs = 0;
      deadlines.watch(() => preempt(60));
      const behind = deadlines.watch(() => {
        givenUpAtMs = now();
      });
      behind.line = { calls: 2, silentSinceMs: 10, hasReplied: true };
      // It was given back lost time once in this silence.
      behind.extendedAtMs = 12;
      runUntil(() => givenUpAtMs > 0);
      expect(givenUpAtMs).toBeGreaterThanOrEqual(10 + DEADLINE_MS + 60);
      expect(givenUpAtMs).toBeLessThan(10 + DEADLINE_MS + 60 + 10);
    });
  });

  describe('of a call that stands behind others on its line', () => {
    const silentSince = (silentSinceMs: number): Line => ({ calls: 9, silentSinceMs, hasReplied: true });

    /** When it is given up, where the line replies every millisecond for so long. */
    function givenUpAtMs(line: Line, repliesForMs: number): number {
      const { deadlines, runUntil, now } = simulate(() => 0);
      let isGivenUp = false;
      deadlines.watch(() => {
        isGivenUp = true;
      }).line = line;
      return runUntil(() => {
        if (now() < repliesForMs) line.silentSinceMs = now();
        return isGivenUp;
      });
    }

    test('do not come while the line replies, and come a deadline after it has fallen silent', () => {
      const tookMs = givenUpAtMs(silentSince(0), 4 * DEADLINE_MS);
      expect(tookMs).toBeGreaterThanOrEqual(5 * DEADLINE_MS - 1);
      expect(tookMs).toBeLessThan(5 * DEADLINE_MS + 3);
    });

    test('come in the end, however often the line replies', () => {
      const tookMs = givenUpAtMs(silentSince(0), Number.POSITIVE_INFINITY);
      expect(tookMs).toBeGreaterThanOrEqual(longestWaitMs(DEADLINE_MS));
      expect(tookMs).toBeLessThan(longestWaitMs(DEADLINE_MS) + 3);
    });

    test('come at once where the line has been silent since before', () => {
      expect(givenUpAtMs(silentSince(-1000), 0)).toBeLessThan(DEADLINE_MS + 3);
    });

    test('leave those on other lines alone', () => {
      const { deadlines, runUntil, now } = simulate(() => 0);
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

  test('do not keep a process that is done', () => {
    const script = `
      import { createLimiter } from './src/limiter/create-limiter.ts';
      const limiter = createLimiter({ redis: process.argv[1], deadlineMs: 600_000 });
      const limit = { id: 'w', scope: 'USER', algorithm: 'FIXED_WINDOW', amount: 10, windowMs: 1000, cost: 1 };
      const { admitted, degraded } = await limiter.charge({ subject: { user: 'done' }, limits: [limit] });
      await limiter.close();
      console.log(admitted, degraded);`;
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script, inject('redisUrl')];
    // Killed by then, which throws.
    expect(execFileSync(process.execPath, args, { timeout: 25_000, encoding: 'utf8' })).toBe('true false\n');
  });
});
