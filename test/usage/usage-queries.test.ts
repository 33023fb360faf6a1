import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../../src/postgres/db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { type GroupedUsage, readUsage, type UsageGroup } from '../../src/usage/query/read-usage.js';
import {
  alignRange,
  LEVEL_MS,
  levelOfRange,
  partsOfRange,
  type RangePart,
  type TimeRange,
  withWeeks,
} from '../../src/usage/query/time-range.js';
import type { UsageFilter } from '../../src/usage/query/usage-filter.js';
import { createUsageReader, type UsageReader } from '../../src/usage/query/usage-reader.js';
import { USAGE_LEVELS, type UsageLevel } from '../../src/usage/record/usage-levels.js';
import { DATABASES, type TestDatabase } from '../postgres/databases.js';
import { listenTo } from './listen-to.js';
import { storeUsage, type UsedOperation, usedOperations } from './stored-usage.js';

const range = (from: string, to: string): TimeRange => ({ from: new Date(from), to: new Date(to) });
/** Current time of the queries in these tests. */
const NOW_MS = Date.parse('2026-03-03T10:00:00Z');
const ALL = range('2026-03-01T22:30:00Z', '2026-03-04T03:15:00Z');

describe('ranges of usage', () => {
  it('the parts of a range cover it exactly once, extended to whole buckets', () => {
    const cases = [
      range('2026-03-01T10:17:20Z', '2026-03-01T10:17:21Z'),
      range('2026-03-01T10:17:20Z', '2026-03-01T13:00:00Z'),
      range('2026-03-01T23:59:59Z', '2026-03-02T03:00:00Z'),
      range('2026-03-01T10:17:20Z', '2026-03-09T09:00:00Z'),
      range('2026-01-01T10:17:20Z', '2026-03-09T09:00:00Z'),
    ];
    for (const asked of cases) {
      const level = levelOfRange(asked, NOW_MS);
      const parts = partsOfRange(asked, level);
      const whole = alignRange(asked, level);
      expect(whole.from <= asked.from && whole.to >= asked.to).toBe(true);
      expectCovered(whole, parts);
      for (const completeFrom of ['1970-01-01', '2026-02-11', '2026-02-12', '2027-01-01']) {
        const byWeeks = withWeeks(parts, new Date(completeFrom));
        expectCovered(whole, byWeeks);
        for (const { from, level: read } of byWeeks)
          expect(read !== 'week' || from >= new Date(completeFrom)).toBe(true);
      }
    }
    const weeksOf = (completeFrom: string) =>
      withWeeks(partsOfRange(cases[4]!, 'day'), new Date(completeFrom)).filter(({ level }) => level === 'week');
    expect(weeksOf('1970-01-01')).toEqual([{ ...range('2026-01-01', '2026-03-05'), level: 'week' }]);
    expect(weeksOf('2026-02-11')).toEqual([{ ...range('2026-02-12', '2026-03-05'), level: 'week' }]);
    expect(weeksOf('2027-01-01')).toEqual([]);
    expect(cases.map((asked) => levelOfRange(asked, NOW_MS))).toEqual(['minute', 'minute', 'hour', 'hour', 'day']);
    // Sums by minute are kept for 3 days, and sums by hour for 35 days.
    const later = (days: number) => levelOfRange(cases[0]!, NOW_MS + days * 86_400_000);
    expect([later(0), later(5), later(40)]).toEqual(['minute', 'hour', 'day']);
    const kept = (minutesDays: number, hoursDays: number) =>
      levelOfRange(cases[0]!, NOW_MS + 5 * 86_400_000, { minutesDays, hoursDays });
    expect([kept(9, 35), kept(3, 9), kept(3, 6)]).toEqual(['minute', 'hour', 'day']);
  });
});

