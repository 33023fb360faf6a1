import { Registry } from 'prom-client';
import type { RuleInput, TierInput, TollgateOptions, UsageOptions } from '../../src/index.js';
import { createTollgate } from '../../src/index.js';
import type { Precision } from '../../src/model/limit-parameters.js';
import { BUCKET, WINDOWS } from '../decision/workload.js';
import type { BenchContext, CreateProtection } from './protection.js';

const window = (index: 0 | 1 | 2 | 3 | 4) => {
  const { amount, windowMs } = WINDOWS[index];
  return { algorithm: 'SLIDING_WINDOW_COUNTER' as const, amount, windowMs };
};

const tier: TierInput = { name: 'bench', isDefault: true, ...BUCKET, capacity: 1_000_000_000 };

/**
 * Together with the tier's bucket these are six limits, the same as in the benchmark of a single
 * decision.
 */
const rules: RuleInput[] = [
  { name: 'queries-per-user', scope: 'USER', field: 'Query.*', measure: 'CALLS', limits: [window(0)] },
  { name: 'requests-per-tenant', scope: 'TENANT', field: '*', measure: 'REQUESTS', limits: [window(1), window(2)] },
  { name: 'requests-per-address', scope: 'IP', field: '*', measure: 'REQUESTS', limits: [window(3), window(4)] },
];

const silent = { info: () => {}, warn: () => {}, error: (_: object, message: string) => console.error(message) };

/** Protects with the plugin, with counters in this process. */
export const tollgateInMemory: CreateProtection = (schema) => protect(schema);

/**
 * Protects with the plugin, with counters in this process, and with full or no cost reports in the
 * responses.
 */
export const answeringInMemory =
  (answer: 'FULL' | 'NONE'): CreateProtection =>
  (schema) =>
    protect(schema, undefined, {}, answer);

/** Protects with the plugin, with counters in Redis. */
export const tollgateOnRedis: CreateProtection = (schema, redis) => protect(schema, redis);

/** Protects with the plugin, with counters in Redis, leased if they are charged often. */
export const tollgateLeased: CreateProtection = (schema, redis) => protect(schema, redis, {}, 'BRIEF', 'LEASED');

/**
 * Protects with the plugin, with counters in Redis and rules in PostgreSQL, with or without
 * recording of usage.
 */
export function tollgateOnPostgres(postgres: string, usage: UsageOptions | false): CreateProtection {
  // A busy machine would cause degraded decisions with the default deadline. Each of them is
  // recorded as an event, and this work would be measured too.
  const deadlineMs = 2_000;
  return (schema, redis) => protect(schema, redis, { postgres, usage, metrics: new Registry(), deadlineMs });
}

/** Returns options with the same tier and rules, for benchmarks that use another adapter. */
export const benchPolicy = (redis?: string, precision: Precision = 'EXACT') => ({
  tiers: [{ ...tier, answer: 'BRIEF' as const }],
  tierPrecision: precision,
  rules: rules.map((rule) => ({ ...rule, precision })),
  logger: silent,
  // A degraded decision takes a different amount of work. With the default deadline, a busy machine
  // would cause such decisions.
  ...(redis !== undefined && { redis, deadlineMs: 2_000 }),
});

async function protect(
  schema: Parameters<CreateProtection>[0],
  redis?: string,
  more: Pick<TollgateOptions, 'postgres' | 'usage' | 'metrics' | 'deadlineMs'> = {},
  answer: TierInput['answer'] = 'BRIEF',
  precision: Precision = 'EXACT',
) {
  const tollgate = await createTollgate<BenchContext>({
    schema,
    // If the subject has a tier, the caller is not looked up in PostgreSQL.
    identify: ({ contextValue: { subject } }) => (more.postgres ? { ...subject, tier: 'bench' } : subject),
    ...more,
    tiers: [{ ...tier, answer }],
    tierPrecision: precision,
    rules: rules.map((rule) => ({ ...rule, precision })),
    logger: silent,
    ...(redis !== undefined && { redis }),
  });
  return { plugins: [tollgate.plugin()], close: () => tollgate.close() };
}
