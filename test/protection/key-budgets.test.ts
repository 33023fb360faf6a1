import { describe, expect, inject, it } from 'vitest';
import type { KeyBudget } from '../../src/model/limit-parameters.js';
import type { Subject } from '../../src/model/subject.js';
import { uniqueName } from '../helpers/servers.js';
import { type ProtectedApi, protectedApi } from '../helpers/testkit.js';

const BUDGET = { capacity: 20, refillAmount: 1, refillPeriodMs: 86_400_000 };
const items = (first: number) => `{ items(first: ${first}) { name } }`;

/** Serves an API whose callers are keys of one user: `agent` has a budget of 20, `app` has none. */
async function apiOfKeys(
  engine: 'memory' | 'redis',
  options: Parameters<typeof protectedApi>[0] = {},
  keyBudget: KeyBudget = BUDGET,
) {
  const user = uniqueName('owner');
  const keys: Record<string, Partial<Subject>> = {
    agent: { apiKey: `${user}-agent`, keyKind: 'AGENT', keyBudget },
    app: { apiKey: `${user}-app` },
  };
  const api = await protectedApi({
    ...(engine === 'redis' && { redis: inject('redisUrl') }),
    subjectOf: (named = 'app') => ({ user, ...keys[named] }),
    ...options,
  });
  return Object.assign(api, { agent: { user, ...keys['agent'] } satisfies Subject });
}

const statusOf = async (api: ProtectedApi, first: number, as: string) => (await api.ask(items(first), { as })).status;

describe.each(['memory', 'redis'] as const)('the budget of an API key in %s', (engine) => {
  it('a charge takes the same tokens from the budget of the key and from the bucket of its user', async () => {
    const api = await apiOfKeys(engine);
    const { cost } = await api.ask(items(8), { as: 'agent' });
    // The resolver returns half of the items, so that half of the charge is refunded to both.
    expect(cost).toMatchObject({
      throttleStatus: { maximumAvailable: 100, currentlyAvailable: 96 },
      keyStatus: { maximumAvailable: 20, currentlyAvailable: 16, restoreRate: 1 / 86_400 },
    });
    const { cost: ofApp } = await api.ask(items(2), { as: 'app' });
    expect(ofApp.throttleStatus.currentlyAvailable).toBe(95);
    expect(ofApp.keyStatus).toBeUndefined();
  });

  it('a key without tokens is denied and charges nothing to its user, whose other keys still work', async () => {
    const api = await apiOfKeys(engine);
    for (let sent = 0; sent < 3; sent++) expect(await statusOf(api, 10, 'agent')).toBe(200);
    const { status, errors } = await api.ask(items(10), { as: 'agent' });
    expect(status).toBe(429);
    expect(errors).toMatchObject([{ extensions: { code: 'THROTTLED', deniedBy: 'key:budget' } }]);
    expect(errors![0]!.message).toContain('20 tokens per API key');
    const { cost } = await api.ask(items(10), { as: 'app' });
    expect(cost.throttleStatus.currentlyAvailable).toBe(80);
  });

  it('a user without tokens stops all of their keys, and nothing is charged to the budgets', async () => {
    const api = await apiOfKeys(engine, { tier: { capacity: 10 } });
    for (let sent = 0; sent < 9; sent++) expect(await statusOf(api, 2, 'app')).toBe(200);
    const denied = await api.ask(items(2), { as: 'agent' });
    expect(denied.errors).toMatchObject([{ extensions: { deniedBy: 'tier:free' } }]);
    expect(denied.cost.keyStatus.currentlyAvailable).toBe(20);
  });

  it('the fee of an invalid operation is charged to the budget too, and an empty budget denies the request', async () => {
    const api = await apiOfKeys(engine);
    const invalid = () => api.ask('{ unknown }', { as: 'agent' });
    for (let sent = 0; sent < 20; sent++) expect((await invalid()).status).toBe(400);
    expect((await invalid()).errors).toMatchObject([{ extensions: { code: 'THROTTLED', deniedBy: 'key:budget' } }]);
    expect((await api.ask(items(2), { as: 'app' })).cost.throttleStatus.currentlyAvailable).toBe(79);
  });

  it('an operation above the capacity of the budget can never be admitted', async () => {
    const api = await apiOfKeys(engine);
    const { status, errors } = await api.ask(items(21), { as: 'agent' });
    expect(status).toBe(400);
    expect(errors).toMatchObject([{ extensions: { code: 'MAX_COST_EXCEEDED', deniedBy: 'key:budget' } }]);
  });

  it('no rule exempts a key from its budget', async () => {
    const rules = (['USER', 'API_KEY'] as const).map((scope) => ({
      name: `free ${scope}`,
      field: '*',
      scope,
      limits: [],
      action: { type: 'EXEMPT' } as const,
    }));
    const api = await apiOfKeys(engine, { rules });
    for (let sent = 0; sent < 3; sent++) expect(await statusOf(api, 10, 'agent')).toBe(200);
    expect(await statusOf(api, 10, 'agent')).toBe(429);
  });

  it('the quota contains the budget of the key', async () => {
    const api = await apiOfKeys(engine);
    const subject = { user: uniqueName('ann'), apiKey: uniqueName('key'), keyBudget: BUDGET };
    expect(await api.tollgate.quota(subject)).toMatchObject([
      { rule: 'tier:free', remaining: 100 },
      { rule: 'key:budget', scope: 'API_KEY', remaining: 20, limit: 20 },
    ]);
  });
});