/** Checks that the parts cover each moment once, and that each part consists of whole buckets. */
function expectCovered(whole: TimeRange, parts: readonly RangePart[]): void {
  expect([parts[0]!.from, parts.at(-1)!.to]).toEqual([whole.from, whole.to]);
  for (const [index, part] of parts.entries()) {
    if (index > 0) expect(part.from).toEqual(parts[index - 1]!.to);
    expect(alignRange(part, part.level)).toEqual({ from: part.from, to: part.to });
  }
}

describe.each(DATABASES)('usage queries on $database', ({ openDatabase }) => {
  let opened: TestDatabase;
  let db: Db;
  let usage: UsageReader;
  let operations: UsedOperation[];
  beforeAll(async () => {
    opened = await openDatabase();
    db = opened.db;
    await migrate(db);
    operations = usedOperations(600, ALL);
    await db.tx((tx) => storeUsage(tx, operations));
    usage = createUsageReader(db);
  });
  afterAll(() => opened.dispose());

  const within = ({ from, to }: TimeRange) => operations.filter(({ at }) => at >= from && at < to);
  const matches = (one: UsedOperation, filter: UsageFilter): boolean =>
    (filter.user === undefined || (one.kind === 'USER' && one.name === filter.user)) &&
    (filter.apiKey === undefined || (one.kind === 'API_KEY' && one.name === filter.apiKey)) &&
    (filter.ip === undefined || (one.kind === 'IP' && one.name === filter.ip)) &&
    (filter.tenant === undefined || one.tenant === filter.tenant) &&
    (filter.tier === undefined || one.tier === filter.tier) &&
    (filter.operation === undefined || one.operation === filter.operation);

  /** Groups a list of operations. Returns each group with its sums, in a defined order. */
  function grouped(list: readonly UsedOperation[], level: UsageLevel, groupBy: readonly UsageGroup[]) {
    const sums = new Map<string, number[]>();
    for (const one of list) {
      const keys: Partial<Record<UsageGroup, unknown>> = {
        CALLER: [one.kind, one.name, one.tenant || null],
        TENANT: one.tenant,
        TIER: one.tier,
        OPERATION: one.operation || null,
        INTEGRATION: one.integration,
        REGION: one.region,
      };
      const bucket = new Date(Math.floor(one.at.getTime() / LEVEL_MS[level]) * LEVEL_MS[level]).toISOString();
      const key = JSON.stringify([bucket, ...groupBy.map((group) => keys[group])]);
      const sum = sums.get(key) ?? [0, 0, 0, 0, 0, 0];
      sum[0]! += 1;
      if (one.denied) sum[1]! += 1;
      if (one.shadowDenied) sum[2]! += 1;
      if (one.denied) sum[5]! += one.estimated;
      else {
        sum[3]! += one.estimated;
        sum[4]! += one.actual;
      }
      sums.set(key, sum);
    }
    return [...sums].map(([key, sum]) => [key, ...sum].join(' ')).sort();
  }

  function shown(rows: readonly GroupedUsage[], groupBy: readonly UsageGroup[]) {
    return rows
      .map((row) => {
        const keys: Partial<Record<UsageGroup, unknown>> = {
          CALLER: [row.subject?.kind, row.subject?.name, row.subject?.tenant],
          TENANT: row.tenant,
          TIER: row.tier,
          OPERATION: row.operation?.name,
          INTEGRATION: row.integration,
          REGION: row.region,
        };
        const key = JSON.stringify([row.bucket.toISOString(), ...groupBy.map((group) => keys[group])]);
        const { requests, denied, shadowDenied, estimatedCost, actualCost, deniedCost } = row;
        return [key, requests, denied, shadowDenied, estimatedCost, actualCost, deniedCost].join(' ');
      })
      .sort();
  }

  const GROUPS: UsageGroup[][] = [
    [],
    ['CALLER'],
    ['TENANT'],
    ['TIER'],
    ['OPERATION'],
    ['CALLER', 'OPERATION'],
    ['TENANT', 'TIER'],
    ['CALLER', 'TENANT', 'OPERATION', 'TIER'],
  ];
  const FILTERS: UsageFilter[] = [
    {},
    { user: '1' },
    { user: '1', tenant: 'acme' },
    { apiKey: '2' },
    { ip: '3' },
    { tenant: 'umbrella' },
    { tier: 'pro' },
    { operation: 'Search' },
    { user: '2', operation: 'Home', tier: 'free' },
    { user: 'nobody' },
  ];

  it.each(USAGE_LEVELS)('the usage by %s adds up to all operations, for every group and filter', async (level) => {
    const asked = alignRange(range('2026-03-02T01:00:00Z', '2026-03-03T22:00:00Z'), level);
    for (const groupBy of GROUPS) {
      for (const filter of FILTERS) {
        const rows = await usage.usage({ range: asked, level, groupBy, filter, after: undefined, limit: 10_000 });
        const expected = within(asked).filter((one) => matches(one, filter));
        expect(shown(rows, groupBy)).toEqual(grouped(expected, level, groupBy));
      }
    }
  });

  it.each(USAGE_LEVELS)('the usage by integration, or by region, and %s adds up to all operations', async (level) => {
    const asked = alignRange(range('2026-03-02T01:00:00Z', '2026-03-03T22:00:00Z'), level);
    for (const [group, member, known] of [
      ['INTEGRATION', 'integration', 'api'],
      ['REGION', 'region', 'eu'],
    ] as const) {
      const request = { range: asked, level, groupBy: [group], after: undefined, limit: 10_000 };
      for (const name of [undefined, known, 'unknown']) {
        const rows = await usage.usage({ ...request, filter: name === undefined ? {} : { [member]: name } });
        const expected = within(asked).filter((one) => name === undefined || one[member] === name);
        expect(shown(rows, [group])).toEqual(grouped(expected, level, [group]));
      }
    }
  });

  it('the operations of older instances count as those that no other server asked for', async () => {
    const request = { range: alignRange(ALL, 'day'), level: 'day', filter: {}, after: undefined, limit: 1000 } as const;
    const undone = new Error('The transaction is rolled back.');
    const counted = db.tx(async (tx) => {
      // An older instance writes no rows by integration.
      for (const level of USAGE_LEVELS) await tx.query(`delete from usage_integration_${level}`);
      const rows = await readUsage(tx, { ...request, groupBy: ['INTEGRATION'] });
      expect(new Set(rows.map(({ integration }) => integration))).toEqual(new Set(['']));
      expect(sum(rows, 'requests')).toBe(operations.length);
      throw undone;
    });
    await expect(counted).rejects.toBe(undone);
  });

  it('every group of the usage appears once, page by page', async () => {
    const request = { range: alignRange(ALL, 'hour'), level: 'hour', filter: {} } as const;
    for (const groupBy of [...GROUPS, ['INTEGRATION'], ['REGION']] satisfies UsageGroup[][]) {
      const whole = await usage.usage({ ...request, groupBy, after: undefined, limit: 10_000 });
      const paged: GroupedUsage[] = [];
      for (;;) {
        const page = await usage.usage({ ...request, groupBy, after: paged.at(-1)?.cursor, limit: 37 });
        paged.push(...page);
        if (page.length < 37) break;
      }
      expect(paged).toEqual(whole);
    }
    const foreign = JSON.stringify([0, 'x']);
    await expect(usage.usage({ ...request, groupBy: ['CALLER'], after: foreign, limit: 1 })).rejects.toThrow(
      RangeError,
    );
  });

  it('the usage by field and by rule adds up to the same operations', async () => {
    const request = { range: alignRange(ALL, 'day'), level: 'day', after: undefined, limit: 1000 } as const;
    const byField = await usage.usage({ ...request, groupBy: ['FIELD'], filter: { field: 'Query.countries' } });
    const admitted = operations.filter(({ denied }) => !denied);
    expect(sum(byField, 'requests')).toBe(operations.length);
    expect(sum(byField, 'estimatedCost')).toBe(admitted.length * 10);
    expect(sum(byField, 'actualCalls')).toBe(admitted.length);
    const byRule = await usage.usage({ ...request, groupBy: ['RULE'], filter: { rule: 'search' } });
    const ofRule = operations.filter(({ rules }) => rules.includes('search'));
    expect(sum(byRule, 'requests')).toBe(ofRule.length);
    expect(sum(byRule, 'denied')).toBe(ofRule.filter(({ denied }) => denied).length);
  });

  it('rankings list the largest entries first, for every level of sums that a range uses', async () => {
    for (const asked of [
      range('2026-03-02T01:10:00Z', '2026-03-02T03:10:00Z'),
      range('2026-03-01T23:10:00Z', '2026-03-03T12:10:00Z'),
      range('2026-02-01T23:10:00Z', '2026-03-03T12:10:00Z'),
    ]) {
      const parts = partsOfRange(asked, levelOfRange(asked, NOW_MS));
      const inRange = within(alignRange(asked, levelOfRange(asked, NOW_MS)));
      const request = { parts, filter: {}, orderBy: 'REQUESTS', limit: 100 } as const;
      const all = inRange.length;
      const subjects = await usage.topSubjects(request);
      expect(sum(subjects, 'requests')).toBe(all);
      expect(subjects.map(({ requests }) => requests)).toEqual(
        subjects.map(({ requests }) => requests).sort((a, b) => b - a),
      );
      expect(sum(subjects, 'share')).toBeCloseTo(1);
      const tenants = await usage.topTenants({ ...request, orderBy: 'DENIED' });
      expect(tenants.map(({ tenant, denied }) => [tenant ?? '', denied])).toEqual(
        ['', 'acme', 'umbrella']
          .map((tenant): [string, number] => [
            tenant,
            inRange.filter((one) => one.tenant === tenant && one.denied).length,
          ])
          .filter(([tenant]) => inRange.some((one) => one.tenant === tenant))
          .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)),
      );
      const top = await usage.topOperations({ ...request, limit: 1 });
      expect(top).toHaveLength(1);
      const ranked = (names: readonly string[], nameOf: (one: UsedOperation) => string) =>
        names
          .map((name): [string, number] => [name, inRange.filter((one) => nameOf(one) === name).length])
          .filter(([, requests]) => requests > 0)
          .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
      const integrations = await usage.topIntegrations(request);
      expect(integrations.map(({ integration, requests }) => [integration ?? '', requests])).toEqual(
        ranked(['', 'api', 'ext-authz'], ({ integration }) => integration),
      );
      expect(sum(integrations, 'share')).toBeCloseTo(1);
      const regions = await usage.topRegions(request);
      expect(regions.map(({ region, requests }) => [region ?? '', requests])).toEqual(
        ranked(['', 'eu', 'us'], ({ region }) => region),
      );
      const fields = await usage.topFields({ ...request, orderBy: 'ACTUAL_COST' });
      const admitted = inRange.filter(({ denied }) => !denied);
      const spent = admitted.flatMap((one) => one.fields).reduce((total, field) => total + field.actual, 0);
      expect(sum(fields, 'actualCost')).toBe(spent);
    }
  });

  it('callers are ranked by weekly sums where these are complete, with the same result as by daily sums', async () => {
    const tables: string[] = [];
    const listening = listenTo(db, (sql) => tables.push(...(sql.match(/usage_(subject_)?(day|week)\b/g) ?? [])));
    const parts: RangePart[] = [{ ...range('2026-01-20', '2026-03-20'), level: 'day' }];
    const completeFrom = (bucket: string) =>
      db.query(`update usage_partitioned set complete_from = $1::timestamptz where parent = 'usage_subject_week'`, [
        bucket,
      ]);
    for (const filter of FILTERS) {
      const request = { parts, filter, orderBy: 'ACTUAL_COST', limit: 1000 } as const;
      const ranked: unknown[] = [];
      for (const [bucket, isByWeek] of [
        ['epoch', filter.operation === undefined],
        ['2026-03-05', filter.operation === undefined],
        ['2026-04-02', false],
      ] as const) {
        await completeFrom(bucket);
        tables.length = 0;
        const reader = createUsageReader(listening);
        ranked.push([await reader.topSubjects(request), await reader.topTenants(request)]);
        expect(tables.includes('usage_subject_week')).toBe(isByWeek);
      }
      await completeFrom('epoch');
      expect(ranked[0]).toEqual(ranked[2]);
      expect(ranked[1]).toEqual(ranked[2]);
    }
  });

  it('with every filter, each denial is listed once, newest first', async () => {
    const denied = within(ALL).filter((one) => one.denied || one.shadowDenied);
    const cases = [
      { filter: {}, expected: denied },
      { filter: { shadow: true }, expected: denied.filter((one) => one.shadowDenied) },
      {
        filter: { rule: 'search', shadow: false },
        expected: denied.filter((one) => one.denied && one.rules[0] === 'search'),
      },
      { filter: { user: '1' }, expected: denied.filter((one) => matches(one, { user: '1' })) },
      { filter: { apiKey: '1' }, expected: denied.filter((one) => matches(one, { apiKey: '1' })) },
      {
        filter: { ip: '1', tenant: 'acme' },
        expected: denied.filter((one) => matches(one, { ip: '1', tenant: 'acme' })),
      },
      { filter: { operation: 'Search' }, expected: denied.filter((one) => one.operation === 'Search') },
      { filter: { integration: 'api' }, expected: denied.filter((one) => one.integration === 'api') },
    ];
    for (const { filter, expected } of cases) {
      const found = [];
      for (;;) {
        const page = await usage.denials({ range: ALL, filter, after: found.at(-1), limit: 7 });
        found.push(...page);
        if (page.length < 7) break;
      }
      const times = expected.map(({ at }) => at.getTime()).sort((a, b) => b - a);
      expect(found.map(({ at }) => at.getTime())).toEqual(times);
      expect(new Set(found.map(({ id }) => id)).size).toBe(expected.length);
    }
    const [first] = await usage.denials({ range: ALL, filter: { shadow: false }, after: undefined, limit: 1 });
    expect(first).toMatchObject({
      code: 'THROTTLED',
      limit_amount: 100,
      used: 90,
      remaining: 10,
      retry_after_ms: 1500,
    });
  });

  it('violations are counted for each rule and caller, and listed once each, largest first', async () => {
    const parts = partsOfRange(ALL, 'day');
    const violated = within(alignRange(ALL, 'day')).filter((one) => one.denied || one.shadowDenied);
    const found = [];
    for (;;) {
      const last = found.at(-1);
      const after = last && { ...last, count: last.denied + last.shadowDenied };
      const page = await usage.violations({ parts, filter: {}, after, limit: 5 });
      found.push(...page);
      if (page.length < 5) break;
    }
    const counts = found.map((one) => one.denied + one.shadowDenied);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(new Set(found.map(({ ruleId, subjectId }) => `${ruleId} ${subjectId}`)).size).toBe(found.length);
    expect(counts.reduce((a, b) => a + b, 0)).toBe(violated.length);
    const ofUser = await usage.violations({
      parts,
      filter: { rule: 'search', user: '1' },
      after: undefined,
      limit: 50,
    });
    const expected = violated.filter((one) => one.rules[0] === 'search' && matches(one, { user: '1' }));
    expect(sum(ofUser, 'denied') + sum(ofUser, 'shadowDenied')).toBe(expected.length);
  });

  it('the stored denials of a rule and a caller are grouped by operation, with the time of the last one', async () => {
    const stored = operations.filter((one) => one.denied || one.shadowDenied);
    const subjectOf = ({ kind, name, tenant }: UsedOperation) => ({ kind, name, tenant: tenant || null });
    const groups = [
      ...new Map(
        stored.map((one) => {
          const group = { rule: one.rules[0]!, subject: subjectOf(one) };
          return [JSON.stringify(group), group] as const;
        }),
      ).values(),
      { rule: 'search', subject: { kind: 'USER' as const, name: 'unknown', tenant: null } },
      { rule: 'search', subject: { kind: 'OTHER' as const, name: null, tenant: null } },
    ];
    const found = await usage.deniedOperations(groups, ALL);
    for (const [place, { rule, subject }] of groups.entries()) {
      const ofGroup = stored.filter(
        (one) => one.rules[0] === rule && JSON.stringify(subjectOf(one)) === JSON.stringify(subject),
      );
      const rows = found.filter((row) => row.place === place);
      const lastOf = (list: UsedOperation[]) => new Date(Math.max(...list.map(({ at }) => at.getTime())));
      expect(rows.map(({ operation, stored, lastAt }) => [operation.name, stored, lastAt]).sort()).toEqual(
        [...new Set(ofGroup.map(({ operation }) => operation))]
          .map((name) => {
            const same = ofGroup.filter(({ operation }) => operation === name);
            return [name, same.length, lastOf(same)];
          })
          .sort(),
      );
      expect(rows.map(({ stored }) => stored)).toEqual(rows.map(({ stored }) => stored).sort((a, b) => b - a));
      for (const row of rows) expect(row.groupLastAt).toEqual(lastOf(ofGroup));
    }
    const nothing = range('2026-03-01T22:30:00Z', '2026-03-01T22:30:00.001Z');
    expect(await usage.deniedOperations(groups, nothing)).toEqual([]);
  });

  it('estimated and actual cost are compared for operations, largest difference first, and for single fields', async () => {
    const parts = partsOfRange(ALL, 'day');
    const admitted = operations.filter(({ denied }) => !denied);
    const drift = await usage.operationDrift({ parts, filter: {}, limit: 10 });
    expect(sum(drift, 'requests')).toBe(admitted.length);
    expect(sum(drift, 'estimatedCost')).toBe(admitted.reduce((total, one) => total + one.estimated, 0));
    const off = drift.map((one) => Math.abs(one.estimatedCost - one.actualCost));
    expect(off).toEqual([...off].sort((a, b) => b - a));
    const fields = await usage.fieldDrift({ parts, filter: {}, limit: 10 });
    expect(fields.find(({ field }) => field === 'Query.countries')).toMatchObject({
      estimatedCalls: admitted.length,
      actualCost: admitted.length * 4,
    });
  });

  it('the usage of many users and tenants is read in one statement', async () => {
    const owners = [
      { user: '1', tenant: 'acme' },
      { user: null, tenant: 'acme' },
      { user: '1', tenant: null },
      { user: 'nobody', tenant: null },
    ];
    const rows = await usage.ownerUsage(owners, { range: alignRange(ALL, 'day'), level: 'day', limit: 100 });
    const requests = owners.map((_, index) =>
      sum(
        rows.filter(({ owner }) => owner === index),
        'requests',
      ),
    );
    const count = (filter: (one: UsedOperation) => boolean) => operations.filter(filter).length;
    expect(requests).toEqual([
      count((one) => one.kind === 'USER' && one.name === '1' && one.tenant === 'acme'),
      count((one) => one.tenant === 'acme'),
      count((one) => one.kind === 'USER' && one.name === '1' && one.tenant === ''),
      0,
    ]);
  });
});

function sum<Name extends string>(rows: readonly { [Key in Name]: number | null }[], name: Name): number {
  return rows.reduce((total, row) => total + (row[name] ?? 0), 0);
}
