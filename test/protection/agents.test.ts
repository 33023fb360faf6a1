import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createProtect } from '../../src/any-server/protect.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { createPersistedTexts } from '../../src/documents/create-persisted-texts.js';
import { createProtectionLimiter } from '../../src/limiter/create-limiter.js';
import type { Subject } from '../../src/model/subject.js';
import type { UsageRecord } from '../../src/model/usage-record.js';
import { createFee } from '../../src/protection/charge-fee.js';
import { createRuleset } from '../../src/rules/matching/ruleset.js';
import { parsePolicy } from '../../src/rules/policy/parse-policy.js';
import { protectedApi } from '../helpers/testkit.js';

const RULE = {
  name: 'agents',
  match: { agents: true as const },
  scope: 'USER' as const,
  field: '*',
  measure: 'REQUESTS' as const,
  limits: [{ algorithm: 'FIXED_WINDOW' as const, amount: 2, windowMs: 86_400_000 }],
};
const LIBRARY = { extensions: { clientLibrary: { name: 'mcp', version: '1.0' } } };

describe('rules for agents', () => {
  it('a request of an agent is limited by the name of its client, in the header or in the extensions', async () => {
    const api = await protectedApi({ rules: [RULE] });
    expect((await api.ask('{ item { name } }', { headers: { 'apollographql-client-name': 'mcp' } })).status).toBe(200);
    expect((await api.ask('{ item { name } }', LIBRARY)).status).toBe(200);
    const denied = await api.ask('{ item { name } }', LIBRARY);
    expect(denied.errors![0]!.extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'agents' });
    expect((await api.ask('{ item { name } }')).status).toBe(200);
    const other = { extensions: { clientLibrary: { name: '@apollo/client' } } };
    expect((await api.ask('{ item { name } }', other)).status).toBe(200);
  });

  it('a caller with a key of an agent is limited without any client name, and with that of another client', async () => {
    const subjectOf = (): Subject => ({ user: 'ann', apiKey: 'tg_1', keyKind: 'AGENT' });
    const api = await protectedApi({ rules: [RULE], subjectOf });
    expect((await api.ask('{ item { name } }')).status).toBe(200);
    expect((await api.ask('{ item { name } }', { headers: { 'apollographql-client-name': 'web' } })).status).toBe(200);
    expect((await api.ask('{ item { name } }')).errors![0]!.extensions).toMatchObject({ deniedBy: 'agents' });
  });

  it('agentClients replaces the names of agents', async () => {
    const api = await protectedApi({ rules: [RULE], agentClients: ['bot'] });
    for (let index = 0; index < 3; index++) expect((await api.ask('{ item { name } }', LIBRARY)).status).toBe(200);
    const bot = { headers: { 'apollographql-client-name': 'bot' } };
    for (let index = 0; index < 2; index++) expect((await api.ask('{ item { name } }', bot)).status).toBe(200);
    expect((await api.ask('{ item { name } }', bot)).status).toBe(429);
  });

  it.each([
    null,
    7,
    'mcp',
    { clientLibrary: 'mcp' },
    { clientLibrary: { name: ['mcp'] } },
    [],
  ])('extensions %j name no agent and fail no request', async (extensions) => {
    const api = await protectedApi({ rules: [RULE] });
    const protectedRequest = await api.tollgate.protect({
      query: '{ item { name } }',
      extensions,
      contextValue: { subject: { user: 'ann' } },
    });
    expect(protectedRequest.admitted).toBe(true);
    expect(await api.used('agents', 'ann')).toBeUndefined();
  });

  it('a rejected request of an agent counts for a rule on the requests of its address', async () => {
    const api = await protectedApi({
      rules: [{ ...RULE, scope: 'IP' }],
      subjectOf: () => ({ user: 'ann', ip: '10.0.0.1' }),
    });
    for (let index = 0; index < 2; index++) await api.ask('{ nothing }', LIBRARY);
    expect((await api.ask('{ item { name } }', LIBRARY)).errors![0]!.extensions).toMatchObject({ deniedBy: 'agents' });
    expect((await api.ask('{ item { name } }')).status).toBe(200);
  });

  it('a preview applies rules for agents to the client that it names', async () => {
    const api = await protectedApi({ rules: [RULE] });
    const rulesOf = async (client?: string) => {
      const sent = { query: '{ item { name } }', variables: {}, operationName: undefined, client };
      const { limits } = await api.tollgate.preview.previewOf({ ...sent, as: { user: 'ann' } });
      return limits.map(({ rule }) => rule);
    };
    expect(await rulesOf()).not.toContain('agents');
    expect(await rulesOf('mcp')).toContain('agents');
  });
});

it('the usage records of operations, fees and late costs name agents, at the times of the injected clock', async () => {
  const schema = buildSchema('type Query { item: Int }');
  const policy = parsePolicy({ tiers: [{ name: 'free', capacity: 100, refillAmount: 1, isDefault: true }], rules: [] });
  if (policy.problems) throw new Error(policy.problems.join());
  const ruleset = createRuleset({ ...policy, version: 1 });
  const nowMs = Date.parse('2026-01-31T12:00:00Z');
  const now = () => nowMs;
  const limiter = createProtectionLimiter({ now });
  const records: UsageRecord[] = [];
  const onAnswer = (record: UsageRecord) => void records.push(record);
  const { protect } = createProtect<{ subject: Subject }>({
    schema,
    analyzer: createCostAnalyzer(schema),
    limiter,
    ruleset: () => ruleset,
    identify: ({ contextValue }) => contextValue.subject,
    chargeFee: createFee({ limiter, fee: 1, mode: 'ENFORCE', denialStatus: 429, now, onAnswer }),
    observers: [{ onAnswer }],
    now,
    documentCacheBytes: undefined,
    persistedTexts: createPersistedTexts({ shared: undefined }),
  });
  const headers = { 'apollographql-client-name': 'mcp' };
  for (const [subject, more, isAgent] of [
    [{ user: 'ann' }, {}, false],
    [{ user: 'ann' }, { headers }, true],
    [{ user: 'ann', apiKey: 'k', keyKind: 'AGENT' }, {}, true],
  ] as const) {
    records.length = 0;
    const admitted = await protect({ query: '{ item }', contextValue: { subject }, ...more });
    if (!admitted.admitted) throw new Error('expected an admitted operation');
    await admitted.run(() => ({ data: { item: 1 } }));
    admitted.addCost(5);
    await expect.poll(() => records).toHaveLength(2);
    await protect({ query: '{', contextValue: { subject }, ...more });
    expect(records.map(({ operationType, isAgent: is }) => [operationType, is])).toEqual([
      ['QUERY', isAgent],
      ['UNPRICED', isAgent],
      ['UNPRICED', isAgent],
    ]);
    for (const { atMs } of records) expect(nowMs - atMs).toBeLessThan(60_000);
    for (const { atMs } of records) expect(atMs).toBeLessThanOrEqual(nowMs);
  }
  await limiter.close();
});
