import { ApolloServer, HeaderMap } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { Redis } from 'ioredis';
import { Registry } from 'prom-client';
import { afterEach, beforeAll, expect, inject, it } from 'vitest';
import type { DecisionRecord } from '../../../src/model/decision-record.js';
import { countShadowDenials } from '../../../src/observability/metrics/count-decisions.js';
import { countTiers } from '../../../src/observability/metrics/count-tiers.js';
import { loadPromClient } from '../../../src/observability/metrics/load-prom-client.js';
import { createTollgate } from '../../../src/tollgate/create-tollgate.js';
import type { TollgateOptions } from '../../../src/tollgate/tollgate-options.js';
import { PATIENT_MS } from '../../helpers/patient.js';
import { type Samples, scrape, sumOf } from '../../helpers/samples.js';
import { uniqueName } from '../../helpers/servers.js';
import { startTcpProxy } from '../../helpers/tcp-proxy.js';
import { until } from '../../helpers/until.js';

beforeAll(loadPromClient);

const SILENT = { info() {}, warn() {}, error() {} };
const TYPES = /* GraphQL */ `
  directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
  type Query { items(first: Int!): [Item!]! @listSize(slicingArguments: ["first"]) }
  type Mutation { save: Item }
  type Item { name: String }
`;

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/**
 * Starts a protected server in this process, with a bucket of 100 tokens that does not refill
 * during the test. Returns functions to run operations and to read the metrics.
 */
