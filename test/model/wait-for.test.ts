import { describe, expect, test } from 'vitest';
import { waitFor } from '../../src/runtime/wait-for.js';

describe('a wait', () => {
  test('ends when its time is over', async () => {
    const controller = new AbortController();
    expect(await waitFor(1, controller.signal)).toBe(true);
    controller.abort();
    expect(await waitFor(1, undefined)).toBe(true);
  });

  test('ends at once when its signal is aborted, before it begins or meanwhile', async () => {
    const controller = new AbortController();
    const waiting = waitFor(2 ** 31 - 1, controller.signal);
    controller.abort();
    expect(await waiting).toBe(false);
    expect(await waitFor(2 ** 31 - 1, controller.signal)).toBe(false);
  });
});
