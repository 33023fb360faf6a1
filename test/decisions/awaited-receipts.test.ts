import { expect, it } from 'vitest';
import { createAwaitedReceipts } from '../../src/decisions/integrations/create-awaited-receipts.js';

it('returns the receipts of a key in their order, without the expired ones', () => {
  let nowMs = 0;
  const awaited = createAwaitedReceipts({ now: () => nowMs, forMs: 100 });
  awaited.add('a', 'expired');
  nowMs = 60;
  awaited.add('a', 'first');
  awaited.add('b', 'other');
  awaited.add('a', 'second');
  nowMs = 110;
  expect(['a', 'a', 'a', 'b', 'b'].map(awaited.take)).toEqual(['first', 'second', undefined, 'other', undefined]);
  expect(awaited.count).toBe(0);
});

it('drops the oldest receipt above the maximum, in constant time even if all have one key', () => {
  const awaited = createAwaitedReceipts({ now: () => 0, forMs: 100, maxLetters: 32 * 2 ** 20 });
  awaited.add('other', 'oldest');
  // A copy of the queue for each receipt would take minutes.
  for (let i = 0; i < 500_000; i++) awaited.add('same', `receipt-${i}`);
  expect(awaited.count).toBeLessThanOrEqual((32 * 2 ** 20) / 300);
  expect(awaited.take('other')).toBeUndefined();
  const { count } = awaited;
  expect(count).toBeGreaterThan(50_000);
  expect(awaited.take('same')).toBe(`receipt-${500_000 - count}`);
  for (let i = 1; i < count - 1; i++) awaited.take('same');
  expect(awaited.take('same')).toBe('receipt-499999');
  expect(awaited.count).toBe(0);
});
