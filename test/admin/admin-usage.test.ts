import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toGlobalId } from '../../src/admin/schema/to-global-id.js';
import { migrate } from '../../src/postgres/migrate.js';
import {
  AccuracyDocument,
  DenialsDocument,
  DeniedDocumentDocument,
  OperationSpreadsDocument,
  RulesWithEffectDocument,
  SubjectsWithUsageDocument,
  TopPageDocument,
  TopsDocument,
  TypedDocumentString,
  UsageDocument,
  ViolationsDocument,
} from '../generated/graphql.js';
import { openServerDatabase, type TestDatabase } from '../postgres/databases.js';
import { storeUsage, type UsedOperation, usedOperations } from '../usage/stored-usage.js';
import { type AdminWorld, ANN, createAdminWorld } from './admin-world.js';

const DAY_MS = 86_400_000;
const LAST_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS;
/** The last two complete days in UTC. */
const RANGE = { from: new Date(LAST_MS - 2 * DAY_MS).toISOString(), to: new Date(LAST_MS).toISOString() };
let opened: TestDatabase;
let world: AdminWorld;
let operations: UsedOperation[];
beforeAll(async () => {
  opened = await openServerDatabase();
  await migrate(opened.db);
  operations = usedOperations(300, { from: new Date(RANGE.from), to: new Date(RANGE.to) });
  await opened.db.tx((tx) => storeUsage(tx, operations));
  world = await createAdminWorld(opened.db);
  await world.store.createTier(
    { name: 'free', capacity: 10, refillAmount: 1, refillPeriodMs: 1000, isDefault: true },
    ANN,
  );
  for (const user of ['1', '2', '3']) await world.store.upsertSubject({ user, tenant: 'acme', tier: 'free' }, ANN);
  await world.store.upsertSubject({ tenant: 'acme', tier: 'free' }, ANN);
});
afterAll(() => opened.dispose());

const codeOf = ({ errors }: { errors?: readonly { extensions?: Record<string, unknown> }[] }) =>
  errors?.[0]?.extensions?.['code'];

