import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPgDb } from '../../src/postgres/pg-db.js';
import { freePort } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from './databases.js';

describe('Db on a PostgreSQL server', () => {
  let server: Awaited<ReturnType<typeof openServerDatabase>>;
  beforeAll(async () => {
    server = await openServerDatabase('empty');
  });
  afterAll(() => server.dispose());

  it('goes on after the server has ended its connections, idle ones and one inside a transaction', async () => {
    const { db } = server;
    await Promise.all([db.query('select pg_sleep(0.01)'), db.query('select pg_sleep(0.01)')]);
    const cut = db.tx(async (tx) => {
      const [me] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
      const killer = await createPgDb({ url: server.url, maxConnections: 1 });
      await killer.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await killer.close();
      return tx.query('select $1::int as pid', [me!.pid]);
    });
    await expect(cut).rejects.toThrow();
    await expect.poll(() => db.query('select 1 as one').catch(() => 'not yet')).toEqual([{ one: 1 }]);
  });

  it('ends a statement at its deadline and says so', async () => {
    const db = await createPgDb({ url: server.url, statementTimeoutMs: 50 });
    await expect(db.query('select pg_sleep(30)')).rejects.toMatchObject({ code: '57014' });
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
    await db.close();
  });

  it('does not wait longer than its deadline for a free connection', async () => {
    const db = await createPgDb({ url: server.url, maxConnections: 1, connectTimeoutMs: 50 });
    // On a busy machine, to connect may take longer than that: the connection is there before it is held.
    await until('a connection', () =>
      db.query('select 1').then(
        () => true,
        () => false,
      ),
    );
    const { promise: held, resolve: release } = withResolvers();
    const { promise: holding, resolve: isHeld } = withResolvers();
    const holder = db.tx(() => {
      isHeld();
      return held;
    });
    await holding;
    await expect(db.query('select 1')).rejects.toThrow(/timeout/);
    release();
    await holder;
    await db.close();
  });

  it('can be made while the server is away: only its statements fail', async () => {
    const db = await createPgDb({ url: `postgres://nobody@127.0.0.1:${await freePort()}/none` });
    await expect(db.query('select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await db.close();
    await db.close();
  });
});

function withResolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
