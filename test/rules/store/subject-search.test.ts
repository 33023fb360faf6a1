import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Db, SqlValue } from '../../../src/postgres/db.js';
import { createRulesStore, type RulesStore } from '../../../src/rules/store/rules-store.js';
import { openServerDatabase, type TestDatabase } from '../../postgres/databases.js';

const CALLERS = 100_000;

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
  const listening: Db = {
    ...opened.db,
    query: (sql, params = []) => {
      statements.push([sql, params]);
      return opened.db.query(sql, params);
    },
  };
  store = createRulesStore(listening);
  await opened.db.query(
    `insert into subjects (tenant_id, user_id)
     select case when n % 10 = 0 then 'tenant-' || n else '' end, case when n % 20 = 0 then '' else 'user-' || n end
     from generate_series(1, $1::integer) n`,
    [CALLERS],
  );
  await opened.db.query(`insert into subjects (user_id) values ('100%'), ('100x'), ('a_b'), ('axb'), ('back\\slash')`);
  await opened.db.query('analyze subjects');
});
afterAll(() => opened.dispose());

async function search(idStartsWith: string): Promise<(string | null)[]> {
  const found = await store.pageSubjects({ idStartsWith }, { after: 0, limit: 6 });
  return found.map(({ user, tenant }) => user ?? tenant);
}

it('a search by prefix finds users by user id and tenants by tenant id, and takes every character literally', async () => {
  expect(await search('user-9999')).toEqual([
    'user-9999',
    'user-99990',
    'user-99991',
    'user-99992',
    'user-99993',
    'user-99994',
  ]);
  expect(await search('tenant-9998')).toEqual(['tenant-99980']);
  expect(await search('100%')).toEqual(['100%']);
  expect(await search('a_')).toEqual(['a_b']);
  expect(await search('back\\')).toEqual(['back\\slash']);
  expect(await search('USER-')).toEqual([]);
});

it.each([
  'user-9999',
  'tenant-9998',
  'nobody',
])('a search for "%s" among 100,000 callers reads two indexes and scans no table', async (text) => {
  statements.length = 0;
  await search(text);
  const [sql, params] = statements[0]!;
  const [row] = await opened.db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) ${sql}`, params);
  const all = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(all)];
  const nodes = all(row!['QUERY PLAN'][0].Plan);
  expect(nodes.flatMap((node) => node['Index Name'] ?? []).sort()).toEqual([
    'subjects_tenant_prefix',
    'subjects_user_prefix',
  ]);
  expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
});
