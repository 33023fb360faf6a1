import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { QUESTIONS } from '../../bench/usage-queries/queries.js';
import { A_FEW, seedUsage } from '../../bench/usage-queries/seed-usage.js';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import type { Db, SqlValue } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { levelOfRange } from '../../src/usage/query/time-range.js';
import { createUsageReader } from '../../src/usage/query/usage-reader.js';
import { openServerDatabase, type TestDatabase } from '../postgres/databases.js';
import { listenTo, type Statement } from './listen-to.js';

const DAY_MS = 86_400_000;

/** A step of a query plan, as EXPLAIN returns it. */
interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

/**
 * Tables that must not be scanned completely. They have a row for each caller and operation, or for
 * each denial.
 */
const LARGE = /^(usage_(minute|hour|day)|events|decisions)_p/;
const A_LOT = 3_000;
/** Tables of sums by only one or two properties. They are small and may be scanned completely. */
const ROLLUP = /^usage_(subject|operation|field|rule|violation)_/;

describe('query plans of the usage reader', () => {
  let opened: TestDatabase & { url: string };
  let rowsOf: Map<string, number>;
  let db: Db;
  const until = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
  beforeAll(async () => {
    opened = await openServerDatabase();
    db = opened.db;
    await migrate(db);
    const seeding = await createPgDb({ url: opened.url, statementTimeoutMs: 120_000 });
    await seedUsage(seeding, until, A_FEW);
    await seeding.close();
    const rows = await db.query<{ name: string; rows: number }>(
      `select relname as name, reltuples::bigint as rows from pg_class where relkind = 'r'`,
    );
    rowsOf = new Map(rows.map((row) => [row.name, row.rows]));
  });
  afterAll(() => opened.dispose());

  async function nodesOf(sql: string, params: readonly SqlValue[]): Promise<PlanNode[]> {
    const [row] = await db.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`explain (format json) ${sql}`, params);
    const all = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(all)];
    return all(row!['QUERY PLAN'][0].Plan);
  }

  const cases = QUESTIONS.flatMap((question) => [
    { name: question.name, days: 1, question },
    { name: question.name, days: 90, question },
  ]);

  it.each(cases)('the query of $name over $days days reads an index or a table of sums', async ({ question, days }) => {
    const range = { from: new Date(until.getTime() - days * DAY_MS), to: until };
    const statements: Statement[] = [];
    const listening = listenTo(db, (...statement) => statements.push(statement));
    await question.ask(createUsageReader(listening), range, levelOfRange(range));
    const asked = statements.filter(([sql]) => !/usage_partitioned|set_config/.test(sql));
    expect(asked).toHaveLength(1);
    const nodes = await nodesOf(...asked[0]!);
    const scanned = nodes.filter((node) => node['Relation Name'] !== undefined);
    const inFull = scanned.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']!);
    expect(inFull.filter((table) => LARGE.test(table) && rowsOf.get(table)! > A_LOT)).toEqual([]);
    expect(scanned.some(({ 'Relation Name': table = '' }) => LARGE.test(table) || ROLLUP.test(table))).toBe(true);
    // The query must skip partitions outside of the range.
    const read = scanned.filter(({ 'Relation Name': table = '' }) => /^events_p/.test(table));
    expect(read.length).toBeLessThanOrEqual(days === 1 ? 2 : 33);
  });

  it('the ranking of callers reads the sums of the listed callers by index', async () => {
    const statements: Statement[] = [];
    const listening = listenTo(db, (...statement) => statements.push(statement));
    const days = { from: new Date(until.getTime() - 90 * DAY_MS), to: until, level: 'day' as const };
    const asked = { parts: [days], filter: {}, orderBy: 'ACTUAL_COST', limit: 51 } as const;
    await createUsageReader(listening).topSubjects(asked);
    const scans = (await nodesOf(...statements.at(-1)!)).filter((node) =>
      /^usage_subject_(day|week)_p/.test(node['Relation Name'] ?? ''),
    );
    expect(scans.some((node) => /week/.test(node['Relation Name']!))).toBe(true);
    // The query reads the sums twice: once to rank all callers, and once, by index, for the callers
    // in the result.
    const byIndex = scans.filter((node) => /^(Index|Bitmap Heap)/.test(node['Node Type']));
    expect(byIndex.length).toBeGreaterThanOrEqual(scans.length / 2);
    expect(byIndex.length).toBeGreaterThan(0);
  });

  it('a page of the decision log is read by an index, without a sort', async () => {
    await db.query(
      `insert into decisions (at, user_id, tier, operation_type, verdict, degraded, estimated_cost, duration_ms, fields)
       select $1::timestamptz - n * interval '1 second', 'ann', 'free', 'QUERY', 'ADMITTED', false, 1, 0, '{}'
       from generate_series(1, 20000) n`,
      [until],
    );
    await db.query('analyze decisions');
    const statements: Statement[] = [];
    const listening = listenTo(db, (...statement) => statements.push(statement));
    const pages = createUsageReader(listening).decisions({ from: new Date(until.getTime() - DAY_MS), to: until }, 2500);
    let count = 0;
    for await (const page of pages) count += page.length;
    expect([count, statements.length]).toEqual([2500, 3]);
    const nodes = await nodesOf(...statements[1]!);
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Seq Scan');
    expect(nodes.map((node) => node['Node Type'])).not.toContain('Sort');
  });

  it('the spread of operations is computed from the newest decisions, which are read by an index', async () => {
    const statements: Statement[] = [];
    const listening = listenTo(db, (...statement) => statements.push(statement));
    const range = { from: new Date(until.getTime() - 90 * DAY_MS), to: until };
    await createUsageReader(listening).operationSpread([{ type: 'QUERY', name: null }], range);
    // These rows stand for a day of a busy platform. They are far more rows than the query reads.
    await db.query(
      `insert into decisions (at, user_id, tier, operation_type, verdict, degraded, estimated_cost, duration_ms, fields)
       select $1::timestamptz - n * interval '1 millisecond', 'ann', 'free', 'QUERY', 'ADMITTED', false, 1, 0, '{}'
       from generate_series(1, 100000) n`,
      [until],
    );
    await db.query('analyze decisions');
    const nodes = await nodesOf(...statements[0]!);
    const kinds = nodes.map((node) => node['Node Type']);
    expect(kinds).not.toContain('Seq Scan');
    // The plan must sort only the rows that the limit has returned.
    expect(kinds).toContain('Limit');
    expect(kinds.lastIndexOf('Sort')).toBeLessThan(kinds.indexOf('Limit'));
  });
});
