import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { freePort } from '../helpers/servers.js';
import { startTcpProxy } from '../helpers/tcp-proxy.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from './databases.js';

describe('the connection pool of a PostgreSQL server', () => {
  let server: Awaited<ReturnType<typeof openServerDatabase>>;
  beforeAll(async () => {
    server = await openServerDatabase('empty');
  });
  afterAll(() => server.dispose());

  it('the pool works again after the server has closed idle connections and a connection inside a transaction', async () => {
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

  it('a statement ends with the error code 57014 at its deadline', async () => {
    const db = await createPgDb({ url: server.url, statementTimeoutMs: 500 });
    await expect(db.query('select pg_sleep(30)')).rejects.toMatchObject({ code: '57014' });
    expect(await db.query('select 1 as one')).toEqual([{ one: 1 }]);
    await db.close();
  });

  it('a statement waits for a free connection no longer than connectTimeoutMs', async () => {
    const db = await createPgDb({ url: server.url, maxConnections: 1, connectTimeoutMs: 50 });
    // On a busy machine, connecting may take longer than `connectTimeoutMs`. The test therefore
    // repeats a statement until the connection is open.
    await until('a connection is open', () =>
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

  it('createPgDb succeeds while the server is unavailable, and its statements fail', async () => {
    const db = await createPgDb({ url: `postgres://nobody@127.0.0.1:${await freePort()}/none` });
    await expect(db.query('select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await db.close();
    await db.close();
  });
});

describe('the connection pool of a PostgreSQL server that hangs', () => {
  it('the pool closes soon if the server hangs, even with running statements, waiting statements and an idle connection', async () => {
    const server = await openServerDatabase('empty');
    const proxy = await startTcpProxy(server.url);
    try {
      const db = await createPgDb({ url: proxy.url, maxConnections: 3, closeTimeoutMs: 100 });
      await Promise.all([1, 2, 3].map(() => db.query('select pg_sleep(0.01)')));
      await proxy.set({ kind: 'black-hole' });
      const cut = [db.query('select 1'), db.tx((tx) => tx.query('select 1'))].map((one) => one.catch(() => 'cut'));
      // After this time both statements have a connection, and the third connection is idle.
      await new Promise((resolve) => setTimeout(resolve, 10));
      const closedAtMs = performance.now();
      await db.close();
      expect(await Promise.all(cut)).toEqual(['cut', 'cut']);
      expect(performance.now() - closedAtMs).toBeLessThan(4_000);
    } finally {
      await proxy.close();
      await server.dispose();
    }
  });

  it('a transaction on a dead connection waits for only one timeout, and later statements use another connection', async () => {
    const server = await openServerDatabase('empty');
    const proxy = await startTcpProxy(server.url);
    try {
      const db = await createPgDb({ url: `${proxy.url}?query_timeout=2000`, maxConnections: 1 });
      // A rollback on the dead connection would wait for the same timeout again. Timers of one
      // process fire in the order of their times, however late.
      let waitedTwice: Promise<string> | undefined;
      const died = db.tx(async (tx) => {
        await tx.query('select 1');
        await proxy.set({ kind: 'half-open' });
        waitedTwice = new Promise((resolve) => setTimeout(resolve, 3_900, 'two timeouts'));
        await tx.query('select 2');
      });
      const rejection = await died.catch((error: Error) => Promise.race([error.message, waitedTwice]));
      expect(rejection).toMatch(/read timeout/);
      expect(await db.query('select 3 as number')).toEqual([{ number: 3 }]);
      await db.close();
    } finally {
      await proxy.close();
      await server.dispose();
    }
  });

  it('the pool closes soon even while it connects', async () => {
    const server = await openServerDatabase('empty');
    const proxy = await startTcpProxy(server.url);
    try {
      await proxy.set({ kind: 'black-hole' });
      const db = await createPgDb({ url: proxy.url, closeTimeoutMs: 100, connectTimeoutMs: 60_000 });
      const cut = db.query('select 1').catch(() => 'cut');
      await until('a connection is open', () => proxy.connections() === 1);
      await db.close();
      expect(await cut).toBe('cut');
    } finally {
      await proxy.close();
      await server.dispose();
    }
  });
});

function withResolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
