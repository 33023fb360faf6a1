import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db, SqlValue } from '../../../src/postgres/db.js';
import { migrate } from '../../../src/postgres/migrate.js';
import type { Actor } from '../../../src/rules/store/create-change-log.js';
import { createRulesStore, type RulesStore } from '../../../src/rules/store/rules-store.js';
import { openServerDatabase, type TestDatabase } from '../../postgres/databases.js';

const ANN: Actor = { name: 'ann', authMethod: 'ADMIN_TOKEN' };
const FIRST_PAGE = { before: Number.MAX_SAFE_INTEGER, limit: 20 };

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  Plans?: PlanNode[];
}

let opened: TestDatabase;
let store: RulesStore;
const statements: [string, readonly SqlValue[]][] = [];
beforeAll(async () => {
  opened = await openServerDatabase();
  await migrate(opened.db);
  const listening: Db = {
    ...opened.db,
    query: (sql, params = []) => {
      statements.push([sql, params]);
      return opened.db.query(sql, params);
    },
  };
  store = createRulesStore(listening);
});
afterAll(() => opened.dispose());

async function storeCaller(user: string): Promise<string> {
  const made = await store.upsertSubject({ user }, ANN);
  if (!made.ok) throw new Error('the caller was rejected');
  return String(made.value.id);
}

async function mint(user: string) {
  const made = await store.createApiKey({ user }, ANN);
  if (!made.ok) throw new Error('the key was rejected');
  return made.value.apiKey;
}

it('the history of a caller contains their changes and the changes of their keys in order, and no others', async () => {
  const [ann, bob] = [await storeCaller('ann'), await storeCaller('bob')];
  const key = await mint('ann');
  await mint('bob');
  await store.disableSubject({ user: 'ann' }, ANN);
  const rotated = await store.rotateApiKey({ id: key.id, overlapMs: 1000 }, ANN);
  const { id, prefix } = rotated.ok ? rotated.value.apiKey : key;
  const counted = { user: 'ann', apiKey: prefix };
  const reset = { action: 'RESET_QUOTA' as const, key: { apiKey: prefix }, data: { counted } };
  await store.recordCallerAction({ ...reset, before: {}, after: {} }, ANN);
  await store.revokeApiKey({ id, comment: 'leaked' }, ANN);

  const entries = await store.historyOf('SUBJECT', [ann, bob], FIRST_PAGE);
  const shown = (owner: string) =>
    entries.filter((one) => one.owner === owner).map((one) => [one.action, one.entity, one.key, one.comment]);
  expect(shown(ann)).toEqual([
    ['REVOKE', 'API_KEY', prefix, 'leaked'],
    ['RESET_QUOTA', 'API_KEY', prefix, null],
    ['ROTATE', 'API_KEY', key.prefix, null],
    ['CREATE', 'API_KEY', prefix, null],
    ['DISABLE', 'SUBJECT', ann, null],
    ['CREATE', 'API_KEY', key.prefix, null],
    ['CREATE', 'SUBJECT', ann, null],
  ]);
  expect(shown(bob).map(([action, entity]) => [action, entity])).toEqual([
    ['CREATE', 'API_KEY'],
    ['CREATE', 'SUBJECT'],
  ]);

  // The pages together must contain the same entries, whichever of the two kinds of entries ends a
  // page.
  const all = entries.filter(({ owner }) => owner === ann).map(({ number }) => number);
  const paged: number[] = [];
  for (let before = FIRST_PAGE.before; ; before = paged.at(-1)!) {
    const page = await store.historyOf('SUBJECT', [ann], { before, limit: 2 });
    paged.push(...page.map(({ number }) => number));
    if (page.length < 2) break;
  }
  expect(paged).toEqual(all);
});

it('the history of callers is read in one statement from indexes, however many changes are stored', async () => {
  const busy = await storeCaller('busy');
  await opened.db.query(
    `insert into changes (entity, entity_key, action, actor, auth_method, after)
     select 'API_KEY', 'tg_' || n, 'CREATE', 'ann', 'ADMIN_TOKEN',
       jsonb_build_object('subjectId', case when n % 10 = 0 then $1::bigint else n + 1000000 end)
     from generate_series(1, 30000) n`,
    [busy],
  );
  await opened.db.query('analyze changes');
  statements.length = 0;
  const entries = await store.historyOf('SUBJECT', [busy, '999999'], FIRST_PAGE);
  expect(entries.map(({ owner, key }) => [owner, key]).slice(0, 2)).toEqual([
    [busy, 'tg_30000'],
    [busy, 'tg_29990'],
  ]);
  expect([entries.length, statements.length]).toEqual([20, 1]);
  const [sql, params] = statements[0]!;
  const [row] = await opened.db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) ${sql}`, params);
  const all = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(all)];
  const reads = all(row!['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name'] === 'changes');
  expect(reads.map((node) => [node['Node Type'], node['Index Name']]).sort()).toEqual([
    ['Index Scan', 'changes_of_entity'],
    ['Index Scan', 'changes_of_key_holder'],
  ]);
});
