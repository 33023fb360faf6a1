import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import type { Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { DATABASES, openServerDatabase, type TestDatabase } from './databases.js';

const HASH = 'a'.repeat(64);

describe.each(DATABASES)('the constraints of the tables on $database', ({ openDatabase }) => {
  let opened: TestDatabase;
  let db: Db;
  beforeAll(async () => {
    opened = await openDatabase('empty');
    db = opened.db;
    await migrate(db);
    await insertTier({ name: 'base', is_default: true });
    await db.query(`insert into subjects (user_id, tier) values ('ann', 'base')`);
  });
  afterAll(() => opened.dispose());

  function insertTier(columns: Record<string, string | number | boolean | null>) {
    const row = { display_name: 'X', capacity: 1, refill_amount: 1, refill_period_ms: 1, ...columns };
    const names = Object.keys(row);
    return db.query(
      `insert into tiers (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
      Object.values(row),
    );
  }

  it.each([
    ['tiers_name', { name: '' }],
    ['tiers_name', { name: 'a b' }],
    ['tiers_name', { name: 'a'.repeat(65) }],
    ['tiers_display_name', { display_name: '' }],
    ['tiers_capacity', { capacity: 0 }],
    ['tiers_capacity', { capacity: 2 ** 31 }],
    ['tiers_refill_amount', { refill_amount: -1 }],
    ['tiers_refill_period_ms', { refill_period_ms: 0 }],
    ['tiers_max_cost_per_operation', { max_cost_per_operation: 0 }],
    ['tiers_exact', { capacity: 2 ** 31 - 1, refill_period_ms: 2 ** 22 }],
    ['tiers_price_complete', { monthly_price_minor: 100 }],
    ['tiers_price_currency', { monthly_price_minor: 100, price_currency: 'euro' }],
    ['tiers_version', { version: 0 }],
    ['tiers_one_default', { is_default: true }],
  ])('the constraint %s rejects the tier %j', async (constraint, columns) => {
    await expect(insertTier({ name: 'other', ...columns })).rejects.toMatchObject({ constraint });
  });

  it('the table of tiers rejects amounts that are not whole numbers', async () => {
    for (const capacity of ['NaN', 'Infinity', 'ten']) {
      await expect(insertTier({ name: 'other', capacity })).rejects.toMatchObject({ code: '22P02' });
    }
  });

  it.each([
    ['subjects_identified', `insert into subjects (user_id) values ('')`],
    ['subjects_identity', `insert into subjects (user_id) values ('ann')`],
    ['subjects_user_id', `insert into subjects (user_id) values (repeat('x', 513))`],
    ['subjects_tier_fkey', `insert into subjects (user_id, tier) values ('bob', 'none')`],
    ['subjects_override_complete', `insert into subjects (user_id, override_capacity) values ('bob', 5)`],
    ['api_keys_prefix', `insert into api_keys (prefix, secret_hash, subject_id) values ('a b', '${HASH}', 1)`],
    ['api_keys_secret_hash', `insert into api_keys (prefix, secret_hash, subject_id) values ('k', 'secret', 1)`],
    ['api_keys_subject_id_fkey', `insert into api_keys (prefix, secret_hash, subject_id) values ('k', '${HASH}', 99)`],
    ['changes_entity', change({ entity: 'THING' })],
    ['changes_actor', change({ actor: '' })],
  ])('the constraint %s rejects the statement %s', async (constraint, sql) => {
    await expect(db.query(sql)).rejects.toMatchObject({ constraint });
  });

  it('the same user id can exist in two tenants', async () => {
    await db.query(`insert into subjects (tenant_id, user_id) values ('acme', 'ann'), ('globex', 'ann'), ('acme', '')`);
  });

  it('the record of changes cannot be updated, deleted or truncated', async () => {
    await db.query(change({}));
    const attempts = [`update changes set actor = 'me'`, 'delete from changes', 'truncate changes'];
    for (const sql of attempts) await expect(db.query(sql)).rejects.toThrow('changes is append-only');
    expect(await db.query('select actor from changes')).toEqual([{ actor: 'someone' }]);
  });
});

function change({ entity = 'TIER', actor = 'someone' }): string {
  return `insert into changes (entity, entity_key, action, actor, auth_method)
    values ('${entity}', 'base', 'UPDATE', '${actor}', 'SYSTEM')`;
}

describe('the numbers of changes', () => {
  let server: Awaited<ReturnType<typeof openServerDatabase>>;
  beforeAll(async () => {
    server = await openServerDatabase('empty');
    await migrate(server.db);
  });
  afterAll(() => server.dispose());

  // If the numbers came from a plain sequence, change 6 could be committed before change 5. A
  // reader that has seen 6 would then never read 5.
  it('changes become visible in the order of their numbers, however many writers there are', async () => {
    const { db } = server;
    let writing = true;
    const reader = await createPgDb({ url: server.url, maxConnections: 1 });
    const watch = async () => {
      const seen = new Set<number>();
      let highest = 0;
      while (writing) {
        const rows = await reader.query<{ number: number }>('select number from changes order by number');
        for (const { number } of rows) {
          if (seen.has(number)) continue;
          seen.add(number);
          if (number <= highest) return `${number} appeared after ${highest}`;
        }
        highest = Math.max(0, ...seen);
      }
      return 'in order';
    };
    const watching = watch();
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        db.tx(async (tx) => {
          await tx.query(change({}));
          await tx.query('select pg_sleep($1::float8)', [(i % 3) / 1000]);
          if (i % 5 === 0) await tx.query(change({}));
        }),
      ),
    );
    writing = false;
    expect(await watching).toBe('in order');
    expect(await db.query('select count(*) as count from changes')).toEqual([{ count: 72 }]);
    await reader.close();
  });
});
