import { expect, test } from 'vitest';
import { createChargeReader } from '../../../src/limiter/charge/create-charge-reader.js';
import { createLease, isLive, receive, takesBack } from '../../../src/limiter/charge/lease.js';

const BOUNDARY = Date.UTC(2024, 2, 1);
const LEASE_MS = 100;
const [month] = createChargeReader().read({ user: 'u' }, [
  {
    id: 'month',
    scope: 'USER',
    algorithm: 'CALENDAR_WINDOW',
    amount: 1000,
    every: 'MONTH',
    precision: 'LEASED',
    cost: 1,
  },
]).limits;
const at = (now: number) => ({ clock: now, now });

test('a lease of a calendar window lapses at the boundary, and the next one starts without its tokens', () => {
  expect(month!.isLeased).toBe(true);
  // The times of leases are those of the process, which are unrelated to those of Redis.
  const lease = createLease({ user: 'u' }, month!, 0);
  lease.remaining = 900;
  expect(receive(lease, 50, 10, 50, at(BOUNDARY - 30), LEASE_MS)).toBe(0);
  expect(lease).toMatchObject({ left: 50, lapsesAtMs: 10 + 30 });
  expect([isLive(lease, 39), isLive(lease, 40)]).toEqual([true, false]);
  expect(receive(lease, 20, 50, 20, at(BOUNDARY + 10), LEASE_MS)).toBe(50);
  expect(lease).toMatchObject({ left: 20, lapsesAtMs: 50 + LEASE_MS });
});

test('a lease of the new month does not take back tokens of an operation of the month before', () => {
  const lease = createLease({ user: 'u' }, month!, 0);
  lease.remaining = 900;
  receive(lease, 20, 50, 20, at(BOUNDARY + 10), LEASE_MS);
  lease.left = 10;
  expect(takesBack(lease, 5, at(BOUNDARY - 1), 60)).toBe(false);
  expect(takesBack(lease, 5, at(BOUNDARY), 60)).toBe(true);
});
