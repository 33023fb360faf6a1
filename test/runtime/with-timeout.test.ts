import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { withTimeout } from '../../src/runtime/with-timeout.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('withTimeout', () => {
  test('withTimeout settles like the promise and leaves no timer', async () => {
    expect(await withTimeout(Promise.resolve('done'), 1000, () => 'late')).toBe('done');
    await expect(withTimeout(Promise.reject(new Error('broken')), 1000, () => 'late')).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('withTimeout returns the result of onTimeout and ignores a later rejection', async () => {
    let fail = (_error: Error) => {};
    const pending = new Promise<string>((_resolve, reject) => {
      fail = reject;
    });
    const result = withTimeout(pending, 1000, () => 'late');
    await vi.advanceTimersByTimeAsync(999);
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await result).toBe('late');
    fail(new Error('too late'));
    await expect(pending).rejects.toThrow('too late');
  });

  test('withTimeout rejects with the error that onTimeout throws', async () => {
    const result = withTimeout(new Promise(() => {}), 1000, () => {
      throw new Error('no answer');
    });
    const failed = expect(result).rejects.toThrow('no answer');
    await vi.advanceTimersByTimeAsync(1000);
    await failed;
  });

  test('withTimeout accepts a timeout that is longer than the longest possible timer', async () => {
    const result = withTimeout(Promise.resolve('done'), 1e12, () => 'late');
    await vi.advanceTimersByTimeAsync(10);
    expect(await result).toBe('done');
  });
});
