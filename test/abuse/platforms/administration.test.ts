import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mayDo, requiredRoleOf } from '../../../src/admin/context/check-role.js';
import { createAdminSchema } from '../../../src/admin/create-admin-schema.js';
import type { RuleInput } from '../../../src/index.js';
import { selectionOf } from '../../admin/operation-of.js';
import { UNUSED_SOURCES } from '../../admin/unused-sources.js';
import { ADMIN_TOKEN, post } from '../../helpers/platform.js';
import { until } from '../../helpers/until.js';
import { type AbuseApi, countCases, STACKS, serveAbuseApi } from '../serve.js';
import { ON_SERVERS, type OpenPlatform, PLATFORMS } from './platforms.js';

const QUERY = '{ country(code: "SE") { name } }';
const schema = createAdminSchema(UNUSED_SOURCES);
const FIELDS = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({ field, type: type.name.toLowerCase() })),
);

describe.each(PLATFORMS)('admin API, $on', ({ on, open }) => {
  let opened: OpenPlatform;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  const api = (query = QUERY) => post(`${opened.platform.url}/graphql`, query, { 'graphql-cost': 'report' });
  const admin = (query: string, token = ADMIN_TOKEN, variables: Record<string, unknown> = {}) =>
    post(`${opened.platform.url}/admin/graphql`, { query, variables }, { authorization: `Bearer ${token}` });
  async function change(mutation: string, variables: Record<string, unknown> = {}) {
    const [name] = /\w+/.exec(mutation) ?? [];
    const type = `${name![0]!.toUpperCase()}${name!.slice(1)}Input`;
    const query = `mutation ($input: ${type}!) { ${mutation.replace('{', '(input: $input) { userErrors { message }')} }`;
    const { body } = await admin(query, ADMIN_TOKEN, { input: variables });
    expect(body.errors, JSON.stringify(body.errors)).toBeUndefined();
    return body.data[name!];
  }
  const rule = (more: Partial<Omit<RuleInput, 'limits'>> & { limits?: object[] }) => ({
    name: 'abuse',
    scope: 'GLOBAL',
    field: '*',
    measure: 'REQUESTS',
    limits: [{ fixedWindow: { amount: 1, windowMs: 86_400_000 } }],
    ...more,
  });
  const tokenOf = async (role: string): Promise<string> =>
    (await change('adminTokenCreate { secret }', { name: `${role} ${Math.random()}`, role })).secret;
  /** Returns the fields that a role was denied, from the record of changes, newest first. */
  async function denialsSince(since: string, role: string): Promise<string[]> {
    const record =
      'query ($since: DateTime, $after: String) { changes(first: 100, after: $after, filter: { since: $since, entity: ACCESS }) { nodes { key comment } pageInfo { hasNextPage endCursor } } }';
    const denied: { key: string; comment: string }[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const { body } = await admin(record, ADMIN_TOKEN, { since, after });
      const { nodes, pageInfo } = body.data.changes;
      denied.push(...nodes);
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    }
    return denied.filter(({ comment }) => comment.includes(role)).map(({ key }) => key);
  }

  it.each([
    ['NaN, as JSON writes it', null],
    ['-1', -1],
    ['0', 0],
    ['a fraction', 1.5],
    ['2^31', 2 ** 31],
    ['2^53', 2 ** 53],
    ['1e300', 1e300],
    ['a number as a string', '100'],
    ['Infinity as a string', 'Infinity'],
    ['a list', [1]],
    ['true', true],
  ])('A15: a rule or a caller that has %s in a limit is not saved', async (name, value) => {
    const bucket = { capacity: 10, refillAmount: 1, refillPeriodMs: 1000 };
    const window = { amount: 10, windowMs: 1000 };
    const attempts: [string, string, object][] = [];
    const attemptRule = (limit: object) =>
      attempts.push(['ruleCreate { rule { id } }', 'RuleCreateInput', rule({ limits: [limit] })]);
    for (const member of ['capacity', 'refillAmount', 'refillPeriodMs', 'amount', 'windowMs'] as const) {
      // This value is a valid duration: 25 days.
      if (member.endsWith('Ms') && value === 2 ** 31) continue;
      if (member in window) attemptRule({ fixedWindow: { ...window, [member]: value } });
      else {
        const wrong = { ...bucket, [member]: value };
        attemptRule({ tokenBucket: wrong });
        const input = { user: 'ann', bucket: wrong };
        attempts.push(['subjectSetOverride { subject { id } }', 'SubjectSetOverrideInput', input]);
      }
    }
    for (const [mutation, type, input] of attempts) {
      const query = `mutation ($input: ${type}!) { ${mutation.replace('{', '(input: $input) { userErrors { message }')} }`;
      const { status, body } = await admin(query, ADMIN_TOKEN, { input });
      expect(status).toBeLessThan(500);
      const problems = body.errors ?? Object.values<{ userErrors: unknown[] }>(body.data)[0]!.userErrors;
      expect(problems.length, `${name}: ${JSON.stringify(input)}`).toBeGreaterThan(0);
    }
    const { body } = await admin('{ rules(filter: { nameContains: "abuse" }) { nodes { id } } }');
    expect(body.data.rules.nodes).toEqual([]);
  });

  it('A22: an export escapes names that a spreadsheet would run as formulas', async (context) => {
    const users = ['=cmd|calc!A0', '+1+1', '-1+1', '@SUM(A1)', '\t=1', 'a,b', 'a"b', 'a\nb'];
    for (const user of users) {
      await change('subjectAssignTier { subject { id } }', { user, tier: 'free' });
      const { secret, userErrors } = await change('apiKeyCreate { secret }', { user });
      expect(userErrors, user).toEqual([]);
      const answer = await post(`${opened.platform.url}/graphql`, QUERY, { 'x-api-key': secret });
      expect(answer.status, user).toBe(200);
    }
    const name = '=HYPERLINK("http://evil.example")';
    const { rule: made } = await change('ruleCreate { rule { id } }', rule({ name, mode: 'SHADOW' }));
    expect((await api()).status).toBe(200);
    expect((await api()).status).toBe(200);
    const from = new Date(Date.now() - 3_600_000).toISOString();
    const to = new Date(Date.now() + 3_600_000).toISOString();
    const exported = async (group: string) => {
      const url = `${opened.platform.url}/admin/usage.csv?from=${from}&to=${to}&groupBy=${group}`;
      return (await fetch(url, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })).text();
    };
    await until('the callers are exported', async () => (await exported('CALLER')).includes('SUM'), 30_000);
    await until('the rule is exported', async () => (await exported('RULE')).includes('HYPERLINK'), 30_000);
    for (const group of ['CALLER', 'RULE']) {
      const cells = (await exported(group)).split(/[,\n]/).map((cell) => cell.replace(/^"/, ''));
      for (const cell of cells) expect(cell).not.toMatch(/^[=+@\t\r]|^-\D/);
    }
    await change('ruleRetire { rule { id } }', { id: made.id });
    countCases(context, users.length + 1);
  });

  it('A20: malformed and hostile field patterns are rejected', async (context) => {
    const patterns = [
      '(a+)+$',
      '*.*.*.*',
      'Query.*a*b*c*',
      '[a-z',
      'Query.(x|x)*',
      '..',
      '.',
      'Query.',
      '.search',
      'Query.a.b',
      '*'.repeat(100),
      'Query.\\u0061',
      'Query.näme',
      'a'.repeat(50_000),
      '$where',
      '__proto__',
      '{}',
    ];
    for (const field of patterns) {
      const { userErrors } = await change('ruleCreate { rule { id } }', rule({ field }));
      expect(userErrors.length, field.slice(0, 50)).toBeGreaterThan(0);
    }
    expect((await api()).status).toBe(200);
    countCases(context, patterns.length);
  });

  it('A20: a rule that denies every caller can still be restored and retired', async () => {
    const harmless = rule({ limits: [{ fixedWindow: { amount: 1_000_000, windowMs: 86_400_000 } }] });
    const { rule: made } = await change('ruleCreate { rule { id version } }', harmless);
    expect((await api()).status).toBe(200);
    await change('ruleUpdate { rule { version } }', { id: made.id, limits: rule({}).limits });
    const denied = await api();
    expect(denied.status).toBe(429);
    expect(denied.body.errors[0].extensions.deniedBy).toBe('abuse');

    const health = await admin('{ health { ok } rules(filter: { nameContains: "abuse" }) { nodes { name } } }');
    expect(health.status).toBe(200);
    expect(health.body.data.rules.nodes).toEqual([{ name: 'abuse' }]);
    await change('ruleRestore { rule { version } }', { id: made.id, toVersion: made.version });
    expect((await api()).status).toBe(200);
    await change('ruleUpdate { rule { version } }', { id: made.id, limits: rule({}).limits });
    expect((await api()).status).toBe(429);
    await change('ruleRetire { rule { id } }', { id: made.id });
    expect((await api()).status).toBe(200);
  });

  it.each([
    'VIEWER',
    'OPERATOR',
  ] as const)('A23: a %s can do what their role allows and no more, and each forbidden request is recorded', async (role) => {
    const token = await tokenOf(role);
    const since = new Date().toISOString();
    const denied = new Set<string>();
    for (const { field, type } of FIELDS) {
      const allowed = mayDo(role, requiredRoleOf(field));
      const plain = selectionOf(field);
      // The second selection also contains a permitted field, whose success must not hide the
      // denial.
      const aliased =
        type === 'query'
          ? `harmless: health { ok } ${field.name === 'health' ? 'h: ' : 'health: '}${plain}`
          : `__typename a: ${plain} b: ${plain}`;
      for (const selection of [plain, aliased]) {
        const { status, body } = await admin(`${type} { ${selection} }`, token);
        const codes = (body.errors ?? []).map((error: { extensions: { code: string } }) => error.extensions.code);
        expect(status, field.name).toBeLessThan(500);
        if (allowed) expect(codes, field.name).not.toContain('FORBIDDEN');
        else {
          expect(codes, field.name).toContain('FORBIDDEN');
          expect(status).toBe(403);
          denied.add(field.name);
        }
      }
    }
    const recorded = await denialsSince(since, role);
    expect(recorded.length).toBeGreaterThan(0);
    // Each denial is recorded once, although the field was requested several times in a minute.
    expect(recorded.toSorted()).toEqual([...denied].sort());
  });

  it('A23: a VIEWER cannot fill the record of changes with forbidden requests', async (context) => {
    const token = await tokenOf('VIEWER');
    const since = new Date().toISOString();
    const settings = Array.from({ length: 240 }, (_, index) => `a${index}: settings { name }`).join(' ');
    const tokens = Array.from({ length: 100 }, (_, index) => `a${index}: adminTokens { totalCount }`).join(' ');
    for (const selection of [settings, settings, tokens]) {
      expect((await admin(`{ ${selection} }`, token)).status).toBe(403);
    }
    // If another field of the response has already failed, the server responds before the denial is
    // recorded. So the test polls.
    await until('both denials are recorded', async () => (await denialsSince(since, 'VIEWER')).length >= 2);
    expect(await denialsSince(since, 'VIEWER')).toEqual(['adminTokens', 'settings']);
    countCases(context, 580);
  });

  it('A23: node(id) returns no token of an administrator, whatever the role', async () => {
    const { body } = await admin('{ adminTokens(first: 5) { nodes { id } } }');
    const [{ id }] = body.data.adminTokens.nodes;
    for (const token of [ADMIN_TOKEN, await tokenOf('VIEWER')]) {
      const answer = await admin(`{ node(id: "${id}") { __typename } x: node(id: "${id}") { id } }`, token);
      expect(answer.body.data).toEqual({ node: null, x: null });
    }
  });

  it('A23: requests that another site can make a browser send are rejected', async (context) => {
    const url = `${opened.platform.url}/admin/graphql`;
    const authorization = `Bearer ${ADMIN_TOKEN}`;
    const mutation = JSON.stringify({
      query: 'mutation { tierRetire(input: { name: "pro" }) { userErrors { code } } }',
    });
    const simple = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'];
    for (const type of simple) {
      const answer = await fetch(url, {
        method: 'POST',
        body: mutation,
        headers: { authorization, 'content-type': type },
      });
      expect(answer.status).toBe(415);
      await answer.arrayBuffer();
    }
    const get = await fetch(`${url}?query=${encodeURIComponent('{ health { ok } }')}`, { headers: { authorization } });
    expect(get.status).toBe(400);
    await get.arrayBuffer();
    const search = `?query=${encodeURIComponent(JSON.parse(mutation).query)}`;
    const byGet = await fetch(url + search, { headers: { authorization, 'apollo-require-preflight': '1' } });
    expect(byGet.status).toBe(405);
    await byGet.arrayBuffer();
    const batch = await fetch(url, {
      method: 'POST',
      body: `[${mutation},${mutation}]`,
      headers: { authorization, 'content-type': 'application/json' },
    });
    expect(batch.status).toBe(400);
    await batch.arrayBuffer();
    const preflight = await fetch(url, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    await preflight.arrayBuffer();
    expect((await admin('{ tier(name: "pro") { retiredAt } }')).body.data.tier).toEqual({ retiredAt: null });
    countCases(context, simple.length + 4);
  });

  it('A23: deep and repeated queries are rejected for their price before any data is read', async () => {
    const many = Array.from(
      { length: 60 },
      (_, index) => `u${index}: usage(first: 100, groupBy: [CALLER, OPERATION]) { nodes { __typename } }`,
    );
    const deep =
      '{ subjects(first: 100) { nodes { apiKeys(first: 100) { nodes { history(first: 100) { nodes { differences { path } } } } } } } }';
    for (const query of [`{ ${many.join(' ')} }`, deep]) {
      const { status, body } = await admin(query);
      expect(status).toBe(400);
      expect(body.errors[0].extensions).toMatchObject({ code: 'MAX_COST_EXCEEDED', deniedBy: 'tier:admin' });
    }
  });

  it('A14: guessed admin tokens and malformed requests pay a fee until the budget is used up', async (context) => {
    const token = await tokenOf('VIEWER');
    const broken = await admin('{', token);
    expect(broken.status).toBe(400);
    expect(broken.body.extensions.cost).toMatchObject({ fee: 50, tier: 'admin' });
    const url = `${opened.platform.url}/admin/graphql`;
    const form = await fetch(url, {
      method: 'POST',
      body: 'a=b',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(await form.json()).toMatchObject({ extensions: { cost: { fee: 50, tier: 'admin' } } });

    const first = await admin('{ health { ok } }', 'guess');
    expect(first.status).toBe(401);
    expect(first.body.extensions.cost).toMatchObject({ fee: 50, tier: 'stranger' });
    let guesses = 1;
    const statuses = new Set<number>();
    // The bucket refills the fee of one guess per second meanwhile.
    while (!statuses.has(429) && guesses < 400)
      statuses.add((await admin('{ health { ok } }', `guess-${guesses++}`)).status);
    expect([...statuses].sort()).toEqual([401, 429]);
    // Guesses from the same address do not block an administrator with a token.
    expect((await admin('{ health { ok } }', token)).status).toBe(200);
    countCases(context, guesses + 2);
  });

  // The following tests write to the tables and to the Redis channel. Only a platform on servers
  // allows that.
  if (on !== ON_SERVERS) return;

  it('A15: the database accepts no invalid amount', async (context) => {
    const { db } = opened.servers!;
    const columns = [
      ...['capacity', 'refill_amount', 'refill_period_ms', 'max_cost_per_operation'].map((name) => ['tiers', name]),
      ...['override_capacity', 'override_refill_amount'].map((name) => ['subjects', name]),
      ...['amount', 'window_ms', 'capacity', 'refill_amount', 'lease_ms', 'max_debt'].map((name) => [
        'rule_limits',
        name,
      ]),
    ] as [string, string][];
    const amounts = [`'NaN'`, `'Infinity'`, `'-Infinity'`, '-1', '1e300', `'ten'`, '9223372036854775808'];
    await change('subjectSetOverride { subject { id } }', {
      user: 'bea',
      bucket: { capacity: 5, refillAmount: 1, refillPeriodMs: 1000 },
    });
    for (const [table, column] of columns) {
      for (const amount of amounts) {
        const writing = db.query(`update ${table} set ${column} = ${amount}`);
        await expect(writing, `${table}.${column} = ${amount}`).rejects.toThrow();
      }
    }
    countCases(context, columns.length * amounts.length);
  });

  it.each([
    ['a tier', 'tiers', 'capacity', -1, `name = 'free'`],
    ['a rule', 'rule_limits', 'amount', 0, `rule_id = (select id from rules where name = 'amounts')`],
  ])('A15: an invalid amount of %s in the table is not loaded: the last valid rules stay in force and health reports it', async (_, table, column, amount, which) => {
    const { db } = opened.servers!;
    await change('ruleCreate { rule { id } }', rule({ name: 'amounts', mode: 'SHADOW' }));
    const problems = async () => (await admin('{ health { problems } }')).body.data.health.problems as string[];
    const maximum = async () => (await api()).body.extensions.cost.throttleStatus.maximumAvailable as number;
    const before = await maximum();
    const constraints = await db.query<{ name: string; definition: string }>(
      `select conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
       where conrelid = $1::regclass and contype = 'c' and pg_get_constraintdef(oid) like '%' || $2 || '%'`,
      [table, column],
    );
    const [row] = await db.query<{ amount: number }>(`select ${column} as amount from ${table} where ${which}`);
    for (const { name } of constraints) await db.query(`alter table ${table} drop constraint ${name}`);
    await db.query(`update ${table} set ${column} = ${amount} where ${which}`);
    await until('the problem is reported', async () => (await problems()).join().includes(column), 30_000);
    expect(await maximum()).toBe(before);
    await db.query(`update ${table} set ${column} = ${row!.amount} where ${which}`);
    for (const { name, definition } of constraints) {
      await db.query(`alter table ${table} add constraint ${name} ${definition}`);
    }
    await until('no problem is reported', async () => (await problems()).length === 0, 30_000);
  });

  it('A22: the name of a rule stays a string in one JSON line of the log and cannot forge a line', async () => {
    const { db } = opened.servers!;
    const { platform } = opened;
    const name = '","level":60,"msg":"forged","x":"\\n%{jndi:ldap://x}<script>';
    const { rule: made } = await change('ruleCreate { rule { id } }', rule({ name, mode: 'SHADOW' }));
    expect((await api()).status).toBe(200);
    await db.query('delete from rule_limits where rule_id = (select id from rules where name = $1)', [name]);
    await until('the name is in the log', () => platform.output().includes('forged'), 30_000);
    const lines = platform.output().split('\n');
    const about = lines.filter((line) => line.includes('forged')).map((line) => JSON.parse(line));
    expect(about.length).toBeGreaterThan(0);
    for (const { level, msg } of about) {
      expect(level).toBe(50);
      expect(msg).not.toBe('forged');
    }
    expect(JSON.stringify(about)).toContain('forged');
    await change('ruleRetire { rule { id } }', { id: made.id });
    const health = async () => (await admin('{ health { ok } }')).body.data.health.ok;
    await until('no problem is reported', health, 30_000);
  });

  it('A21: forged and old change messages have no effect, and an invalid row leaves the last valid rules in force', async (context) => {
    const { servers, platform } = opened;
    const { db, redisUrl } = servers!;
    const limits = [{ fixedWindow: { amount: 1_000_000, windowMs: 86_400_000 } }];
    const { rule: made } = await change('ruleCreate { rule { id } }', rule({ name: 'held', scope: 'IP', limits }));
    const remaining = async () => {
      const { status, body } = await api();
      expect(status).toBe(200);
      return body.extensions.cost.limits.find((one: { rule: string }) => one.rule === 'held')?.remaining as
        | number
        | undefined;
    };
    let left = (await remaining())!;
    const redis = new Redis(redisUrl);
    const forged = [
      '0',
      '1',
      '-1',
      '999999999999999',
      '1e309',
      'NaN',
      '{"number":1}',
      '',
      'x'.repeat(100_000),
      '9'.repeat(400),
      '\0',
    ];
    for (const message of forged) {
      expect(await redis.publish('tg:changes', message)).toBeGreaterThan(0);
      expect(await remaining()).toBe(--left);
    }
    // A forged copy of the rules has no effect: instances read a copy only after the database names
    // its number.
    for (const key of await redis.keys('tg:*ruleset*')) await redis.set(key, 'x');
    expect(await remaining()).toBe(--left);

    const [row] = await db.query<{ id: number }>(`select id from rules where name = 'held'`);
    await db.query('delete from rule_limits where rule_id = $1', [row!.id]);
    const readyz = async () => (await (await fetch(`${platform.url}/readyz`)).json()) as { degraded?: string[] };
    await until(
      'the problem is reported',
      async () => ((await readyz()).degraded ?? []).some((one) => one.includes('held')),
      30_000,
    );
    expect(await (await fetch(`${platform.url}/metrics`)).text()).toMatch(/^tollgate_ruleset_invalid 1$/m);
    expect(await remaining()).toBe(--left);
    const { body } = await admin('{ health { ok problems } }');
    expect(body.data.health).toMatchObject({ ok: false, problems: [expect.stringContaining('held')] });
    await change('ruleRetire { rule { id } }', { id: made.id });
    await until('no problem is reported', async () => (await readyz()).degraded === undefined, 30_000);
    expect(await remaining()).toBeUndefined();
    await redis.quit();
    countCases(context, forged.length + 2);
  });
});

describe.each(STACKS)('many rules, $stack', ({ redis }) => {
  const opened: AbuseApi[] = [];
  afterEach(async () => {
    for (const api of opened.splice(0)) await api.close();
  });

  it('A20: if only one of 10,000 rules matches the operation, only this rule limits it', async (context) => {
    const window = { algorithm: 'FIXED_WINDOW' as const, amount: 2, windowMs: 86_400_000 };
    const others = Array.from({ length: 10_000 }, (_, index): RuleInput => {
      const common = { name: `rule ${index}`, scope: 'USER' as const, measure: 'CALLS' as const, limits: [window] };
      if (index % 4 === 0) return { ...common, field: `T${index}.*` };
      if (index % 4 === 1)
        return { ...common, field: 'Query.item', match: { addresses: [`10.${index >> 8}.${index & 255}.0/24`] } };
      if (index % 4 === 2) return { ...common, field: 'Query.item', match: { clients: [`client ${index}`] } };
      return { ...common, field: `Query.field${index}` };
    });
    const own: RuleInput = { name: 'own', scope: 'USER', field: 'Query.item', measure: 'CALLS', limits: [window] };
    const url = redis();
    const api = await serveAbuseApi({ rules: [...others, own], ...(url !== undefined && { redis: url }) });
    opened.push(api);
    for (const left of [1, 0]) {
      const { body } = await api.attempt({ query: '{ item { id } }' });
      expect(body.extensions.cost.limits).toMatchObject([{ rule: 'own', remaining: left }]);
    }
    const { status, body } = await api.attempt({ query: '{ item { id } }' });
    expect(status).toBe(429);
    expect(body.errors[0].extensions.deniedBy).toBe('own');
    countCases(context, 10_001);
  });
});
