import { expect, test } from 'vitest';
import { sortRows } from '../../console/src/parts/table/sort-rows.js';

const sorted = (values: readonly (string | number | null)[], isDescending = false) =>
  sortRows(values, (value) => value, isDescending);

test('numbers are sorted by size, and rows without a value come last in both directions', () => {
  expect(sorted([10, null, 9, 100])).toEqual([9, 10, 100, null]);
  expect(sorted([10, null, 9, 100], true)).toEqual([100, 10, 9, null]);
});

test('texts are sorted alphabetically without regard to case, and numbers in them by size', () => {
  expect(sorted(['user 10', 'User 9', 'alpha', 'Beta'])).toEqual(['alpha', 'Beta', 'User 9', 'user 10']);
});

test('sorting keeps the order of rows with equal values', () => {
  const rows = [
    { name: 'first', cost: 1 },
    { name: 'second', cost: 1 },
  ];
  expect(sortRows(rows, ({ cost }) => cost, false)).toEqual(rows);
  expect(sortRows(rows, ({ cost }) => cost, true)).toEqual(rows);
  expect(sorted([2, 1])).toEqual([1, 2]);
});
