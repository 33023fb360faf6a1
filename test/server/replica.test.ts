import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import type { Connections, Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { readFromReplica } from '../../src/postgres/read-from-replica.js';
import { ADMIN_TOKEN, type Platform, post, runToEnd, startPlatform } from '../helpers/platform.js';
import { startPostgresReplica, startPostgresServer, startRedisServer, type TestServer } from '../helpers/servers.js';
import { until } from '../helpers/until.js';

let redis: TestServer;
let primary: Awaited<ReturnType<typeof startPostgresServer>>;
let replica: Awaited<ReturnType<typeof startPostgresReplica>>;
let db: Db;
beforeAll(async () => {
  redis = await startRedisServer();
  primary = await startPostgresServer();
  replica = await startPostgresReplica(primary.url);
  db = await createPgDb({ url: primary.url, readUrl: replica.url });
  await migrate(db);
});
afterAll(async () => {
  await db.close();
  await Promise.all([redis, replica, primary].map((server) => server.stop()));
});

/** Waits until the replica has all changes of the primary. */
async function caughtUp() {
  // The test servers commit asynchronously, so the end of the written log can lie before a commit.
  const [{ lsn } = { lsn: '' }] = await db.query<{ lsn: string }>('select pg_current_wal_insert_lsn()::text as lsn');
  await until('the replica has caught up', async () => {
    const [row] = await db.replica!.query<{ done: boolean }>('select pg_last_wal_replay_lsn() >= $1::pg_lsn as done', [
      lsn,
    ]);
    return row!.done;
  });
}

const isReplica = async (on: Connections) =>
  (await on.query<{ is: boolean }>('select pg_is_in_recovery() as is'))[0]!.is;

describe('reports on a replica', () => {
  /** Reports whose replica stops responding on demand, with the states and the clock of the test. */
  function reportsOf(options: { replica?: Connections } = {}) {
    const states: boolean[] = [];
    const clock = { ms: 0 };
    const reports = readFromReplica({
      replica: options.replica ?? db.replica!,
      primary: db,
      onState: (error) => states.push(error === undefined),
      clock: () => clock.ms,
    });
    return { reports, states, clock };
  }

  it('statements and transactions run on the replica', async () => {
    const { reports, states } = reportsOf();
    expect(await isReplica(reports)).toBe(true);
    expect(await reports.tx((tx) => tx.query('select pg_is_in_recovery() as is'))).toEqual([{ is: true }]);
    expect(states).toEqual([]);
    expect(db.pools!()).toContainEqual({ pool: 'replica', inUse: 0, waiting: 0, max: 6 });
  });

  it('a report on a table that the replica has not received yet runs on the primary', async () => {
    await caughtUp();
    const resume = await pauseReplica();
    await db.query('create table new_table as select 7 as n');
    const { reports, states } = reportsOf();
    expect(await reports.query('select n from new_table')).toEqual([{ n: 7 }]);
    await resume();
    expect(states).toEqual([]);
  });

  it('a report that takes too long on the replica is not repeated on the primary', async () => {
    const quick = await createPgDb({ url: primary.url, readUrl: replica.url, statementTimeoutMs: 500 });
    const primaryCalls = countCalls(() => quick);
    const reports = readFromReplica({ replica: quick.replica!, primary: primaryCalls.connections, onState() {} });
    await expect(reports.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' });
    await expect(reports.query('select 1 / 0')).rejects.toMatchObject({ code: '22012' });
    expect(primaryCalls.number).toBe(0);
    await quick.close();
  });

  it('while the replica is away, the primary runs all reports, and every 5 s one report tries the replica', async () => {
    const away = await createPgDb({ url: primary.url, readUrl: 'postgres://tollgate@127.0.0.1:1/postgres' });
    let target: Connections = away.replica!;
    const tries = countCalls(() => target);
    const { reports, states, clock } = reportsOf({ replica: tries.connections });
    for (let i = 0; i < 5; i++) expect(await isReplica(reports)).toBe(false);
    expect([tries.number, states]).toEqual([1, [false]]);
    clock.ms = 5000;
    expect(await isReplica(reports)).toBe(false);
    expect([tries.number, states]).toEqual([2, [false]]);
    target = db.replica!;
    expect(await isReplica(reports)).toBe(false);
    clock.ms = 10_000;
    expect(await isReplica(reports)).toBe(true);
    expect([tries.number, states]).toEqual([3, [false, true]]);
    await away.close();
  });
});

describe('a platform with DATABASE_READ_URL', () => {
  let platform: Platform;
  beforeAll(async () => {
    platform = await startPlatform({
      env: { REDIS_URL: redis.url, DATABASE_URL: primary.url, DATABASE_READ_URL: replica.url, TOLLGATE_DEMO: 'true' },
    });
  });
  afterAll(() => platform.stop());

  async function admin(query: string) {
    const { body } = await post(`${platform.url}/admin/graphql`, query, { authorization: `Bearer ${ADMIN_TOKEN}` });
    return body;
  }

  /** Returns the number of operations of the last 24 hours and more. */
  async function operations(): Promise<number> {
    const body = await admin('{ usage(first: 2, bucket: DAY) { nodes { requests } } }');
    expect(body.errors).toBeUndefined();
    return body.data.usage.nodes.reduce((sum: number, { requests }: { requests: number }) => sum + requests, 0);
  }

  it('queries about usage read the replica, and changes and lists of rules the primary', async () => {
    await post(`${platform.url}/graphql`, '{ __typename }');
    await until('the usage of the first operation is stored', async () => (await stored()) > 0);
    await caughtUp();
    const resume = await pauseReplica();
    const before = await operations();
    expect(before).toBeGreaterThan(0);
    const storedBefore = await stored();
    for (let i = 0; i < 5; i++) await post(`${platform.url}/graphql`, '{ __typename }');
    await until('the usage is stored', async () => (await stored()) >= storedBefore + 5);
    expect(await operations()).toBe(before);
    const limits = '[{ tokenBucket: { capacity: 5, refillAmount: 1, refillPeriodMs: 1000 } }]';
    const created = await admin(
      `mutation { ruleCreate(input: { name: "fresh", scope: USER, field: "*", mode: OFF, limits: ${limits} }) { userErrors { message } } }`,
    );
    expect(created.data.ruleCreate.userErrors).toEqual([]);
    const { data } = await admin('{ rules { nodes { name } } }');
    expect(data.rules.nodes).toContainEqual({ name: 'fresh' });
    await resume();
    await caughtUp();
    expect(await operations()).toBeGreaterThanOrEqual(before + 5);
  });

  it('doctor recognizes the replica, and reports a primary and another database in its place', async () => {
    const doctor = (readUrl: string) =>
      runToEnd(['doctor'], {
        TOLLGATE_DATA_DIR: mkdtempSync(join(tmpdir(), 'tollgate-doctor-')),
        TOLLGATE_ADMIN_TOKEN: ADMIN_TOKEN,
        REDIS_URL: redis.url,
        DATABASE_URL: primary.url,
        DATABASE_READ_URL: readUrl,
      });
    await caughtUp();
    expect((await doctor(replica.url)).output).toMatch(/^ok +PostgreSQL replica +answers at 127\.0\.0\.1:\d+/m);
    expect((await doctor(primary.url)).output).toMatch(/^warning +PostgreSQL replica +\S+ is no standby/m);
    await db.query('create database other');
    const other = new URL(primary.url);
    other.pathname = '/other';
    expect((await doctor(other.href)).output).toMatch(/^failure +PostgreSQL replica +\S+ has no tables of Tollgate/m);
    const gone = await doctor('postgres://tollgate:secret-word@127.0.0.1:1/postgres');
    expect(gone.output).toMatch(/^warning +PostgreSQL replica +cannot connect to 127\.0\.0\.1:1/m);
    expect(gone.output).not.toContain('secret-word');
  });

  it('after the replica is stopped, queries about usage are answered by the primary, with one warning in the log', async () => {
    await replica.stop();
    expect(await operations()).toBeGreaterThan(0);
    const warnings = () => platform.output().match(/The replica of PostgreSQL does not respond/g) ?? [];
    await until('the log has the warning', () => warnings().length > 0);
    expect(await operations()).toBeGreaterThan(0);
    expect(warnings()).toHaveLength(1);
  });
});

/** Returns the number of operations that the primary has stored. */
async function stored(): Promise<number> {
  const [row] = await db.query<{ sum: number }>('select coalesce(sum(requests), 0)::float8 as sum from usage_minute');
  return row!.sum;
}

/** Counts the statements and transactions that are passed on. */
function countCalls(target: () => Connections) {
  const calls = {
    number: 0,
    connections: {
      query(sql, params) {
        calls.number++;
        return target().query(sql, params);
      },
      tx(run, options) {
        calls.number++;
        return target().tx(run, options);
      },
    } satisfies Connections as Connections,
  };
  return calls;
}

/**
 * Makes the replica apply no changes until the test ends, or until the returned function is called.
 */
async function pauseReplica(): Promise<() => Promise<unknown>> {
  const resume = () => db.replica!.query('select pg_wal_replay_resume()');
  onTestFinished(async () => {
    await resume();
  });
  await db.replica!.query('select pg_wal_replay_pause()');
  return resume;
}
