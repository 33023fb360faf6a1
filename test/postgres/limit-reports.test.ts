import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connections } from '../../src/postgres/db.js';
import { limitReports, ReportsBusy } from '../../src/postgres/limit-reports.js';
import { until } from '../helpers/until.js';
import { DATABASES, openServerDatabase, type TestDatabase } from './databases.js';

describe.each(DATABASES)('limited reports on $database', ({ openDatabase }) => {
  let opened: TestDatabase;
  beforeAll(async () => {
    opened = await openDatabase('empty');
  });
  afterAll(() => opened.dispose());

  it('reports run in the order of their calls, and a failed report lets the next one run', async () => {
    const { reports, use } = limitReports(opened.db, { maxRunning: 1 });
    const ended: number[] = [];
    const asked = [
      reports.query('select 1').then(() => ended.push(1)),
      reports.query('select nowhere').catch(() => ended.push(2)),
      reports.tx((tx) => tx.query('select 3')).then(() => ended.push(3)),
      reports.tx(() => Promise.reject(new Error('the report fails'))).catch(() => ended.push(4)),
      reports.query('select 5').then(() => ended.push(5)),
    ];
    expect(use()).toEqual({ pool: 'reports', inUse: 1, waiting: 4, max: 1 });
    await Promise.all(asked);
    expect(ended).toEqual([1, 2, 3, 4, 5]);
    expect(use()).toEqual({ pool: 'reports', inUse: 0, waiting: 0, max: 1 });
  });
});

describe('limited reports on a PostgreSQL server', () => {
  let server: Awaited<ReturnType<typeof openServerDatabase>>;
  beforeAll(async () => {
    server = await openServerDatabase('empty');
  });
  afterAll(() => server.dispose());

  it('reports use at most half of the main pool, so that other statements find a connection', async () => {
    const { reports, use } = limitReports(server.db);
    const held = Array.from({ length: 12 }, () => hold(reports));
    await until('all slots are taken', () => held.filter(({ isHeld }) => isHeld()).length === 3);
    expect(use()).toEqual({ pool: 'reports', inUse: 3, waiting: 9, max: 3 });
    expect(await server.db.query('select 1 as one')).toEqual([{ one: 1 }]);
    for (const { release } of held) release();
    await Promise.all(held.map(({ ended }) => ended));
  });

  it('a report is rejected if too many reports are already waiting, or if it waits too long', async () => {
    const { reports } = limitReports(server.db, { maxRunning: 1, maxWaiting: 1, waitMs: 20 });
    const { release, ended } = hold(reports);
    const late = reports.query('select 1').catch((error: unknown) => error);
    await expect(reports.query('select 2')).rejects.toThrow(ReportsBusy);
    expect(await late).toBeInstanceOf(ReportsBusy);
    release();
    await ended;
    expect(await reports.query('select 3 as number')).toEqual([{ number: 3 }]);
  });

  it('look-ups have separate connections, and `pools` returns the use of each pool', async () => {
    const { db } = server;
    const held = Array.from({ length: 7 }, () => hold(db));
    await until('the main pool is full', () => held.filter(({ isHeld }) => isHeld()).length === 6);
    expect(await db.lookups!.query('select 1 as one')).toEqual([{ one: 1 }]);
    expect(db.pools!()).toEqual([
      { pool: 'main', inUse: 6, waiting: 1, max: 6 },
      { pool: 'lookups', inUse: 0, waiting: 0, max: 4 },
    ]);
    for (const { release } of held) release();
    await Promise.all(held.map(({ ended }) => ended));
  });

  it('a look-up inside a transaction is rejected, because it would not be part of the transaction', async () => {
    const { db } = server;
    await expect(db.tx(() => db.lookups!.query('select 1'))).rejects.toThrow('inside db.tx');
  });
});

/**
 * Occupies a connection until `release` is called. `release` may be called before the connection is
 * available.
 */
function hold(connections: Connections) {
  let release = () => {};
  let isHeld = false;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const ended = connections.tx(() => {
    isHeld = true;
    return released;
  });
  return { ended, release, isHeld: () => isHeld };
}
