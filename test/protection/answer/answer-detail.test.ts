import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LimitState } from '../../../src/model/limit-parameters.js';
import { costExtension } from '../../../src/protection/answer/cost-extension.js';
import { outcomesToReport } from '../../../src/protection/answer/limit-outcome.js';
import { createRuleset } from '../../../src/rules/matching/ruleset.js';
import { parsePolicy, type RuleInput } from '../../../src/rules/policy/parse-policy.js';
import { type ProtectedApiOptions, protectedApi } from '../../helpers/testkit.js';

const ITEM = '{ item { name } }';
const BODY = '{ items(first: 10) { name } }';
const DAY_MS = 86_400_000;
const rule = (name: string, amount: number, more: Partial<RuleInput> = {}): RuleInput => ({
  name,
  scope: 'USER',
  field: '*',
  measure: 'REQUESTS',
  limits: [{ algorithm: 'FIXED_WINDOW', amount, windowMs: DAY_MS }],
  ...more,
});
const RULES = [
  rule('many', 1000),
  rule('few', 4, { field: 'Query.*', measure: 'CALLS' }),
  rule('some', 50, { scope: 'GLOBAL' }),
];
const withAnswer = (answer: 'BRIEF' | 'NONE', options: ProtectedApiOptions = {}) =>
  protectedApi({ rules: RULES, ...options, tier: { answer, ...options.tier } });
/** Matches the names of all headers that contain numbers of a limit. */
const QUOTA_HEADERS = /^(ratelimit|x-ratelimit-)/;
const quotaHeaders = (headers: Headers) => [...headers.keys()].filter((name) => QUOTA_HEADERS.test(name));