describe.each(['memory', 'redis'] as const)('the calendar budget of an API key in %s', (engine) => {
  const YEAR = { amount: 20, every: 'YEAR', timeZone: 'Europe/Berlin' } as const;

  it('a charge takes the same tokens from the period of the key and from the bucket of its user', async () => {
    const api = await apiOfKeys(engine, {}, { calendar: YEAR });
    const { cost } = await api.ask(items(8), { as: 'agent' });
    expect(cost).toMatchObject({
      throttleStatus: { currentlyAvailable: 96 },
      keyBudget: { amount: 20, used: 4, overage: 0, every: 'YEAR', timeZone: 'Europe/Berlin' },
    });
    expect(cost.keyStatus).toBeUndefined();
    expect(Date.parse(cost.keyBudget.resetsAt)).toBeGreaterThan(Date.now());
    expect((await api.ask(items(2), { as: 'app' })).cost.keyBudget).toBeUndefined();
  });

  it('a key that has used its period is denied until the next one, and its user pays nothing', async () => {
    const api = await apiOfKeys(engine, {}, { calendar: YEAR });
    for (let sent = 0; sent < 3; sent++) expect(await statusOf(api, 10, 'agent')).toBe(200);
    const { status, errors, cost, headers } = await api.ask(items(10), { as: 'agent' });
    expect(status).toBe(429);
    expect(headers.get('ratelimit')).toContain('"key:budget";r=5;');
    const { deniedBy, retryAt } = errors![0]!.extensions as { deniedBy: string; retryAt: string };
    expect(deniedBy).toBe('key:budget');
    expect(Math.abs(Date.parse(retryAt) - Date.parse(cost.keyBudget.resetsAt))).toBeLessThan(2000);
    expect((await api.ask(items(10), { as: 'app' })).cost.throttleStatus.currentlyAvailable).toBe(80);
  });

  it('usage above the amount is overage up to the hard cap', async () => {
    const api = await apiOfKeys(engine, {}, { calendar: { ...YEAR, amount: 6, hardCap: 12 } });
    for (let sent = 0; sent < 2; sent++) expect(await statusOf(api, 8, 'agent')).toBe(200);
    expect((await api.ask(items(4), { as: 'agent' })).cost.keyBudget).toMatchObject({ used: 10, overage: 4 });
    expect(await statusOf(api, 4, 'agent')).toBe(429);
  });

  it('the fee of an invalid operation is charged to the period too', async () => {
    const api = await apiOfKeys(engine, {}, { calendar: { ...YEAR, amount: 3 } });
    const invalid = () => api.ask('{ unknown }', { as: 'agent' });
    for (let sent = 0; sent < 3; sent++) expect((await invalid()).status).toBe(400);
    expect((await invalid()).errors).toMatchObject([{ extensions: { code: 'THROTTLED', deniedBy: 'key:budget' } }]);
  });

  it('a preview admits and denies by the period of the key', async () => {
    const api = await apiOfKeys(engine, {}, { calendar: YEAR });
    await api.ask(items(8), { as: 'agent' });
    const previewOf = (first: number) =>
      api.tollgate.preview.previewOf({
        query: items(first),
        variables: {},
        operationName: undefined,
        as: api.agent,
      });
    expect(await previewOf(16)).toMatchObject({ verdict: 'ADMITTED' });
    expect(await previewOf(17)).toMatchObject({ verdict: 'THROTTLED', deniedBy: 'key:budget' });
  });

  it('an operation above the hard cap can never be admitted', async () => {
    const api = await apiOfKeys(engine, {}, { calendar: YEAR });
    const { errors } = await api.ask(items(21), { as: 'agent' });
    expect(errors).toMatchObject([{ extensions: { code: 'MAX_COST_EXCEEDED', deniedBy: 'key:budget' } }]);
  });

  it('the quota contains the period of the key, which ends at the reported time, and a reset clears it', async () => {
    const api = await apiOfKeys(engine, {}, { calendar: YEAR });
    const { cost } = await api.ask(items(8), { as: 'agent' });
    const period = async () => (await api.tollgate.quota(api.agent)).find(({ rule }) => rule === 'key:budget');
    expect(await period()).toMatchObject({
      scope: 'API_KEY',
      remaining: 16,
      period: { every: 'YEAR', amount: 20, overage: 0, timeZone: 'Europe/Berlin' },
    });
    expect(new Date((await period())!.resetAtMs).toISOString()).toBe(cost.keyBudget.resetsAt);
    expect(await api.tollgate.resetQuota(api.agent)).toBe(true);
    expect(await period()).toMatchObject({ used: 0, remaining: 20 });
  });

  it('a caller on an unlimited tier whose key has a calendar budget is not reported as unlimited', async () => {
    const tiers = [{ name: 'open', capacity: null, isDefault: true }];
    const api = await apiOfKeys(engine, { tiers }, { calendar: YEAR });
    expect((await api.ask(items(2), { as: 'agent' })).cost.unlimited).toBeUndefined();
    expect((await api.ask(items(2), { as: 'app' })).cost.unlimited).toBe(true);
  });
});

it('in shadow mode, the budget of a key denies nothing', async () => {
  const api = await apiOfKeys('memory', { mode: 'SHADOW' });
  for (let sent = 0; sent < 6; sent++) expect(await statusOf(api, 10, 'agent')).toBe(200);
  expect((await api.ask(items(10), { as: 'agent' })).cost.shadow).toEqual({ wouldDeny: 'key:budget' });
});
