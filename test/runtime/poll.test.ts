import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { poll } from '../../src/runtime/poll.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('poll', () => {
  test('poll waits for the end of a run before it schedules the next run', async () => {
    const ends: (() => void)[] = [];
    const run = vi.fn(() => new Promise<void>((resolve) => ends.push(resolve)));
    const stop = poll(run, 100);
    await vi.advanceTimersByTimeAsync(99);
    expect(run).toHaveBeenCalledTimes(0);
    await vi.advanceTimersByTimeAsync(501);
    expect(run).toHaveBeenCalledTimes(1);
    ends[0]!();
    await vi.advanceTimersByTimeAsync(99);
    expect(run).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(run).toHaveBeenCalledTimes(2);
    void stop();
  });

  test('poll calls waitMs before each run with the number of completed runs', async () => {
    const run = vi.fn();
    const waitMs = vi.fn((runs: number) => 10 * (runs + 1));
    const stop = poll(run, waitMs);
    await vi.advanceTimersByTimeAsync(10 + 20 + 29);
    expect(run).toHaveBeenCalledTimes(2);
    expect(waitMs.mock.calls).toEqual([[0], [1], [2]]);
    await stop();
  });

  test('poll stops immediately, and its promise resolves when the current run has ended', async () => {
    let end = () => {};
    const stop = poll(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
      100,
    );
    await vi.advanceTimersByTimeAsync(100);
    const stopped = vi.fn();
    const stopping = stop().then(stopped);
    await vi.advanceTimersByTimeAsync(1000);
    expect(stopped).not.toHaveBeenCalled();
    end();
    await stopping;
    expect(vi.getTimerCount()).toBe(0);
  });

  test('poll can be stopped during its own run', async () => {
    let runs = 0;
    const stop = poll(() => {
      if (++runs === 2) void stop();
    }, 100);
    await vi.advanceTimersByTimeAsync(1000);
    expect(runs).toBe(2);
  });
});