describe('usage over the admin API', () => {
  it('a viewer reads usage in buckets, page by page', async () => {
    const seen = [];
    let after: string | undefined;
    for (;;) {
      const variables = {
        range: RANGE,
        bucket: 'HOUR',
        groupBy: ['CALLER'],
        first: 50,
        ...(after && { after }),
      } as const;
      const { data, errors } = await world.run(UsageDocument, { ...variables, groupBy: ['CALLER'] }, 'VIEWER');
      expect(errors).toBeUndefined();
      seen.push(...data!.usage.nodes);
      if (!data!.usage.pageInfo.hasNextPage) break;
      after = data!.usage.pageInfo.endCursor!;
    }
    expect(seen.reduce((sum, { requests }) => sum + requests, 0)).toBe(operations.length);
    expect(seen[0]).toMatchObject({ caller: { kind: expect.any(String) }, tenant: null, operation: null });
    expect(Date.parse(seen[0]!.to) - Date.parse(seen[0]!.from)).toBe(3_600_000);
  });

  it('usage chooses buckets that fit the range, and extends the range to whole buckets', async () => {
    const lengths = [];
    for (const hours of [2, 24, 30 * 24]) {
      const to = new Date(Date.parse(RANGE.from) + 30 * 3_600_000 + 1);
      const from = new Date(to.getTime() - hours * 3_600_000);
      const { data } = await world.run(UsageDocument, { range: { from: from.toISOString(), to: to.toISOString() } });
      const [first] = data!.usage.nodes;
      lengths.push(Date.parse(first!.to) - Date.parse(first!.from));
    }
    expect(lengths).toEqual([60_000, 3_600_000, 86_400_000]);
  });

  it.each([
    ['a range that ends before it begins', { range: { from: RANGE.to, to: RANGE.from } }, /from. before/],
    ['more minutes than a day has', { range: RANGE, bucket: 'MINUTE' as const }, /25 hours for the bucket MINUTE/],
    [
      'more hours than the longest month has',
      { range: { from: '2026-10-01T00:00:00+02:00', to: '2026-11-01T00:01:00+01:00' }, bucket: 'HOUR' as const },
      /at most 31 days and 1 hour for the bucket HOUR, got 31 days and 1 hour and 1 minute/,
    ],
    ['more than 400 days', { range: { from: '2020-01-01T00:00:00.000Z' } }, /400 days/],
    [
      'a field together with other groups',
      { groupBy: ['FIELD' as const, 'TIER' as const] },
      /FIELD cannot be combined/,
    ],
    ['a filter by user in groups by rule', { groupBy: ['RULE' as const], filter: { user: '1' } }, /filter.user/],
    ['a filter by a user and an address', { filter: { user: '1', ip: '::1' } }, /one of user, apiKey and ip/],
    ['an empty name', { filter: { user: '' } }, /filter.user/],
    ['pages of no length', { first: 0 }, /first/],
    ['pages too long', { first: 101 }, /first/],
    ['the cursor of another list', { after: Buffer.from('at:[1,2,3]').toString('base64url') }, /endCursor/],
  ])('usage rejects %s', async (_, variables, message) => {
    const result = await world.run(UsageDocument, variables);
    expect(codeOf(result)).toBe('BAD_USER_INPUT');
    expect(result.errors?.[0]?.message).toMatch(message);
  });

  it.each([
    ['a month in which clocks go back, by the hour', '2026-10-01T00:00:00+02:00', '2026-11-01T00:00:00+01:00', 'HOUR'],
    ['a day of 25 hours, by the minute', '2026-10-25T00:00:00+02:00', '2026-10-26T00:00:00+01:00', 'MINUTE'],
  ] as const)('usage accepts %s', async (_, from, to, bucket) => {
    const { data, errors } = await world.run(UsageDocument, { range: { from, to }, bucket });
    expect(errors).toBeUndefined();
    expect(data!.usage.nodes).toEqual([]);
  });

  it('the top lists name the largest consumers, tenants, operations and fields', async () => {
    const { data, errors } = await world.run(TopsDocument, { range: RANGE, first: 3, orderBy: 'REQUESTS' });
    expect(errors).toBeUndefined();
    expect(data!.topCallers.nodes).toHaveLength(3);
    expect(data!.topTenants.nodes.reduce((sum, { requests }) => sum + requests, 0)).toBe(operations.length);
    expect(data!.topFields.nodes[0]).toMatchObject({ field: 'Query.countries', requests: operations.length });
    expect(codeOf(await world.run(TopsDocument, { range: RANGE, first: 0 }))).toBe('BAD_USER_INPUT');
  });

  it.each([1, 3])('rankings in pages of %s equal the whole ranking, and their shares add up to 1', async (first) => {
    const orderBy = 'DENIED' as const;
    const whole = (await world.run(TopPageDocument, { range: RANGE, first: 100, orderBy })).data!;
    const seen = { topCallers: [] as unknown[], topTenants: [] as unknown[] };
    let after: { callers?: string; tenants?: string } = {};
    for (let more = true; more; ) {
      const { data, errors } = await world.run(TopPageDocument, { range: RANGE, first, orderBy, ...after });
      expect(errors).toBeUndefined();
      const { topCallers, topTenants } = data!;
      // The page after the end of a list is empty.
      seen.topCallers.push(...topCallers.nodes);
      seen.topTenants.push(...topTenants.nodes);
      more = topCallers.pageInfo.hasNextPage || topTenants.pageInfo.hasNextPage;
      const endOf = (page: { pageInfo: { endCursor?: string | null } }, before: string | undefined) =>
        page.pageInfo.endCursor ?? before;
      const callers = endOf(topCallers, after.callers);
      const tenants = endOf(topTenants, after.tenants);
      after = { ...(callers && { callers }), ...(tenants && { tenants }) };
    }
    expect(seen.topCallers).toEqual(whole.topCallers.nodes);
    expect(seen.topTenants).toEqual(whole.topTenants.nodes);
    expect(whole.topCallers.nodes.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
    for (const wrong of ['1', 'a,b', '1,x', '9'.repeat(17)]) {
      const callers = Buffer.from(`at:${wrong}`).toString('base64url');
      expect(codeOf(await world.run(TopPageDocument, { range: RANGE, callers }))).toBe('BAD_USER_INPUT');
    }
  });

  it('`denials` lists each denial with its numbers, page by page', async () => {
    const denied = operations.filter((one) => one.denied && one.tenant === 'acme');
    const filter = { tenant: 'acme', shadow: false };
    const first = await world.run(DenialsDocument, { range: RANGE, filter, first: 2 }, 'VIEWER');
    expect(first.data!.denials.nodes[0]).toMatchObject({
      code: 'THROTTLED',
      shadow: false,
      caller: { tenant: 'acme' },
      limit: 100,
      used: 90,
      remaining: 10,
      retryAfterMs: 1500,
      scope: 'USER',
    });
    const after = first.data!.denials.pageInfo.endCursor!;
    const rest = await world.run(DenialsDocument, { range: RANGE, filter, first: 100, after });
    expect(rest.data!.denials.nodes).toHaveLength(denied.length - 2);
    const foreign = Buffer.from('at:1').toString('base64url');
    expect(codeOf(await world.run(DenialsDocument, { range: RANGE, after: foreign }))).toBe('BAD_USER_INPUT');
  });

  it('a viewer sees the stored documents of a page of denials, with one more statement', async () => {
    const [kept, gone] = ['k'.repeat(22), 'g'.repeat(22)];
    await opened.db.query(`insert into denied_documents (hash, text) values ($1, 'query Kept { a }')`, [kept]);
    await opened.db.query(
      `update events set document = case when user_id = '1' then $1 else $2 end, variables = '{"first":20}'
       where user_id in ('1', '2') and tenant_id = 'acme'`,
      [kept, gone],
    );
    world.statements.length = 0;
    const { data } = await world.run(
      DenialsDocument,
      { range: RANGE, filter: { tenant: 'acme' }, first: 100 },
      'VIEWER',
    );
    // There is one statement each for the denials, their callers, their rules and their documents.
    expect(world.statements).toHaveLength(4);
    const of = (user: string | null) => data!.denials.nodes.filter(({ caller }) => caller.user === user);
    expect(of('1').length).toBeGreaterThan(0);
    for (const { document, variables } of of('1')) {
      expect({ document, variables }).toEqual({
        document: { id: kept, text: 'query Kept { a }' },
        variables: { first: 20 },
      });
    }
    for (const { document } of of('2')) expect(document).toBeNull();
    for (const { document, variables } of of(null)) expect([document, variables]).toEqual([null, null]);
    const found = await world.run(DeniedDocumentDocument, { id: kept }, 'VIEWER');
    expect(found.data!.deniedDocument).toEqual({ id: kept, text: 'query Kept { a }' });
    expect((await world.run(DeniedDocumentDocument, { id: gone }, 'VIEWER')).data).toEqual({ deniedDocument: null });
    await opened.db.query('update events set document = null, variables = null');
  });

  it('`violations` lists the callers that each rule denied, page by page', async () => {
    const violated = operations.filter((one) => one.denied || one.shadowDenied);
    const first = await world.run(ViolationsDocument, { range: RANGE, first: 3 });
    const after = first.data!.violations.pageInfo.endCursor!;
    const rest = await world.run(ViolationsDocument, { range: RANGE, first: 100, after });
    const all = [...first.data!.violations.nodes, ...rest.data!.violations.nodes];
    expect(all.reduce((sum, one) => sum + one.denied + one.shadowDenied, 0)).toBe(violated.length);
    expect(all.reduce((sum, one) => sum + one.share, 0)).toBeCloseTo(1);
  });

  it('`violations` names the operations of stored denials and the time of the last denial, with one more statement', async () => {
    world.statements.length = 0;
    const { data } = await world.run(ViolationsDocument, { range: RANGE, first: 100 }, 'VIEWER');
    // There is one statement each for the violations, their rules and their stored denials.
    expect(world.statements).toHaveLength(3);
    const { nodes } = data!.violations;
    expect(nodes.length).toBeGreaterThan(1);
    for (const { ruleName, caller, operations: found, lastAt, denied, shadowDenied } of nodes) {
      const kind = caller.kind === 'ANONYMOUS' ? 'IP' : caller.kind;
      const stored = operations.filter(
        (one) =>
          (one.denied || one.shadowDenied) &&
          one.rules[0] === ruleName &&
          one.kind === kind &&
          one.name === caller.name &&
          one.tenant === (caller.tenant ?? ''),
      );
      expect(found.reduce((sum, one) => sum + one.stored, 0)).toBe(denied + shadowDenied);
      expect(new Set(found.map(({ operation }) => operation.name))).toEqual(
        new Set(stored.map(({ operation }) => operation)),
      );
      expect(Date.parse(lastAt!)).toBe(Math.max(...stored.map(({ at }) => at.getTime())));
      expect(found.map((one) => Date.parse(one.lastAt))).toContain(Date.parse(lastAt!));
    }
  });

  it('denials contain their callers with the stored subject, with one additional statement', async () => {
    const filter = { tenant: 'acme', user: '1' };
    world.statements.length = 0;
    const { data } = await world.run(DenialsDocument, { range: RANGE, filter, first: 100 }, 'VIEWER');
    // There is one statement each for the denials, their callers and their rules.
    expect(world.statements).toHaveLength(3);
    const stored = await world.store.getSubject({ user: '1', tenant: 'acme' });
    const callers = data!.denials.nodes.map(({ caller }) => caller);
    expect(callers.length).toBeGreaterThan(0);
    for (const caller of callers) {
      expect(caller).toMatchObject({ kind: 'USER', name: '1', user: '1', tenant: 'acme' });
      expect(caller.subject).toEqual({ id: toGlobalId('Subject', stored!.id) });
    }
    const rest = await world.run(DenialsDocument, { range: RANGE, first: 100 });
    const unknown = rest.data!.denials.nodes.filter(({ caller }) => caller.kind === 'ANONYMOUS');
    expect(unknown.length).toBeGreaterThan(0);
    for (const { caller } of unknown) expect(caller).toMatchObject({ name: caller.ip, user: null });
  });

  it('rules list their denials and violations, in as many statements for a hundred rules as for one', async () => {
    const names = [...new Set(operations.flatMap(({ rules }) => rules))].filter((name) => !name.startsWith('tier:'));
    const limits = [{ algorithm: 'FIXED_WINDOW' as const, amount: 5, windowMs: 1000 }];
    const rule = { scope: 'USER' as const, field: '*', limits };
    for (const name of names) expect((await world.store.createRule({ ...rule, name }, ANN)).ok).toBe(true);
    const count = async (variables: object) => {
      world.statements.length = 0;
      const { data, errors } = await world.run(RulesWithEffectDocument, { range: RANGE, ...variables }, 'VIEWER');
      expect(errors).toBeUndefined();
      return { statements: world.statements.length, rules: data!.rules.nodes };
    };
    const one = await count({ first: 1, page: 100 });
    const all = await count({ first: 100, page: 100 });
    expect(all.statements).toBe(one.statements);
    // There is one statement each for the rules, their usage, numbers of denials, violations and
    // denials.
    expect(all.statements).toBe(5);
    for (const { name, ...effect } of all.rules) {
      const ofRule = operations.filter(({ rules }) => rules.includes(name));
      // If several rules deny an operation, the denial names the first one.
      const denied = operations.filter((each) => (each.denied || each.shadowDenied) && each.rules[0] === name);
      const shadow = denied.filter((each) => each.shadowDenied && !each.denied).length;
      expect(effect.usage.nodes.reduce((sum, { requests }) => sum + requests, 0)).toBe(ofRule.length);
      expect(effect.shadowDenied).toBe(shadow);
      expect(effect.denied).toBe(denied.length - shadow);
      expect(effect.denials.nodes).toHaveLength(Math.min(100, denied.length));
      const violations = effect.violations.nodes;
      expect(violations.reduce((sum, each) => sum + each.denied + each.shadowDenied, 0)).toBe(denied.length);
      if (denied.length > 0) expect(violations.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
      expect(new Set(violations.map(({ ruleName }) => ruleName))).toEqual(new Set(denied.length > 0 ? [name] : []));
    }
    // All pages together equal the whole lists.
    const whole = all.rules.find(({ denials }) => denials.nodes.length > 3)!;
    const seen = { denials: [] as unknown[], violations: [] as unknown[] };
    let after: { denials?: string; violations?: string } = {};
    for (let more = true; more; ) {
      const page = (await count({ first: 100, page: 3, ...after })).rules.find(({ name }) => name === whole.name)!;
      seen.denials.push(...page.denials.nodes);
      seen.violations.push(...page.violations.nodes);
      more = page.denials.pageInfo.hasNextPage || page.violations.pageInfo.hasNextPage;
      const denials = page.denials.pageInfo.endCursor ?? after.denials;
      const violations = page.violations.pageInfo.endCursor ?? after.violations;
      after = { ...(denials && { denials }), ...(violations && { violations }) };
    }
    expect(seen).toEqual({ denials: whole.denials.nodes, violations: whole.violations.nodes });
  });

  it('denials link to the current version of their rules, in one statement for all denials', async () => {
    world.statements.length = 0;
    const { data } = await world.run(DenialsDocument, { range: RANGE, first: 100 }, 'VIEWER');
    // There is one statement each for the denials, their callers and their rules.
    expect(world.statements).toHaveLength(3);
    const { nodes } = data!.denials;
    expect(nodes.filter(({ rule }) => rule !== null).length).toBeGreaterThan(0);
    for (const { ruleName, rule } of nodes) {
      expect(rule).toEqual(ruleName.startsWith('tier:') ? null : { name: ruleName, version: 1 });
    }
  });

  it('`topOperations` reports the spread of the costs of single runs, in one statement for all operations', async () => {
    await opened.db.query(
      `insert into decisions (at, tier, operation_type, operation_name, verdict, denied_by, degraded, estimated_cost,
         actual_cost, duration_ms, fields)
       select $1::timestamptz - n * interval '1 second', 'free', 'QUERY', case when n % 2 = 0 then 'Search' end,
         case when n > 100 then 'THROTTLED' else 'ADMITTED' end, case when n > 100 then 'tier:free' end, false,
         1000, case when n > 100 then null else n end, 2 * n, '{}'
       from generate_series(1, 120) n`,
      [RANGE.to],
    );
    const count = async (first: number) => {
      world.statements.length = 0;
      const { data, errors } = await world.run(OperationSpreadsDocument, { range: RANGE, first }, 'VIEWER');
      expect(errors).toBeUndefined();
      expect(world.statements).toHaveLength(2);
      return data!.topOperations.nodes;
    };
    await count(1);
    const all = new Map((await count(100)).map(({ operation, spread }) => [operation.name, spread]));
    expect(all.get('Search')).toEqual({
      decisions: 50,
      p50Cost: 50,
      p95Cost: 96,
      p50DurationMs: 100,
      p95DurationMs: 192,
    });
    expect(all.get(null)).toMatchObject({ decisions: 50, p50Cost: 49, p95Cost: 95 });
    expect(all.get('Home')).toBeNull();
    // Several ranges in one operation are rejected, because each needs a separate read.
    world.statements.length = 0;
    const ranges = [1, 2, 3].map(
      (hour) => `r${hour}: spread(range: { from: "2026-01-01T0${hour}:00:00Z" }) { p95Cost }`,
    );
    const many = new TypedDocumentString<object, Record<string, never>>(
      `query ($from: DateTime!) { topOperations(first: 1, range: { from: $from }) { nodes { ${ranges.join(' ')} } } }`,
    );
    const result = await world.run(many as never, { from: RANGE.from });
    expect(codeOf(result)).toBe('BAD_USER_INPUT');
    expect(world.statements).toHaveLength(1);
  });

  it('`fieldAccuracy` suggests a list size where lists are shorter than assumed', async () => {
    const { data, errors } = await world.run(AccuracyDocument, { range: RANGE, first: 10 });
    expect(errors).toBeUndefined();
    expect(data!.operationAccuracy.reduce((sum, { requests }) => sum + requests, 0)).toBe(
      operations.filter(({ denied }) => !denied).length,
    );
    const borders = data!.fieldAccuracy.find(({ field }) => field === 'Country.borders')!;
    // packages/platform/schema/demo.graphql assumes 16 neighbours.
    const { estimatedCostPerCall, actualCostPerCall, assumedSize, suggestedAssumedSize } = borders;
    expect(assumedSize).toBe(16);
    expect(suggestedAssumedSize).toBe(Math.ceil((16 * actualCostPerCall!) / estimatedCostPerCall!));
    // Arguments determine the length of the list of countries, so it has no assumed size.
    const countries = data!.fieldAccuracy.find(({ field }) => field === 'Query.countries')!;
    expect(countries).toMatchObject({ assumedSize: null, suggestedAssumedSize: null, suggestedWeight: null });
  });

  it('the usage of a page of subjects is read in one statement', async () => {
    world.statements.length = 0;
    const variables = { range: RANGE, bucket: 'DAY' as const, first: 10, usages: 1 };
    const { data, errors } = await world.run(SubjectsWithUsageDocument, variables, 'VIEWER');
    expect(errors).toBeUndefined();
    expect(world.statements).toHaveLength(2);
    const tenant = data!.subjects.nodes.find(({ caller }) => caller.user === null)!;
    expect(tenant.usage.pageInfo.hasNextPage).toBe(true);
    const after = tenant.usage.pageInfo.endCursor!;
    const rest = await world.run(SubjectsWithUsageDocument, { ...variables, usages: 100, after });
    const more = rest.data!.subjects.nodes.find(({ caller }) => caller.user === null)!;
    const all = [...tenant.usage.nodes, ...more.usage.nodes];
    expect(all.reduce((sum, { requests }) => sum + requests, 0)).toBe(
      operations.filter((one) => one.tenant === 'acme').length,
    );
  });
});
