import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { percentile } from '../../bench/frame/statistics.js';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { createRulesStore } from '../../src/rules/store/rules-store.js';
import { countCases } from '../abuse/serve.js';
import { ADMIN_TOKEN, type Platform, runToEnd } from '../helpers/platform.js';
import type { Fault } from '../helpers/tcp-proxy.js';
import { until, untilFileHolds } from '../helpers/until.js';
import { reportFigure } from '../report/figures.js';
import {
  ask,
  askAdmin,
  FREE,
  isDegraded,
  liftAddressLimit,
  NOT_PATIENT,
  openStack,
  PRO,
  QUERY,
  readiness,
  type Stack,
} from './stack.js';
import { startTraffic } from './traffic.js';

const ADMIN = { name: 'ann', authMethod: 'ADMIN_TOKEN' as const };
const TIERS = '{ tiers { nodes { name } } }';
/**
 * Timeouts in the URL of PostgreSQL. They limit how long a statement waits for a connection and how
 * long it runs, and therefore how long the admin API takes to respond.
 */
const SHORT = 'statement_timeout=1500&query_timeout=2000';
const ADMIN_ANSWERS_WITHIN_MS = 15_000;

describe('platform whose PostgreSQL fails', () => {
  let stack: Stack;
  let platform: Platform;
  beforeAll(async () => {
    stack = await openStack();
    platform = await stack.start({ DATABASE_URL: `${stack.toPostgres.url}?${SHORT}` });
    await liftAddressLimit(platform);
    // The buckets are large, so that no caller runs out of tokens, however many requests a round
    // takes.
    for (const name of ['free', 'pro']) {
      const input = `{ name: "${name}", capacity: 1000000000, refillAmount: 1000000, refillPeriodMs: 1000 }`;
      const { body } = await askAdmin(platform, `mutation { tierUpdate(input: ${input}) { userErrors { message } } }`);
      expect(body.data.tierUpdate.userErrors).toEqual([]);
    }
    await until('the platform knows both callers', async () => {
      const answers = await Promise.all([ask(platform, PRO), ask(platform, FREE)]);
      return answers.every(({ status }) => status === 200);
    });
  });
  afterAll(() => stack.stop());

  const known = [PRO, PRO, FREE, {}];
  const isWell = async () =>
    (await readiness(platform)).degraded === undefined && (await askAdmin(platform, TIERS)).status === 200;

  const FAULTS: Fault[] = [{ kind: 'refuse' }, { kind: 'reset' }, { kind: 'black-hole' }, { kind: 'half-open' }];
  it.each(
    FAULTS,
  )('P1: known callers are served while PostgreSQL is unavailable ($kind), the admin API reports it, and all recovers', async (fault) => {
    const traffic = startTraffic({ url: platform.url, query: QUERY, callers: known });
    await stack.toPostgres.set(fault);
    const rejected = await askAdmin(platform, TIERS);
    expect(rejected.status).toBe(503);
    expect(rejected.body.errors[0]).toMatchObject({
      message: 'The database is unavailable: try again in a moment',
      extensions: { code: 'UNAVAILABLE' },
    });
    const before = traffic.result.requests;
    if (fault.kind !== 'half-open') {
      await until('the platform reports the problem', () => isDegraded(platform, 'PostgreSQL has been unavailable'));
      expect((await readiness(platform)).status).toBe('ready');
    }
    await until('more responses arrive', () => traffic.result.requests > before + 100);
    await stack.toPostgres.set({ kind: 'pass' });
    await until('the platform has recovered', isWell, ADMIN_ANSWERS_WITHIN_MS);
    const { failures, degraded, statuses } = await traffic.stop();
    expect({ failures, degraded }).toEqual({ failures: [], degraded: 0 });
    expect(Object.keys(statuses)).toEqual(['200']);
  });

  it('P1: the log has one line at the start and one at the end of an outage, however often the admin API is used', async () => {
    const chatty = await stack.start({ DATABASE_URL: `${stack.toPostgres.url}?${SHORT}`, LOG_LEVEL: 'info' });
    const before = chatty.output().length;
    const logged = () => chatty.output().slice(before);
    const askAtOnce = () => Promise.all([1, 2, 3, 4].map(() => askAdmin(chatty, TIERS)));
    await stack.toPostgres.set({ kind: 'refuse' });
    // These requests fail before the platform has noticed the outage.
    await askAtOnce();
    await until('the outage is logged', () => logged().includes('PostgreSQL cannot be used'));
    for (let round = 0; round < 5; round++) {
      expect((await askAtOnce()).map(({ status }) => status)).toEqual([503, 503, 503, 503]);
    }
    await stack.toPostgres.set({ kind: 'pass' });
    await until('the end is logged', () => logged().includes('PostgreSQL can be used again'), ADMIN_ANSWERS_WITHIN_MS);
    // Lines about usage and the list of instances are not repeated either.
    const lines = logged().trimEnd().split('\n');
    expect(lines.length).toBeLessThan(8);
    expect(lines.filter((line) => /PostgreSQL|admin API/.test(line))).toEqual([
      expect.stringMatching(/"reason":"connect ECONNREFUSED.*PostgreSQL cannot be used: rules and known subjects/),
      expect.stringContaining('PostgreSQL can be used again'),
    ]);
    expect(logged()).not.toContain('"stack"');
    await until('the platform has recovered', isWell, ADMIN_ANSWERS_WITHIN_MS);
  });

  it('P1: connections that are killed again and again, idle or busy, cause at most 503 in the admin API, and no failure of callers', async (context) => {
    const traffic = startTraffic({ url: platform.url, query: QUERY, callers: known });
    let killed = 0;
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round++) {
      const asking = Promise.all([1, 2, 3].map(() => askAdmin(platform, TIERS)));
      const rows = await stack.db.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'tollgate' and pid <> pg_backend_pid()`,
      );
      killed += rows.length;
      for (const { status } of await asking) statuses.add(status);
    }
    expect(killed).toBeGreaterThan(20);
    for (const status of statuses) expect([200, 503]).toContain(status);
    await until('the platform has recovered', isWell);
    const { failures, degraded } = await traffic.stop();
    expect({ failures, degraded }).toEqual({ failures: [], degraded: 0 });
    countCases(context, killed);
  });

  it('P1: known callers are served while the pool is exhausted, and the admin API reports it and recovers', async () => {
    const traffic = startTraffic({ url: platform.url, query: QUERY, callers: known });
    const unlock = await lockTable(stack, 'tiers');
    try {
      const waiting = Array.from({ length: 15 }, () => askAdmin(platform, TIERS));
      // The pool has fewer connections than there are requests. A request waits for a connection no
      // longer than a statement may run.
      await Promise.any(waiting);
      const before = traffic.result.requests;
      await until('more responses arrive', () => traffic.result.requests > before + 100);
      const answers = await Promise.all(waiting);
      for (const { status } of answers) expect(status).toBe(503);
    } finally {
      await unlock();
    }
    await until('the platform has recovered', isWell);
    const { failures, degraded } = await traffic.stop();
    expect({ failures, degraded }).toEqual({ failures: [], degraded: 0 });
  });

  it('P1: uncached callers are looked up without delay while reports use every connection that they may use', async (context) => {
    const store = createRulesStore(stack.db);
    const users = Array.from({ length: 100 }, (_, index) => `unseen-${index}`);
    for (const user of users) {
      await store.upsertSubject({ user, tier: 'pro' }, ADMIN);
      await store.createApiKey({ user, known: { prefix: user, secret: user } }, ADMIN);
    }
    const aliases = Array.from({ length: 12 }, (_, index) => `a${index}: topCallers(first: 5) { nodes { requests } }`);
    const reportsThatWait = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%totals%'`;
    const unlock = await lockTable(stack, 'usage_subjects');
    const tookMs: number[] = [];
    const reports = askAdmin(platform, `{ ${aliases.join(' ')} }`);
    try {
      await until('the reports wait for the lock', async () => (await stack.db.query(reportsThatWait)).length > 2);
      for (const user of users) {
        const startedAtMs = performance.now();
        const { status, body } = await ask(platform, { 'x-api-key': user });
        tookMs.push(performance.now() - startedAtMs);
        expect([status, body.extensions.cost.tier]).toEqual([200, 'pro']);
      }
      const p99Ms = percentile(tookMs, 0.99);
      reportFigure(context, `look-ups next to reports: p99 ${p99Ms.toFixed(1)} ms`);
      // The guarantee is 50 ms. The test allows more, because the machine runs other tests at the
      // same time.
      expect(p99Ms).toBeLessThan(1_000);
    } finally {
      await unlock();
    }
    expect([200, 503]).toContain((await reports).status);
    await until('the platform has recovered', isWell);
    countCases(context, users.length);
  });

  it('P1: 10,000 rules are applied in seconds, and administrators log in meanwhile', async (context) => {
    const file = join(mkdtempSync(join(tmpdir(), 'tollgate-rules-')), 'policy.yaml');
    const rules = Array.from(
      { length: 10_000 },
      (_, index) =>
        `  - name: many ${index}\n    scope: USER\n    field: Many${index}.field\n    measure: CALLS\n    match: { tiers: [pro] }
    limits: [{ algorithm: TOKEN_BUCKET, capacity: ${100 + index}, refillAmount: 1, refillPeriodMs: 1000 }]\n`,
    );
    writeFileSync(file, `rules:\n${rules.join('')}`);
    const logIn = () =>
      fetch(`${platform.url}/console/session`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
        body: JSON.stringify({ token: ADMIN_TOKEN }),
      });
    const startedAtMs = performance.now();
    let isApplied = false;
    const applying = runToEnd(['rules', 'apply', file], { DATABASE_URL: stack.databaseUrl }).then((end) => {
      isApplied = true;
      return end;
    });
    const tookMs: number[] = [];
    while (!isApplied) {
      const loggingInAtMs = performance.now();
      expect((await logIn()).ok).toBe(true);
      tookMs.push(performance.now() - loggingInAtMs);
      // Each login uses a part of the administrator's budget.
      await Promise.race([applying, new Promise((resolve) => setTimeout(resolve, 1000))]);
    }
    const { status, output } = await applying;
    expect([status, output.slice(-9)]).toEqual([0, 'Applied.\n']);
    const appliedMs = performance.now() - startedAtMs;
    const longestLoginMs = Math.max(...tookMs);
    reportFigure(
      context,
      `10,000 rules applied in ${(appliedMs / 1000).toFixed(1)} s, the longest login ${longestLoginMs.toFixed(0)} ms`,
    );
    // The guarantees are 5 s for the rules and 1 s for a login. The test allows more, because the
    // machine runs other tests at the same time.
    expect(appliedMs).toBeLessThan(30_000);
    expect(longestLoginMs).toBeLessThan(5_000);
    await until('the rules are in force', async () => {
      const { body } = await askAdmin(
        platform,
        '{ rules(first: 1, filter: { nameContains: "many 9999" }) { nodes { name } } }',
      );
      return body.data.rules.nodes.length === 1;
    });
    countCases(context, tookMs.length);
    rmSync(file);
  });

  it('P1: an uncached API key gets 503 while PostgreSQL is unavailable, and never counts as anonymous', async () => {
    const store = createRulesStore(stack.db);
    await store.upsertSubject({ user: 'late', tier: 'pro' }, ADMIN);
    await store.createApiKey({ user: 'late', known: { prefix: 'late', secret: 'late' } }, ADMIN);
    await stack.toPostgres.set({ kind: 'refuse' });
    const { status, headers, body } = await ask(platform, { 'x-api-key': 'late' });
    expect([status, body.errors[0].extensions.code]).toEqual([503, 'IDENTITY_UNAVAILABLE']);
    expect(headers.get('retry-after')).toBe('1');
    await stack.toPostgres.set({ kind: 'pass' });
    const isKnown = async () => (await ask(platform, { 'x-api-key': 'late' })).status === 200;
    await until('the key is known', isKnown, ADMIN_ANSWERS_WITHIN_MS);
  });
});

