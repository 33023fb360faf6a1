import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConcurrentIndexes } from '../../src/postgres/build-concurrently.js';
import { migrationStatus, readMigrationFiles } from '../../src/postgres/migrate.js';
import { runToEnd, spawnCli } from '../helpers/platform.js';
import { until } from '../helpers/until.js';
import { emptyDatabase } from '../postgres/databases.js';
import { ask, isDegraded, openStack, PRO, type Stack } from './stack.js';

const FILES = readMigrationFiles().map(({ name }) => name);

let stack: Stack;
beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.stop());
beforeEach(() => emptyDatabase(stack.db));

async function applied(): Promise<string[]> {
  return (await migrationStatus(stack.db)).applied.map(({ name }) => name);
}

/** Adds a migration of a later version. */
async function addLaterMigration(): Promise<void> {
  await stack.db.query(
    `insert into schema_migrations (number, name, checksum) values (9999, '9999_from_the_future', 'x')`,
  );
}

describe('database schema', () => {
  it('P2: three platforms that start together on an empty database apply each migration once, and all serve', async () => {
    const platforms = await Promise.all([stack.start(), stack.start(), stack.start()]);
    expect(await applied()).toEqual(FILES);
    for (const platform of platforms) {
      expect((await ask(platform, PRO)).status).toBe(200);
      expect(await platform.stop()).toBe(0);
    }
  });

  it.each(
    FILES,
  )('P2: a process that is killed in the middle of %s leaves it unapplied, and the next process applies it', async (name) => {
    const { sql } = readMigrationFiles().find((file) => file.name === name)!;
    const [index] = readConcurrentIndexes(sql);
    // The server executes the statement and the reply is lost. The process is killed while it waits
    // for the reply. Unless the statement builds an index concurrently, the process is in an open
    // transaction.
    await stack.toPostgres.set({ kind: 'drop-replies', to: index ? `${index.name} on ` : sql.slice(0, 60) });
    const before = stack.toPostgres.dropped();
    const migrating = spawnCli(['migrate', 'up'], { DATABASE_URL: stack.toPostgres.url });
    await until('the process hangs in the migration', () => stack.toPostgres.dropped() > before);
    migrating.child.kill('SIGKILL');
    await migrating.exited;
    await stack.toPostgres.set({ kind: 'pass' });

    expect(await applied()).toEqual(FILES.slice(0, FILES.indexOf(name)));
    const { status } = await runToEnd(['migrate', 'up'], { DATABASE_URL: stack.toPostgres.url });
    expect(status).toBe(0);
    expect(await applied()).toEqual(FILES);
  });

  it('P2: neither start nor migrate runs on a schema that is newer than the code, and the error names the reason', async () => {
    const env = { REDIS_URL: stack.toRedis.url, DATABASE_URL: stack.toPostgres.url, PORT: '4996' };
    expect((await runToEnd(['migrate', 'up'], env)).status).toBe(0);
    await addLaterMigration();
    for (const command of [
      ['start', '--demo'],
      ['migrate', 'up'],
    ]) {
      const { status, output } = await runToEnd(command, env);
      expect(status).toBe(1);
      expect(output).toContain('the database is newer than the code');
    }
  });

  it('P2: a platform keeps its snapshot and reports the reason when PostgreSQL comes back with a newer schema', async () => {
    const first = await stack.start();
    await first.kill();
    await stack.toPostgres.set({ kind: 'refuse' });
    const second = await stack.start({}, first.folder);
    await addLaterMigration();
    await stack.db.query('update tiers set capacity = 7');
    await stack.toPostgres.set({ kind: 'pass' });
    await until('the platform reports the reason', () => isDegraded(second, 'newer than the code'));
    const { body } = await ask(second, PRO);
    expect(body.extensions.cost.throttleStatus.maximumAvailable).toBeGreaterThan(7);
  });
});