describe('responses with answer BRIEF', () => {
  it('BRIEF is the default value of `answer` of a tier', async () => {
    const { ask } = await protectedApi({
      tiers: [{ name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: DAY_MS, isDefault: true }],
    });
    expect((await ask(ITEM)).cost).toEqual({
      requestedQueryCost: 1,
      actualQueryCost: 1,
      throttleStatus: { maximumAvailable: 100, currentlyAvailable: 99, restoreRate: expect.any(Number) },
    });
  });

  it('a BRIEF response contains the cost, the bucket and the limit that is nearest to a denial', async () => {
    const { ask } = await withAnswer('BRIEF');
    const { cost, headers } = await ask(BODY);
    expect(cost).toEqual({
      requestedQueryCost: 10,
      actualQueryCost: 5,
      throttleStatus: { maximumAvailable: 100, currentlyAvailable: 95, restoreRate: expect.any(Number) },
      limits: [{ rule: 'few', scope: 'USER', field: 'Query.*', limit: 4, remaining: 3, resetAt: expect.any(String) }],
    });
    expect(headers.get('ratelimit')).toMatch(/^"tier:free";r=95;t=\d+, "few";r=3;t=\d+$/);
    expect(headers.get('ratelimit-policy')).toBe(
      `"tier:free";q=100;w=8640000;tollgate-unit="tokens", "few";q=4;w=86400;tollgate-unit="calls"`,
    );
    expect(quotaHeaders(headers).sort()).toEqual([
      'ratelimit',
      'ratelimit-policy',
      'x-ratelimit-cost',
      'x-ratelimit-limit',
      'x-ratelimit-remaining',
      'x-ratelimit-reset',
    ]);
    // These headers describe the limit that is nearest to a denial.
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['4', '3']);
    const resetSeconds = Date.parse(cost.limits[0].resetAt) / 1000;
    expect(headers.get('x-ratelimit-reset')).toBe(String(Math.ceil(resetSeconds)));
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('a BRIEF denial names the limit that denied, regardless of the other limits', async () => {
    const writes = rule('writes', 3, { measure: 'COST', field: 'Query.items' });
    const { ask } = await withAnswer('BRIEF', {
      rules: [rule('last', 1000), rule('one', 1, { scope: 'GLOBAL' }), writes],
    });
    const first = await ask(ITEM);
    expect(first.cost.limits).toMatchObject([{ rule: 'one', remaining: 0 }]);
    const denied = await ask(ITEM);
    expect(denied.errors![0]!.extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'one', remaining: 0 });
    expect(denied.cost.limits).toMatchObject([{ rule: 'one' }]);
    expect([denied.headers.get('x-ratelimit-limit'), denied.headers.get('x-ratelimit-remaining')]).toEqual(['1', '0']);
    // This operation costs more than the capacity of one limit, and another limit is used up.
    const never = await ask(BODY);
    expect(never.errors![0]!.extensions).toMatchObject({ code: 'MAX_COST_EXCEEDED', deniedBy: 'writes' });
    expect(never.cost.limits).toMatchObject([{ rule: 'writes' }]);
    expect(never.headers.get('x-ratelimit-limit')).toBe('3');
  });

  it('a BRIEF response contains `degraded` only if the decision was made without the shared counters', () => {
    const tier = parse([]).tiers[0]!;
    const parts = { detail: 'BRIEF', requestedCost: 1, actualCost: 1, tier, mode: 'ENFORCE', outcomes: [] } as const;
    expect(costExtension({ ...parts, degraded: true })).toMatchObject({ degraded: true });
    expect(costExtension({ ...parts, degraded: false })).not.toHaveProperty('degraded');
  });

  it('a BRIEF response contains all details for a caller who requests a report and is allowed to', async () => {
    const { ask, user } = await withAnswer('BRIEF', { mayReportCost: (subject) => subject.user === user });
    const headers = { 'graphql-cost': 'report' };
    for (const query of [ITEM, '{ nothing }']) {
      const full = await ask(query, { headers });
      expect(full.cost).toMatchObject({ tier: 'free', mode: 'ENFORCE', degraded: false });
      // No limit except the bucket applies to an operation without a price.
      expect(full.headers.get('x-ratelimit-limit')).toBe(query === ITEM ? '4' : '100');
    }
    expect((await ask(ITEM, { headers })).cost.limits).toHaveLength(3);
    const other = await ask(ITEM, { headers, as: 'somebody-else' });
    expect(other.cost).not.toHaveProperty('tier');
    expect(other.cost.limits).toHaveLength(1);
  });

  it('a BRIEF response describes the bucket and the enforced limit with the smallest remaining part', () => {
    const mode = fc.constantFrom('ENFORCE' as const, 'SHADOW' as const);
    const state = fc.record({ limit: fc.integer({ min: 1, max: 9 }), remaining: fc.integer({ min: 0, max: 9 }) });
    fc.assert(
      fc.property(fc.array(fc.tuple(mode, state), { maxLength: 6 }), fc.nat(6), fc.boolean(), (given, at, denies) => {
        const rules = given.map(([mode], index) => rule(`r${index}`, 9, { mode, field: `Query.f${index}` }));
        const { ruleset, tiers } = parse(rules);
        const coordinates = given.map((_, index) => `Query.f${index}`);
        const bound = ruleset.bind(tiers[0]!, { type: 'QUERY', name: undefined, coordinates });
        const limits = bound.select({ subject: { user: 'u' }, root: 'u' });
        const states = limits.map(({ id, rule }) => {
          const [, numbers] = given[Number(rule?.name.slice(1) ?? -1)] ?? [undefined, { limit: 9, remaining: 5 }];
          return { id, ...numbers } as LimitState;
        });
        const denier = denies ? limits[at % limits.length] : undefined;
        const full = outcomesToReport('FULL', limits, states, denier?.id);
        const brief = outcomesToReport('BRIEF', limits, states, denier?.id);
        const others = full.filter(({ limit }) => limit.rule);
        expect(brief.filter(({ limit }) => !limit.rule)).toEqual(full.filter(({ limit }) => !limit.rule));
        const [nearest, ...more] = brief.filter(({ limit }) => limit.rule);
        expect(more).toEqual([]);
        if (nearest === undefined) {
          expect(others).toEqual([]);
          return;
        }
        expect(others).toContainEqual(nearest);
        if (denier?.rule && denier.mode === 'ENFORCE') {
          expect(nearest.limit).toBe(denier);
          return;
        }
        const left = others.map(({ state }) => state.remaining / state.limit);
        expect(nearest.state.remaining / nearest.state.limit).toBe(Math.min(...left));
      }),
    );
  });
});