describe('start of a platform', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await openStack();
  });
  afterAll(() => stack.stop());

  it('P1: a start without PostgreSQL and without a snapshot fails and names what is missing', async () => {
    await stack.toPostgres.set({ kind: 'refuse' });
    const env = { REDIS_URL: stack.toRedis.url, DATABASE_URL: stack.toPostgres.url, PORT: '4997' };
    const { status, output } = await runToEnd(['start', '--demo'], env);
    expect(status).toBe(1);
    expect(output).toMatch(/PostgreSQL cannot be used at 127\.0\.0\.1:\d+.*ECONNREFUSED.*no snapshot/);
    await stack.toPostgres.set({ kind: 'pass' });
  });

  it('P1: a start without PostgreSQL serves the rules of the snapshot, and follows the database once it is back', async () => {
    const first = await stack.start();
    expect((await ask(first, PRO)).status).toBe(200);
    await askAdmin(first, 'mutation { tierUpdate(input: { name: "pro", capacity: 4321 }) { userErrors { code } } }');
    const snapshot = join(first.folder, '.tollgate', 'ruleset.json');
    await untilFileHolds(snapshot, '4321');
    await first.kill();

    await stack.toPostgres.set({ kind: 'refuse' });
    const second = await stack.start({}, first.folder);
    expect(await isDegraded(second, 'PostgreSQL has been unavailable')).toBe(true);
    const capacityOf = async (headers: Record<string, string>) =>
      (await ask(second, headers)).body.extensions.cost.throttleStatus.maximumAvailable;
    // Redis has a copy of the key's holder.
    expect(await capacityOf(PRO)).toBe(4321);
    expect((await askAdmin(second, TIERS)).status).toBe(503);

    const store = createRulesStore(stack.db);
    await store.updateTier({ name: 'pro', capacity: 4444 }, ADMIN);
    await stack.toPostgres.set({ kind: 'pass' });
    await until('the changed capacity is in force', async () => (await capacityOf(PRO)) === 4444);
    await until('the platform has recovered', async () => (await readiness(second)).degraded === undefined);
    expect((await askAdmin(second, TIERS)).status).toBe(200);
    expect(await second.stop()).toBe(0);
  });

  it('P1: a start with a read-only PostgreSQL serves, reports that usage waits, and stores the usage once writes are possible', async () => {
    const first = await stack.start();
    expect((await ask(first, PRO)).status).toBe(200);
    expect(await first.stop()).toBe(0);

    const recorded = async () => {
      const [row] = await stack.db.query<{ count: number }>(
        'select coalesce(sum(requests), 0)::int as count from usage_minute',
      );
      return row!.count;
    };
    const before = await recorded();
    await setReadOnly(stack, true);
    const second = await stack.start();
    expect((await ask(second, PRO)).status).toBe(200);
    expect((await askAdmin(second, TIERS)).status).toBe(200);
    await until('the platform reports the problem', () => isDegraded(second, 'storing usage has failed'));
    expect((await readiness(second)).degraded?.join()).toMatch(/accepts no writes/);
    const update = 'mutation { tierUpdate(input: { name: "pro", capacity: 4445 }) { userErrors { code } } }';
    expect((await askAdmin(second, update)).status).toBe(503);

    await setReadOnly(stack, false);
    await until('the platform has recovered', async () => (await readiness(second)).degraded === undefined);
    expect(await recorded()).toBe(before + 1);
    expect(await second.stop()).toBe(0);
  });

  it('P1: a start with a read-only PostgreSQL that needs a migration serves the snapshot until it can migrate', async () => {
    const first = await stack.start();
    expect((await ask(first, PRO)).status).toBe(200);
    await until('the snapshot exists', () => existsSync(join(first.folder, '.tollgate', 'ruleset.json')));
    await first.kill();

    const [latest] = await stack.db.query<{ number: number; name: string; checksum: string }>(
      'delete from schema_migrations where number = (select max(number) from schema_migrations) returning *',
    );
    const { number, name, checksum } = latest!;
    const again = 'insert into schema_migrations (number, name, checksum) values ($1, $2, $3)';
    try {
      await setReadOnly(stack, true);
      const env = { REDIS_URL: stack.toRedis.url, DATABASE_URL: stack.toPostgres.url, PORT: '4997' };
      const { status, output } = await runToEnd(['start', '--demo'], env);
      expect(status).toBe(1);
      expect(output).toMatch(/accepts no writes.*no snapshot/);
      const second = await stack.start({}, first.folder);
      expect((await ask(second, PRO)).status).toBe(200);
      expect((await readiness(second)).degraded?.join()).toMatch(/PostgreSQL has been unusable.*accepts no writes/);
      await writeAnyhow(stack, again, [number, name, checksum]);
      await setReadOnly(stack, false);
      await until('the platform has recovered', async () => (await readiness(second)).degraded === undefined);
      expect(await second.stop()).toBe(0);
    } finally {
      await setReadOnly(stack, false);
    }
  });

  it('P1: a start without Redis and PostgreSQL serves as far as its snapshot allows, and finds both on its own', async () => {
    const first = await stack.start();
    expect((await ask(first, PRO)).status).toBe(200);
    await until('the snapshot exists', () => existsSync(join(first.folder, '.tollgate', 'ruleset.json')));
    await first.kill();

    await Promise.all([stack.toPostgres.set({ kind: 'refuse' }), stack.toRedis.set({ kind: 'refuse' })]);
    const second = await stack.start(NOT_PATIENT, first.folder);
    const { degraded } = await readiness(second);
    expect(degraded?.join()).toMatch(/PostgreSQL has been unavailable/);
    expect(degraded?.join()).toMatch(/Redis .*has not answered/);
    const anonymous = await ask(second);
    expect(anonymous.status).toBe(200);
    expect(anonymous.body.extensions.cost).toMatchObject({ tier: 'free', degraded: true });
    const unknown = await ask(second, PRO);
    expect([unknown.status, unknown.body.errors[0].extensions.code]).toEqual([503, 'IDENTITY_UNAVAILABLE']);

    await stack.toRedis.set({ kind: 'pass' });
    await until('Redis decides', async () => (await ask(second)).body.extensions.cost.degraded === false);
    await stack.toPostgres.set({ kind: 'pass' });
    await until('the platform has recovered', async () => (await readiness(second)).degraded === undefined);
    expect((await ask(second, PRO)).status).toBe(200);
    expect(await second.stop()).toBe(0);
  });
});

