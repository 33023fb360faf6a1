import { describe, expect, test } from 'vitest';
import { waitFor } from '../../src/runtime/wait-for.js';

describe('waitFor', () => {
  test('a wait ends after its time', async () => {
    const controller = new AbortController();
    expect(await waitFor(1, controller.signal)).toBe(true);
    controller.abort();
    expect(await waitFor(1, undefined)).toBe(true);
  });

  test('a wait ends immediately if its signal is aborted before or during the wait', async () => {
    const controller = new AbortController();
    const waiting = waitFor(2 ** 31 - 1, controller.signal);
    controller.abort();
    expect(await waiting).toBe(false);
    expect(await waitFor(2 ** 31 - 1, controller.signal)).toBe(false);
  });
});
