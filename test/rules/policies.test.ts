import { readFileSync } from 'node:fs';
import { ApolloServer, HeaderMap } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createPlugin } from '../../src/apollo/create-plugin.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { createProtectionLimiter } from '../../src/limiter/create-limiter.js';
import type { Subject } from '../../src/model/subject.js';
import { createFee } from '../../src/protection/charge-fee.js';
import { createRuleset } from '../../src/rules/matching/ruleset.js';
import { parsePolicy } from '../../src/rules/policy/parse-policy.js';
import { until } from '../helpers/until.js';

/** Returns the example policies of docs/rules.md, unchanged, by heading. */
function readPolicies(): Map<string, { tiers: unknown[]; rules: unknown[] }> {
  const text = readFileSync(new URL('../../docs/rules.md', import.meta.url), 'utf8');
  const section = text.split('\n## ').find((one) => one.startsWith('Ten policies')) ?? '';
  const found = [...section.matchAll(/\n### (.+)\n+```yaml\n([\s\S]*?)```/g)];
  return new Map(found.map(([, heading = '', yaml = '']) => [heading, parse(yaml)]));
}

const schema = makeExecutableSchema({
  typeDefs: /* GraphQL */ `
    directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
    directive @cost(weight: String!) on FIELD_DEFINITION
    type Query { search(text: String = ""): Item, items(first: Int!): [Item!]! @listSize(slicingArguments: ["first"]), slow: Item }
    type Mutation { login: Item @cost(weight: "1"), save: Item @cost(weight: "1") }
    type Item { name: String }
  `,
  resolvers: {
    Query: {
      search: () => ({ name: 'found' }),
      items: (_: unknown, { first }: { first: number }) => Array.from({ length: first }, () => ({ name: 'x' })),
      slow: () => {
        holding++;
        return held;
      },
    },
    Mutation: { login: () => ({ name: 'in' }), save: () => ({ name: 'saved' }) },
  },
});
/** Promise that the field `slow` waits for. */
let held: Promise<{ name: string }> = Promise.resolve({ name: 'slow' });
/** Number of calls of the resolver of `slow` so far. */
let holding = 0;

const policies = readPolicies();
const evaluated = new Set<string>();
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/**
 * Serves an API under the example policy with this heading. Callers get full cost reports, and the
 * test controls the clock.
 */
async function policy(heading: string) {
  evaluated.add(heading);
  const parsed = parsePolicy(policies.get(heading) ?? { tiers: [], rules: [] });
  if (parsed.problems) throw new Error(`${heading}: ${parsed.problems.join('\n')}`);
  let nowMs = Date.UTC(2026, 0, 1);
  const tiers = parsed.tiers.map((tier) => ({ ...tier, answer: 'FULL' as const }));
  const ruleset = createRuleset({ ...parsed, tiers, version: 1 });
  const limiter = createProtectionLimiter({ now: () => nowMs });
  const plugin = createPlugin<{ subject: Subject }>({
    analyzer: createCostAnalyzer(schema),
    limiter,
    chargeFee: createFee({ limiter, fee: 1, mode: 'ENFORCE', denialStatus: 429 }),
    ruleset: () => ruleset,
    identify: ({ contextValue }) => contextValue.subject,
    now: () => nowMs,
  });
  const server = new ApolloServer<{ subject: Subject }>({ schema, plugins: [plugin] });
  closers.push(
    () => server.stop(),
    () => limiter.close(),
  );
  return {
    wait: (ms: number) => {
      nowMs += ms;
    },
    async ask(query: string, subject: Subject, client?: string) {
      const headers = new HeaderMap(client === undefined ? [] : [['apollographql-client-name', client]]);
      const http = { method: 'POST', headers, search: '', body: {} };
      const response = await server.executeOperation({ query, http }, { contextValue: { subject } });
      if (response.body.kind !== 'single') throw new Error('expected a single result');
      const { errors, extensions } = response.body.singleResult;
      const denial = errors?.[0]?.extensions;
      return {
        status: response.http.status ?? 200,
        deniedBy: denial?.['deniedBy'],
        code: denial?.['code'],
        // biome-ignore lint/suspicious/noExplicitAny: each test reads other members.
        cost: extensions?.['cost'] as any,
      };
    },
  };
}

const aliases = (count: number, field: string) =>
  `{ ${Array.from({ length: count }, (_, index) => `a${index}: ${field} { name }`).join(' ')} }`;

describe('the example policies of the docs', () => {
  it('the free tier of the docs has 1,000 tokens and 20 searches a minute', async () => {
    const { ask, wait } = await policy('Free tier: 1,000 tokens, 20 searches a minute');
    const first = await ask(aliases(20, 'search'), { user: 'ada' });
    expect(first.cost.throttleStatus).toMatchObject({ maximumAvailable: 1000, restoreRate: 20 });
    expect(first.cost.limits).toMatchObject([{ rule: 'search-per-user', limit: 20, remaining: 0 }]);
    expect(await ask('{ search { name } }', { user: 'ada' })).toMatchObject({
      status: 429,
      deniedBy: 'search-per-user',
    });
    expect((await ask('{ search { name } }', { user: 'bob' })).status).toBe(200);
    expect((await ask('{ items(first: 1) { name } }', { user: 'ada' })).status).toBe(200);
    wait(120_000);
    expect((await ask('{ search { name } }', { user: 'ada' })).status).toBe(200);
  });

  it('the paid tier of the docs has ten times as many searches', async () => {
    const { ask } = await policy('Paying callers search ten times as often');
    await ask(aliases(20, 'search'), { user: 'ada', tier: 'free' });
    expect((await ask('{ search { name } }', { user: 'ada', tier: 'free' })).deniedBy).toBe('search-per-user');
    const upgraded = await ask('{ search { name } }', { user: 'ada', tier: 'pro' });
    expect(upgraded.cost.limits).toMatchObject([{ rule: 'search-per-pro-user', limit: 200, remaining: 179 }]);
  });

  it('the policy of the docs admits ten requests a second and a thousand an hour', async () => {
    const { ask, wait } = await policy('Ten requests a second, and a thousand an hour');
    const ada = { user: 'ada' };
    let admitted = 0;
    for (let second = 0; second < 250 && admitted < 1000; second++) {
      for (let request = 0; request < 11; request++) {
        if ((await ask('{ search { name } }', ada)).status === 200) admitted++;
        else break;
      }
      if (second === 0) expect(admitted).toBe(10);
      wait(2000);
    }
    expect(admitted).toBe(1000);
    expect(await ask('{ search { name } }', ada)).toMatchObject({ status: 429, deniedBy: 'requests-per-user' });
  });

  it('the login policy of the docs admits five attempts a minute and counts denied attempts', async () => {
    const { ask, wait } = await policy('Five attempts to log in a minute, including denied attempts');
    const at = (user: string) => ({ user, ip: '203.0.113.7' });
    const login = 'mutation { login { name } }';
    for (const user of ['a', 'b', 'c', 'd', 'e']) expect((await ask(login, at(user))).status).toBe(200);
    expect(await ask(login, at('f'))).toMatchObject({
      status: 429,
      code: 'LOGIN_LIMITED',
      deniedBy: 'logins-per-address',
    });
    expect((await ask(login, { user: 'f', ip: '203.0.113.8' })).status).toBe(200);
    expect((await ask('mutation { save { name } }', at('a'))).status).toBe(200);
    // Denied attempts count too, so a caller who keeps trying is denied for longer than a minute.
    for (let tries = 0; tries < 50; tries++) await ask(login, at('f'));
    wait(61_000);
    expect((await ask(login, at('f'))).status).toBe(429);
    const hundred = `mutation { ${Array.from({ length: 100 }, (_, index) => `a${index}: login { name }`).join(' ')} }`;
    expect((await ask(hundred, { user: 'g', ip: '203.0.113.9' })).status).not.toBe(200);
  });

  it('under the policy of the docs, the users of a company share 100,000 tokens a day', async () => {
    const { ask, wait } = await policy('A company shares 100,000 tokens a day');
    const of = (user: string, tenant?: string) => ({ user, ...(tenant && { tenant }) });
    for (const user of ['ada', 'bob']) {
      expect((await ask('{ items(first: 50000) { name } }', of(user, 'acme'))).status).toBe(200);
    }
    expect(await ask('{ items(first: 1) { name } }', of('cid', 'acme'))).toMatchObject({
      deniedBy: 'tokens-per-company',
    });
    expect((await ask('{ items(first: 1) { name } }', of('cid', 'other'))).status).toBe(200);
    expect((await ask('{ items(first: 1) { name } }', of('dan'))).cost.limits).toEqual([]);
    wait(86_400_000);
    expect((await ask('{ items(first: 1) { name } }', of('cid', 'acme'))).status).toBe(200);
  });

  it('the policy of the docs admits five thousand requests a second of all callers together', async () => {
    const { ask } = await policy('Five thousand requests a second, for all callers together');
    for (let request = 0; request < 5000; request++)
      await ask('{ search { name } }', { user: `user-${request % 100}` });
    expect(await ask('{ search { name } }', { user: 'new' })).toMatchObject({ status: 503, deniedBy: 'whole-api' });
  });

  it('the policy of the docs exempts the office from all limits', async () => {
    const { ask } = await policy('The office is exempt');
    for (const ip of ['198.51.100.9', '2001:db8:77:1::/64']) {
      for (let times = 0; times < 3; times++) {
        expect((await ask('{ items(first: 90) { name } }', { user: 'ada', ip })).cost.throttleStatus).toBeNull();
      }
    }
    const outside = { user: 'ada', ip: '198.51.101.9' };
    expect((await ask('{ items(first: 90) { name } }', outside)).status).toBe(200);
    expect(await ask('{ items(first: 90) { name } }', outside)).toMatchObject({ deniedBy: 'tier:free' });
  });

  it('the policy of the docs delays the nightly import before it denies it', async () => {
    const { ask, wait } = await policy('The nightly import waits instead of being denied');
    const save = () => ask('mutation { save { name } }', { user: 'robot' }, 'nightly-import');
    const startedMs = performance.now();
    const answers = await Promise.all(Array.from({ length: 20 }, save));
    // The simulated clock of the limits does not advance, but the delays are real. The longest
    // delay is close to 200 ms.
    expect(performance.now() - startedMs).toBeGreaterThanOrEqual(150);
    const admitted = answers.filter(({ status }) => status === 200);
    expect(admitted.length).toBeGreaterThanOrEqual(3);
    expect(admitted.length).toBeLessThan(10);
    expect(await save()).toMatchObject({ status: 429, deniedBy: 'import-speed' });
    expect((await ask('mutation { save { name } }', { user: 'robot' }, 'web')).cost.limits).toEqual([]);
    wait(1000);
    expect((await save()).status).toBe(200);
  });

  it('the shadow limit of the docs covers 10 % of companies and denies none', async () => {
    const { ask } = await policy('A new limit, in shadow mode, for 10 % of companies');
    for (let times = 0; times < 3; times++) {
      const answer = await ask('{ items(first: 40) { name } }', { user: 'ada', tenant: 'acme' });
      expect(answer).toMatchObject({ status: 200, cost: { limits: [] } });
    }
    const parsed = parsePolicy(policies.get('A new limit, in shadow mode, for 10 % of companies')!);
    if (parsed.problems) throw new Error('expected a valid policy');
    const ruleset = createRuleset({ ...parsed, version: 1 });
    const operation = { type: 'QUERY' as const, name: undefined, coordinates: ['Query.items'] };
    const bound = ruleset.bind(ruleset.tier('free'), operation);
    const companies = Array.from({ length: 1000 }, (_, index) => `company-${index}`);
    const chosen = companies.filter((root) =>
      bound.select({ subject: { user: 'u', tenant: root }, root }).some(({ mode }) => mode === 'SHADOW'),
    );
    expect(chosen.length).toBeGreaterThan(60);
    expect(chosen.length).toBeLessThan(140);
  });

  it('the policy of the docs admits three exports at a time', async () => {
    const { ask } = await policy('Three exports at a time');
    let release: (item: { name: string }) => void = () => {};
    held = new Promise((resolve) => {
      release = resolve;
    });
    const exportOne = () => ask('query Export { slow { name } }', { user: 'ada' });
    const running = [exportOne(), exportOne(), exportOne()];
    await until('three exports run', () => holding === 3);
    expect(await exportOne()).toMatchObject({ status: 429, deniedBy: 'exports-at-a-time' });
    expect((await ask('query Export { search { name } }', { user: 'bob' })).status).toBe(200);
    expect((await ask('{ search { name } }', { user: 'ada' })).status).toBe(200);
    release({ name: 'done' });
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await exportOne()).status).toBe(200);
  });

  it('each of the ten example policies in the docs has a test', () => {
    expect(policies.size).toBe(10);
    expect([...policies.keys()].filter((heading) => !evaluated.has(heading))).toEqual([]);
  });
});