/** Makes new connections to the database read-only or writable, and closes all open connections. */
async function setReadOnly(stack: Stack, isReadOnly: boolean): Promise<void> {
  const name = new URL(stack.databaseUrl).pathname.slice(1);
  await writeAnyhow(stack, `alter database "${name}" set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`);
  await stack.db.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  );
}

/** Writes through a connection that may be read-only. */
function writeAnyhow({ db }: Stack, sql: string, params: (string | number)[] = []): Promise<unknown> {
  return db.tx(async (tx) => {
    await tx.query('set transaction read write');
    return tx.query(sql, params);
  });
}

/** Locks a table exclusively. Returns the function that unlocks it. */
async function lockTable(stack: Stack, table: string): Promise<() => Promise<void>> {
  const locker = await createPgDb({ url: stack.databaseUrl, maxConnections: 1 });
  let release = () => {};
  const locking = locker.tx(async (tx) => {
    await tx.query(`lock table ${table} in access exclusive mode`);
    await new Promise<void>((resolve) => {
      release = resolve;
    });
  });
  const isLocked = `select from pg_locks
    where relation = '${table}'::regclass and mode = 'AccessExclusiveLock' and granted`;
  await until('the table is locked', async () => (await stack.db.query(isLocked)).length > 0);
  return async () => {
    release();
    await locking;
    await locker.close();
  };
}
