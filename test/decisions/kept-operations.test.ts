import { expect, it } from 'vitest';
import { createKeptOperations } from '../../src/decisions/create-kept-operations.js';

it('drops the oldest operations above the maximum size, and each operation once', () => {
  const dropped: number[] = [];
  const kept = createKeptOperations<number, string>({
    clock: () => 0,
    groupOf: () => 'all',
    onDropped: (operation) => dropped.push(operation),
    maxBytes: 2 ** 20,
  });
  for (let i = 0; i < 10_000; i++) kept.add(`id-${i}`, i, 1, i % 2 === 0 ? 0 : 2000);
  const { waiting, evicted } = kept.totals.get('all')!;
  expect(waiting).toBeLessThanOrEqual(2 ** 20 / 4096);
  expect(waiting + evicted).toBe(10_000);
  expect(dropped).toEqual(Array.from({ length: evicted }, (_, index) => index));
  kept.close();
  expect(dropped).toHaveLength(10_000);
});

it('counts an operation as waiting again if its settlement may be repeated', () => {
  const kept = createKeptOperations<string, string>({ clock: () => 0, groupOf: () => 'all', onDropped() {} });
  kept.add('a', 'operation', 1, 0);
  const one = kept.find('a')!;
  one.settled = Promise.resolve('failed');
  expect(kept.totals.get('all')!.waiting).toBe(0);
  one.settled = undefined;
  expect(kept.totals.get('all')!.waiting).toBe(1);
  kept.close();
});
