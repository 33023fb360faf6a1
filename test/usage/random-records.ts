import fc from 'fast-check';
import type { RecordedLimit, RecordedSubject, UsageRecord } from '../../src/model/usage-record.js';
import { NOT_MEASURED, sumsOf } from './one-record.js';

const NAMES = ['ann', 'bob', 'a:b', 'a\nb', '', 'x'.repeat(700), `${'x'.repeat(699)}y`, 'nul\0', 'half\ud83d', '𝒳'];
const FIELDS = ['Query.a', 'Query.b', 'A.c'] as const;

const subject = fc.record(
  {
    user: fc.constantFrom(...NAMES),
    tenant: fc.constantFrom('acme', 'a', 'tenant\0', ''),
    apiKey: fc.constantFrom('key1', 'key2'),
    ip: fc.constantFrom('10.0.0.1', '10.0.0.2', 'unidentified'),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<RecordedSubject>;

const numbers = fc.record({ calls: fc.nat(50), cost: fc.nat(500) });

const fields = fc
  .record({ asked: fc.subarray([...FIELDS]), estimated: fc.array(numbers, { minLength: 3, maxLength: 3 }) })
  .map(({ asked, estimated }) => asked.map((coordinate, index) => ({ coordinate, ...estimated[index]! })));

function limit(rule: string): fc.Arbitrary<RecordedLimit> {
  return fc.record({
    rule: fc.constant(rule),
    scope: fc.constantFrom('GLOBAL' as const, 'USER' as const),
    field: fc.constant('*'),
    charge: fc.nat(100),
    actual: fc.option(fc.nat(100), { nil: undefined }),
    limit: fc.nat(1000),
    used: fc.nat(1000),
    remaining: fc.nat(1000),
    retryAfterMs: fc.nat(1000),
    wouldDeny: fc.boolean(),
  });
}

/** Random operations of few callers around midnight, so that many fall into the same rows. */
export const randomRecord: fc.Arbitrary<UsageRecord> = fc
  .record({
    atMs: fc.integer({ min: Date.parse('2026-03-01T22:58:00Z'), max: Date.parse('2026-03-02T01:02:00Z') }),
    durationMs: fc.nat(5000),
    subject,
    tier: fc.constantFrom('free', 'pro'),
    operationType: fc.constantFrom('QUERY' as const, 'MUTATION' as const, 'UNPRICED' as const),
    operationName: fc.option(fc.constantFrom('Home', 'Page\0', 'n'.repeat(300)), { nil: undefined }),
    isAgent: fc.boolean(),
    client: fc.option(fc.constantFrom('web', 'c'.repeat(300)), { nil: undefined }),
    askedBy: fc.option(
      fc.record({ integration: fc.constantFrom('api', 'ext-authz'), service: fc.constantFrom('shop', undefined) }),
      { nil: undefined },
    ),
    batchId: fc.option(fc.maxSafeNat(), { nil: undefined }),
    denied: fc.option(
      fc.record({
        denial: fc.constantFrom('THROTTLED' as const, 'MAX_COST_EXCEEDED' as const, 'UNAVAILABLE' as const),
        // `tier:pro` stands for a cost ceiling that is not one of the limits below.
        deniedBy: fc.constantFrom('per-user', 'tier:free', 'tier:pro'),
      }),
      { nil: undefined, freq: 3 },
    ),
    degraded: fc.boolean(),
    estimatedCost: fc.nat(1000),
    actualCost: fc.option(fc.nat(1000), { nil: undefined }),
    // `per-user` occurs twice, because two windows of one rule are two limits.
    limits: fc.tuple(limit('per-user'), limit('per-user'), limit('shadow'), limit('tier:free')),
    taken: fc.subarray([0, 1, 2, 3]),
    estimated: fields,
    actual: fc.option(fields, { nil: undefined }),
  })
  .map(({ denied, limits, taken, estimated, actual, actualCost, ...rest }) => ({
    ...rest,
    actualCost: denied ? undefined : actualCost,
    denial: denied?.denial,
    deniedBy: denied?.deniedBy,
    limits: taken.map((index) => limits[index]!),
    fields: {
      ...NOT_MEASURED,
      estimated: () => estimated,
      actual: () => (denied || !actual ? undefined : sumsOf(actual)),
      measured: () =>
        estimated.map(({ coordinate }) => ({
          coordinate,
          estimated: { calls: 1, cost: 2 },
          actual: denied ? undefined : { calls: 3, cost: 4 },
        })),
    },
  }));
