import { readFileSync } from 'node:fs';
import { buildSchema } from 'graphql';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { mayDo } from '../../src/admin/roles.js';
import type { RuleInput } from '../../src/index.js';
import { selectionOf } from '../admin/operation-of.js';
import { ADMIN_TOKEN, post } from '../helpers/platform.js';
import { until } from '../helpers/until.js';
import { type OpenPlatform, PLATFORMS } from './platforms.js';
import { type AbuseApi, countCases, STACKS, serveAbuseApi } from './serve.js';

const QUERY = '{ country(code: "SE") { name } }';
const schema = buildSchema(readFileSync(new URL('../../schema/admin.graphql', import.meta.url), 'utf8'));
const FIELDS = [schema.getQueryType()!, schema.getMutationType()!].flatMap((type) =>
  Object.values(type.getFields()).map((field) => ({ field, type: type.name.toLowerCase() })),
);

describe.each(PLATFORMS)('the administration, $on', ({ on, open }) => {
  let opened: OpenPlatform;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());

  const api = (query = QUERY) => post(`${opened.platform.url}/graphql`, query);
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
  const rule = (more: Partial<RuleInput>) => ({
    name: 'abuse',
    scope: 'GLOBAL',
    field: '*',
    measure: 'REQUESTS',
    limits: [{ algorithm: 'FIXED_WINDOW', amount: 1, windowMs: 86_400_000 }],
    ...more,
  });
  const tokenOf = async (role: string): Promise<string> =>
    (await change('adminTokenCreate { secret }', { name: `${role} ${Math.random()}`, role })).secret;

  it('A20: patterns meant to blow up are no patterns', async (context) => {
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

  it('A20: a rule that denies everyone denies nobody the way to take it back', async () => {
    const harmless = rule({ limits: [{ algorithm: 'FIXED_WINDOW', amount: 1_000_000, windowMs: 86_400_000 }] });
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
  ] as const)('A23: a %s does what he may, by no other way more, and what he is denied is on record', async (role) => {
    const token = await tokenOf(role);
    const since = new Date().toISOString();
    let denials = 0;
    for (const { field, type } of FIELDS) {
      const allowed = mayDo(role, field.name);
      const plain = selectionOf(field);
      // Beside something he may ask for, so that one denial cannot hide behind the other's success.
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
          denials += codes.length;
        }
      }
    }
    const record =
      'query ($since: DateTime, $after: String) { changes(first: 100, after: $after, filter: { since: $since }) { nodes { action comment } pageInfo { hasNextPage endCursor } } }';
    let recorded = 0;
    for (let after: string | null | undefined; after !== null; ) {
      const { body } = await admin(record, ADMIN_TOKEN, { since, after });
      const { nodes, pageInfo } = body.data.changes;
      recorded += nodes.filter(
        ({ action, comment }: { action: string; comment: string }) => action === 'DENIED' && comment.includes(role),
      ).length;
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    }
    expect(denials).toBeGreaterThan(0);
    expect(recorded).toBe(denials);
  });

  it('A23: node(id) shows no token of an administrator, to nobody', async () => {
    const { body } = await admin('{ adminTokens(first: 5) { nodes { id } } }');
    const [{ id }] = body.data.adminTokens.nodes;
    for (const token of [ADMIN_TOKEN, await tokenOf('VIEWER')]) {
      const answer = await admin(`{ node(id: "${id}") { __typename } x: node(id: "${id}") { id } }`, token);
      expect(answer.body.data).toEqual({ node: null, x: null });
    }
  });

  it('A23: what another site can make a browser send is no request', async (context) => {
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

  it('A23: deep and repeated queries are refused by their price before anything is read', async () => {
    const many = Array.from(
      { length: 60 },
      (_, index) => `u${index}: usage(first: 100, groupBy: [SUBJECT, OPERATION]) { nodes { __typename } }`,
    );
    const deep =
      '{ subjects(first: 100) { nodes { apiKeys(first: 100) { nodes { history(first: 100) { nodes { differences { path } } } } } } } }';
    for (const query of [`{ ${many.join(' ')} }`, deep]) {
      const { status, body } = await admin(query);
      expect(status).toBe(400);
      expect(body.errors[0].extensions).toMatchObject({ code: 'MAX_COST_EXCEEDED', deniedBy: 'tier:admin' });
    }
  });

  it('A14: guessed admin tokens, and requests that are none, pay a fee until there is nothing left', async (context) => {
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
    // What comes back meanwhile is a guess a second.
    while (!statuses.has(429) && guesses < 400)
      statuses.add((await admin('{ health { ok } }', `guess-${guesses++}`)).status);
    expect([...statuses].sort()).toEqual([401, 429]);
    // Whoever has a token is not held up by those who guess from where he is.
    expect((await admin('{ health { ok } }', token)).status).toBe(200);
    countCases(context, guesses + 2);
  });

  // Embedded there is no channel, and no way to the tables but through the process.
  if (on === 'embedded') return;

  it('A21: forged and old messages change nothing, and an invalid row leaves the last good rules', async (context) => {
    const { servers, platform } = opened;
    const { db, redisUrl } = servers!;
    const limits = [{ algorithm: 'FIXED_WINDOW', amount: 1_000_000, windowMs: 86_400_000 }];
    const { rule: made } = await change(
      'ruleCreate { rule { id } }',
      rule({ name: 'held', scope: 'IP', limits } as never),
    );
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
    // What a forged copy of the rules would have to get past: nobody asks for it before the database names its number.
    for (const key of await redis.keys('tg:*ruleset*')) await redis.set(key, 'x');
    expect(await remaining()).toBe(--left);

    const [row] = await db.query<{ id: number }>(`select id from rules where name = 'held'`);
    await db.query('delete from rule_limits where rule_id = $1', [row!.id]);
    const readyz = async () => (await (await fetch(`${platform.url}/readyz`)).json()) as { degraded?: string[] };
    await until('the alarm', async () => ((await readyz()).degraded ?? []).some((one) => one.includes('held')), 30_000);
    expect(await (await fetch(`${platform.url}/metrics`)).text()).toMatch(/^tollgate_ruleset_invalid 1$/m);
    expect(await remaining()).toBe(--left);
    const { body } = await admin('{ health { ok problems } }');
    expect(body.data.health).toMatchObject({ ok: false, problems: [expect.stringContaining('held')] });
    await change('ruleRetire { rule { id } }', { id: made.id });
    await until('all is well', async () => (await readyz()).degraded === undefined, 30_000);
    expect(await remaining()).toBeUndefined();
    await redis.quit();
    countCases(context, forged.length + 2);
  }, 90_000);
});

describe.each(STACKS)('many rules, $stack', ({ redis }) => {
  const opened: AbuseApi[] = [];
  afterEach(async () => {
    for (const api of opened.splice(0)) await api.close();
  });

  it('A20: 10,000 rules, of which one is for the operation, are 10,000 rules that limit it by one', async (context) => {
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
