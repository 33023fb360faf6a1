import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Stop, type StopSignal, waitFor } from '../../src/runtime/stop.js';

/** What can be done with either, in any order; a listener is known by its number. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), listener: fc.nat(3) }),
  fc.record({ kind: fc.constant('remove' as const), listener: fc.nat(3) }),
  fc.record({ kind: fc.constant('abort' as const), reason: fc.constantFrom('late', 'gone') }),
);

function run(steps: readonly (typeof step extends fc.Arbitrary<infer Step> ? Step : never)[], own: boolean) {
  const stop = own ? new Stop() : undefined;
  const controller = new AbortController();
  const signal: StopSignal = stop ?? controller.signal;
  const log: unknown[] = [];
  const added = new Set<number>();
  const listeners = [0, 1, 2, 3].map((number) => () => void log.push(number));
  for (const one of steps) {
    if (one.kind === 'abort') (stop ?? controller).abort(one.reason);
    else if (one.kind === 'remove') signal.removeEventListener('abort', listeners[one.listener]!);
    // An event target takes a listener once: here nobody adds one twice.
    else if (!added.has(one.listener)) signal.addEventListener('abort', listeners[one.listener]!);
    if (one.kind === 'add') added.add(one.listener);
    log.push([signal.aborted, signal.reason]);
  }
  return log;
}

describe('a stop', () => {
  test('tells the same listeners at the same time, and gives the same reason, as an AbortController', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        expect(run(steps, true)).toEqual(run(steps, false));
      }),
    );
  });

  test('without a reason has the one that an AbortController gives', () => {
    const stop = new Stop();
    stop.abort();
    expect(stop.reason).toBeInstanceOf(DOMException);
    expect(stop.reason).toMatchObject({ name: 'AbortError' });
  });
});

describe('a wait', () => {
  test('ends when it is over, and keeps no listener', async () => {
    const stop = new Stop();
    expect(await waitFor(1, stop)).toBe(true);
    stop.abort();
    expect(await waitFor(1, undefined)).toBe(true);
  });

  test('ends at once where it is stopped, by a stop or an AbortSignal, before it begins or meanwhile', async () => {
    for (const controller of [new Stop(), new AbortController()]) {
      const signal = controller instanceof Stop ? controller : controller.signal;
      const waiting = waitFor(2 ** 31 - 1, signal);
      controller.abort();
      expect(await waiting).toBe(false);
      expect(await waitFor(2 ** 31 - 1, signal)).toBe(false);
    }
  });
});
