import { describe, expect, test } from 'vitest';
import { createResumeScheduler, type ResumeScheduler } from '../../../src/limiter/redis/resume-scheduler.js';

/**
 * Counts the turns of the event loop. Its callback is scheduled first, so it runs before all others
 * of each turn.
 */
function countTurns() {
  let turn = 0;
  let running = true;
  const count = () => {
    turn++;
    if (running) setImmediate(count);
  };
  setImmediate(count);
  return {
    now: () => turn,
    stop() {
      running = false;
    },
  };
}

/**
 * Resumes `count` callers, as if one reply had admitted them. Returns their order, batch by batch.
 */
async function goOn(scheduler: ResumeScheduler, count: number): Promise<number[][]> {
  const batches: number[][] = [];
  let batch: number[] | undefined;
  const callers = Array.from({ length: count }, async (_, i) => {
    const turn = scheduler.nextTurn();
    if (turn) await turn;
    if (batch === undefined) {
      batch = [];
      batches.push(batch);
      // Callers that run before this callback belong to the same batch.
      const current = batch;
      process.nextTick(() => {
        if (batch === current) batch = undefined;
      });
    }
    batch.push(i);
  });
  await Promise.all(callers);
  return batches;
}

describe('turns of the resume scheduler', () => {
  test('one turn resumes at most eight of the callers that one reply admits, in the order of their requests', async () => {
    const scheduler = createResumeScheduler();
    for (let reply = 0; reply < 3; reply++) {
      const batches = await goOn(scheduler, 30);
      expect(batches.map(({ length }) => length)).toEqual([8, 8, 8, 6]);
      expect(batches.flat()).toEqual(Array.from({ length: 30 }, (_, i) => i));
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  test('the turns of one reply run before any other event, and a later caller waits until they have run', async () => {
    const scheduler = createResumeScheduler();
    const clock = countTurns();
    await new Promise((resolve) => setImmediate(resolve));
    const seen: number[] = [];
    const first = goOn(scheduler, 20).then(() => seen.push(clock.now()));
    const before = clock.now();
    expect(scheduler.nextTurn()).toBeInstanceOf(Promise);
    await first;
    expect(seen[0]! - before).toBeLessThanOrEqual(1);
    clock.stop();
  });

  test('the turns end with the last waiting caller, and the next caller then continues immediately', async () => {
    const scheduler = createResumeScheduler();
    const log: string[] = [];
    const all = goOn(scheduler, 20).then(() => log.push('all'));
    scheduler.afterTurns(() => log.push('afterwards'));
    await all;
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(['all', 'afterwards']);
    expect(scheduler.nextTurn()).toBeUndefined();
  });

  test('without turns, deferred work waits only for the current turn of the event loop', async () => {
    const log: string[] = [];
    const clock = countTurns();
    await new Promise((resolve) => setImmediate(resolve));
    const before = clock.now();
    const over = new Promise<void>((resolve) => {
      createResumeScheduler().afterTurns(() => {
        log.push('afterwards');
        resolve();
      });
    });
    process.nextTick(() => log.push('of the same turn'));
    await over;
    expect(log).toEqual(['of the same turn', 'afterwards']);
    expect(clock.now() - before).toBeLessThanOrEqual(1);
    clock.stop();
  });
});