async function protect(options: Partial<TollgateOptions> = {}) {
  const registry = new Registry();
  const schema = makeExecutableSchema({
    typeDefs: TYPES,
    resolvers: {
      // Returns half of the requested items, so that the actual cost is half of the estimate.
      Query: { items: (_: unknown, { first }: { first: number }) => Array.from({ length: first / 2 }, () => ({})) },
      Mutation: { save: () => ({}) },
    },
  });
  const user = uniqueName('user');
  const tollgate = await createTollgate({
    schema,
    identify: () => ({ user }),
    tiers: [{ name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    logger: SILENT,
    metrics: registry,
    ...options,
  });
  const server = new ApolloServer({ schema, plugins: [tollgate.plugin()] });
  await server.start();
  open.push(
    () => tollgate.close(),
    () => server.stop(),
  );
  const run = (query: string, headers: Record<string, string> = {}) => {
    const http = { method: 'POST', headers: new HeaderMap(Object.entries(headers)), search: '', body: {} };
    return server.executeOperation({ query, http });
  };
  return { run, samples: () => scrape(registry), registry, user };
}

const decided = (samples: Samples, result: string, rule: string, degraded = false) =>
  samples.get(`tollgate_decisions_total{result="${result}",rule="${rule}",mode="enforce",degraded="${degraded}"}`);

it('the metrics count each decision once, by result and denying rule, with its duration and its costs', async () => {
  const { run, samples } = await protect();
  for (let i = 0; i < 3; i++) await run('{ items(first: 20) { name } }');
  await run('mutation { save { name } }');
  // 100 - 3 x 10 - 10 = 60 tokens remain.
  for (let i = 0; i < 2; i++) await run('{ items(first: 90) { name } }');
  await run('{ items(first: 101) { name } }');
  const found = await samples();
  expect(decided(found, 'admitted', '')).toBe(4);
  expect(decided(found, 'throttled', 'tier:free')).toBe(2);
  expect(decided(found, 'max_cost_exceeded', 'tier:free')).toBe(1);
  expect(sumOf(found, 'tollgate_decisions_total')).toBe(7);
  expect(found.get('tollgate_decision_duration_seconds_count')).toBe(7);
  expect(found.get('tollgate_estimated_cost_tokens_sum{type="query"}')).toBe(60);
  expect(found.get('tollgate_actual_cost_tokens_sum{type="query"}')).toBe(30);
  expect(found.get('tollgate_denied_cost_tokens_sum{type="query"}')).toBe(281);
  expect(found.get('tollgate_actual_cost_tokens_count{type="mutation"}')).toBe(1);
});

it('the metrics count the shadow denials of each rule, except of operations that were denied', async () => {
  const window = { algorithm: 'FIXED_WINDOW', amount: 2, windowMs: 86_400_000 } as const;
  const rule = (name: string, amount: number) => ({
    name,
    mode: 'SHADOW' as const,
    scope: 'USER' as const,
    field: '*',
    measure: 'REQUESTS' as const,
    limits: [{ ...window, amount }],
  });
  const { run, samples } = await protect({ rules: [rule('narrow', 2), rule('wide', 4)] });
  for (let i = 0; i < 5; i++) await run('{ items(first: 2) { name } }');
  await run('{ items(first: 101) { name } }');
  const found = await samples();
  expect(found.get('tollgate_shadow_denials_total{rule="narrow"}')).toBe(3);
  expect(found.get('tollgate_shadow_denials_total{rule="wide"}')).toBe(1);
});

it('the metrics count a bounded number of shadow rules separately, and the others together', async () => {
  const registry = new Registry();
  const count = countShadowDenials(registry);
  for (let i = 0; i < 2_000; i++) count([`rule-${i % 1000}`]);
  const found = await scrape(registry);
  expect(found.size).toBe(201);
  expect(found.get('tollgate_shadow_denials_total{rule="rule-0"}')).toBe(2);
  expect(found.get('tollgate_shadow_denials_total{rule="(other)"}')).toBe(1600);
});

it('for an operation that is priced without execution, the metrics count the minimum cost that it paid', async () => {
  const { run, samples } = await protect();
  await run('{ items(first: 20) { name } }', { 'graphql-cost': 'validate' });
  const found = await samples();
  expect(found.get('tollgate_estimated_cost_tokens_sum{type="query"}')).toBe(1);
  expect(found.get('tollgate_actual_cost_tokens_sum{type="query"}')).toBe(1);
});

it('the metrics distinguish cached cost plans from newly built ones', async () => {
  const { run, samples } = await protect();
  for (let i = 0; i < 5; i++) await run('{ items(first: 2) { name } }');
  await run('mutation { save { name } }');
  const found = await samples();
  expect(found.get('tollgate_plan_lookups_total{source="built"}')).toBe(2);
  expect(found.get('tollgate_plan_lookups_total{source="memory"}')).toBe(4);
});

it('no metric has a label that names a caller', async () => {
  const { run, registry, user } = await protect();
  await run('query Mine { items(first: 2) { name } }');
  const text = await registry.metrics();
  expect(text).not.toContain(user);
  expect(text).not.toContain('Mine');
});

it('the metrics show the memory use of Redis, and omit it while Redis does not reply', async () => {
  const proxy = await startTcpProxy(inject('redisUrl'));
  open.push(() => proxy.close());
  const { samples } = await protect({ redis: proxy.url });
  const node = `{node="127.0.0.1:${proxy.port}"}`;
  const admin = new Redis(inject('redisUrl'));
  open.push(async () => admin.disconnect());
  const maxmemory = Number(((await admin.config('GET', 'maxmemory')) as string[])[1]);
  // A scrape waits half a second for Redis, and a busy machine may need longer.
  let found = await samples();
  await until('Redis has replied in time', async () => {
    found = await samples();
    return found.has(`tollgate_redis_memory_used_bytes${node}`);
  });
  expect(found.get(`tollgate_redis_memory_used_bytes${node}`)).toBeGreaterThan(100_000);
  expect(found.get(`tollgate_redis_memory_max_bytes${node}`)).toBe(maxmemory);
  await proxy.set({ kind: 'black-hole' });
  const without = await samples();
  expect(sumOf(without, 'tollgate_redis_memory_used_bytes')).toBe(0);
  expect(without.get('tollgate_plan_lookups_total{source="built"}')).toBe(0);
});

it('the metrics show the number of slots whose release waits for Redis, until Redis replies', async () => {
  const proxy = await startTcpProxy(inject('redisUrl'));
  open.push(() => proxy.close());
  const rule = { name: 'few', scope: 'USER' as const, field: '*', measure: 'REQUESTS' as const };
  const { run, samples } = await protect({
    redis: proxy.url,
    // Longer than a charge takes on a busy machine. The release waits after this time.
    deadlineMs: 2_000,
    rules: [{ ...rule, limits: [{ algorithm: 'CONCURRENCY', capacity: 5, leaseMs: 600_000 }] }],
    // Redis stops replying after the operation was admitted.
    onDecision: () => void proxy.set({ kind: 'black-hole' }),
  });
  await run('mutation { save { name } }');
  await until(
    'the release waits',
    async () => (await samples()).get('tollgate_slot_releases_waiting') === 1,
    PATIENT_MS,
  );
  await proxy.set({ kind: 'pass' });
  await until(
    'the release was sent',
    async () => (await samples()).get('tollgate_slot_releases_waiting') === 0,
    PATIENT_MS,
  );
  expect((await samples()).get('tollgate_slot_releases_dropped_total')).toBe(0);
});

it('the metrics count decisions and costs by tier, for a bounded number of tiers', async () => {
  const { run, samples } = await protect();
  await run('{ items(first: 60) { name } }');
  await run('{ items(first: 90) { name } }');
  const seen = await samples();
  expect(seen.get('tollgate_tier_decisions_total{tier="free",result="admitted"}')).toBe(1);
  expect(seen.get('tollgate_tier_decisions_total{tier="free",result="throttled"}')).toBe(1);
  expect(seen.get('tollgate_tier_cost_tokens_total{tier="free"}')).toBe(30);

  const registry = new Registry();
  const { onDecision, onSettled } = countTiers(registry);
  for (let index = 0; index < 1000; index++) {
    const record = { tier: `tier ${index}`, denial: index % 2 ? 'THROTTLED' : undefined } as DecisionRecord;
    onDecision(record);
    onSettled(record, 2);
  }
  const many = await scrape(registry);
  expect(sumOf(many, 'tollgate_tier_decisions_total')).toBe(1000);
  expect(sumOf(many, 'tollgate_tier_cost_tokens_total')).toBe(2000);
  expect(many.get('tollgate_tier_cost_tokens_total{tier="(other)"}')).toBe(1600);
  expect(many.size).toBeLessThan(700);
});

it('a closed Tollgate removes its metrics from the registry, and a second Tollgate on one registry is rejected', async () => {
  const registry = new Registry();
  const schema = makeExecutableSchema({ typeDefs: TYPES });
  const start = (options: Partial<TollgateOptions> = {}) =>
    createTollgate({ schema, identify: () => ({}), metrics: registry, logger: SILENT, ...options });
  const first = await start();
  await expect(start()).rejects.toThrow(/^metrics: this registry has the metrics of another Tollgate\. .* globalThis$/);
  await first.close();
  expect(registry.getMetricsAsArray()).toEqual([]);
  // A Tollgate that cannot start also leaves no metrics in the registry.
  await expect(start({ postgres: 'postgres://127.0.0.1:1/none' })).rejects.toThrow();
  const second = await start();
  await first.close();
  expect(await registry.metrics()).toContain('tollgate_engine_errors_total');
  const names = registry.getMetricsAsArray().map(({ name }) => name);
  await second.close();

  // If another part of the program has cleared the registry, closing the old Tollgate does not
  // remove the metrics of the next one.
  const third = await start();
  registry.clear();
  const fourth = await start();
  await third.close();
  expect(await registry.metrics()).toContain('tollgate_engine_errors_total');
  await fourth.close();
  // A registry object works if it has the members that registration uses.
  const { contentType } = registry;
  const few = {
    contentType,
    metrics: () => registry.metrics(),
    registerMetric: (metric: never) => registry.registerMetric(metric),
    getSingleMetric: (name: string) => registry.getSingleMetric(name),
  };
  await (await start({ metrics: few })).close();
  registry.clear();

  const [one, other] = await Promise.allSettled([start(), start()]);
  expect(other).toMatchObject({
    reason: { message: expect.stringMatching(/^metrics: this registry has the metrics of/) },
  });
  expect(registry.getMetricsAsArray().map(({ name }) => name)).toEqual(names);
  if (one.status === 'fulfilled') await one.value.close();
  expect(registry.getMetricsAsArray()).toEqual([]);
});
