import { expect, test } from 'vitest';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import type { LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createLeaseTable } from '../../../src/limiter/lease/lease-table.js';

const bucket: LimitCharge = {
  id: 'bucket',
  scope: 'USER',
  algorithm: 'TOKEN_BUCKET',
  capacity: 1000,
  refillAmount: 1,
  refillPeriodMs: 1000,
  precision: 'LEASED',
  cost: 1,
};
const { read } = createChargeReader();
const limitOf = (charge: LimitCharge) => read({ user: 'someone' }, [charge]).limits[0]!;

test('the lease table keeps only the name of a caller after the first charge, and an entry from the second charge on', () => {
  const table = createLeaseTable(10);
  const limit = limitOf(bucket);
  expect(table.holderOf({ user: 'a' }, limit)).toBeUndefined();
  expect(table.holderOf({ user: 'b' }, limit)).toBeUndefined();
  expect(table.size()).toBe(0);
  const holder = table.holderOf({ user: 'a' }, limit)!;
  expect(table.size()).toBe(1);
  expect(table.open(holder, { user: 'a' }, limit, 0).charges).toBe(1);
  expect(table.knownHolderOf({ user: 'a' }, limit)).toBe(holder);
  expect(table.knownHolderOf({ user: 'b' }, limit)).toBeUndefined();
});

test('a caller that charges once in a long time counts as new each time', () => {
  const table = createLeaseTable(10);
  const limit = limitOf(bucket);
  for (let i = 0; i < 3; i++) {
    expect(table.holderOf({ user: 'a' }, limit)).toBeUndefined();
    table.sweep(() => true);
  }
  expect(table.size()).toBe(0);
});

test('the table bounds the number of callers that charge once, and they displace no returning callers', () => {
  const table = createLeaseTable(10);
  const limit = limitOf(bucket);
  for (let i = 0; i < 1000; i++) table.holderOf({ user: `once-${i}` }, limit);
  // The table keeps no callers beyond its maximum, so they count as new the next time.
  expect(table.holderOf({ user: 'once-999' }, limit)).toBeUndefined();
  for (let i = 0; i < 10; i++) expect(table.holderOf({ user: `once-${i}` }, limit)).toBeDefined();
  table.sweep(() => true);
  expect(table.size()).toBe(0);
});