describe('responses with answer NONE', () => {
  it('a NONE response has neither cost nor quota headers, even for a report request', async () => {
    const { ask, left } = await withAnswer('NONE', { mayReportCost: () => true });
    const answer = await ask(BODY);
    expect(answer.body).toEqual({ data: { items: expect.any(Array) } });
    expect(quotaHeaders(answer.headers)).toEqual([]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    for (const wanted of ['report', 'validate']) {
      const asked = await ask(ITEM, { headers: { 'graphql-cost': wanted } });
      expect(asked.body).not.toHaveProperty('extensions');
      expect(quotaHeaders(asked.headers)).toEqual([]);
    }
    expect(await left()).toBe(100 - 5 - 1 - 1);
  });

  it('a NONE denial contains only the code and the wait', async () => {
    const { ask } = await withAnswer('NONE', { rules: [rule('secret', 1)] });
    await ask(ITEM);
    const { status, headers, body } = await ask(ITEM);
    expect(status).toBe(429);
    const { retryAfterMs } = body.errors[0].extensions;
    expect(body).toEqual({
      errors: [
        {
          message: expect.stringMatching(/^Rate limit exceeded; retry in \d+ \w+$/),
          extensions: { code: 'THROTTLED', retryAfterMs: expect.any(Number), retryAt: expect.any(String) },
        },
      ],
    });
    expect(Number(headers.get('retry-after')) * 1000).toBeGreaterThanOrEqual(retryAfterMs);
    expect(quotaHeaders(headers)).toEqual([]);
  });

  it('a NONE rejection of a too expensive operation contains only the code, and costs the fee once', async () => {
    const calls = rule('secret', 5, { measure: 'COST', field: 'Query.items' });
    const { ask, left } = await withAnswer('NONE', { rules: [calls], tier: { maxCostPerOperation: 20 } });
    for (const first of [10, 30]) {
      const { status, headers, body } = await ask(`{ items(first: ${first}) { name } }`);
      expect(status).toBe(400);
      const message = 'The operation is too expensive';
      expect(body).toEqual({ errors: [{ message, extensions: { code: 'MAX_COST_EXCEEDED' } }] });
      expect(quotaHeaders(headers)).toEqual([]);
    }
    expect(await left()).toBe(98);
  });

  it.each([
    ['is not valid GraphQL', '{'],
    ['contains no operation', { nothing: 1 }],
    ['has an unknown field', '{ nothing }'],
  ])('with NONE, a request that %s costs the fee once, and its denial reveals no numbers', async (_, query) => {
    const { ask, left } = await withAnswer('NONE', { tier: { capacity: 2 } });
    for (const tokens of [1, 0]) {
      const { status, headers, body } = await ask(query);
      expect(status).toBe(400);
      expect(body).not.toHaveProperty('extensions');
      expect(quotaHeaders(headers)).toEqual([]);
      expect(await left()).toBe(tokens);
    }
    const denied = await ask(query);
    expect(denied.status).toBe(429);
    expect(denied.headers.get('retry-after')).not.toBeNull();
    expect(denied.body.errors[0].extensions).toEqual({
      code: 'THROTTLED',
      retryAfterMs: expect.any(Number),
      retryAt: expect.any(String),
    });
    expect(denied.body).not.toHaveProperty('extensions');
  });

  it('with NONE, each invalid operation of a batch costs the fee once', async () => {
    const { ask, left } = await withAnswer('NONE', { maxBatchSize: 3 });
    const { headers, body } = await ask([{ query: ITEM }, { query: '{' }, { query: '{ nothing }' }]);
    expect(body).toMatchObject([{ data: {} }, { errors: [{}] }, { errors: [{}] }]);
    expect(JSON.stringify(body)).not.toContain('"cost"');
    expect(quotaHeaders(headers)).toEqual([]);
    expect(await left()).toBe(100 - 3);
  });
});

it('the charge of an operation does not depend on `answer` of the tier', async () => {
  for (const answer of ['BRIEF', 'FULL', 'NONE'] as const) {
    const { ask, left, used } = await protectedApi({ rules: RULES, tier: { answer } });
    await ask(BODY);
    expect(await left()).toBe(95);
    expect(await used('few')).toBe(1);
  }
});

it('the policy header has no unit for requests, a standard unit for slots, and tollgate-unit for other measures', async () => {
  const { ask } = await protectedApi({
    rules: [
      rule('requests', 9),
      rule('objects', 9, { measure: 'NODES' }),
      rule('places', 2, { limits: [{ algorithm: 'CONCURRENCY', capacity: 2, leaseMs: 1000 }], scope: 'GLOBAL' }),
    ],
  });
  const policies = (await ask(ITEM)).headers.get('ratelimit-policy')!.split(', ').sort();
  expect(policies).toEqual([
    '"objects";q=9;w=86400;tollgate-unit="nodes"',
    '"places";q=2;qu="concurrent-requests"',
    '"requests";q=9;w=86400',
    '"tier:free";q=100;w=8640000;tollgate-unit="tokens"',
  ]);
});

function parse(rules: RuleInput[]) {
  const tiers = [{ name: 'free', capacity: 9, refillAmount: 1, isDefault: true }];
  const parsed = parsePolicy({ tiers, rules });
  if (parsed.problems) throw new Error(parsed.problems.join('\n'));
  return { ...parsed, ruleset: createRuleset({ ...parsed, version: 1 }) };
}
