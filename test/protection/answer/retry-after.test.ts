import { readFileSync } from 'node:fs';
import { ApolloServer } from '@apollo/server';
import * as fc from 'fast-check';
import { buildSchema } from 'graphql';
import { describe, expect, inject, it } from 'vitest';
import { createPlugin } from '../../../src/apollo/create-plugin.js';
import { createCostAnalyzer } from '../../../src/cost/create-cost-analyzer.js';
import { QUOTA_HEADERS } from '../../../src/index.js';
import { createProtectionLimiter } from '../../../src/limiter/create-limiter.js';
import { retryAfterSeconds } from '../../../src/protection/answer/quota-headers.js';
import { createFee } from '../../../src/protection/charge-fee.js';
import { createRuleset } from '../../../src/rules/matching/ruleset.js';
import { parsePolicy } from '../../../src/rules/policy/parse-policy.js';
import { PATIENT } from '../../helpers/patient.js';
import { uniqueName } from '../../helpers/servers.js';
import { protectedApi } from '../../helpers/testkit.js';

describe('Retry-After', () => {
  it('Retry-After is at least as long as the wait, and exceeds it by less than a second', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), (retryAfterMs) => {
        const text = retryAfterSeconds(retryAfterMs);
        expect(text).toMatch(/^[1-9]\d*$/);
        expect(Number(text) * 1000).toBeGreaterThanOrEqual(retryAfterMs);
        expect(Number(text) * 1000 - Math.max(retryAfterMs, 1)).toBeLessThan(1000);
      }),
    );
  });

  it('after Retry-After seconds, the bucket has refilled the missing tokens', async () => {
    const bucket = fc.record({
      capacity: fc.integer({ min: 10, max: 200 }),
      refillAmount: fc.integer({ min: 1, max: 20 }),
      // On a slow machine, a bucket that refills faster would not be empty after 500 operations.
      refillPeriodMs: fc.integer({ min: 30_000, max: 1_000_000 }),
    });
    await fc.assert(
      fc.asyncProperty(bucket, fc.integer({ min: 1, max: 10 }), async (tier, n) => {
        const api = await protectedApi({ tier });
        try {
          const query = `{ items(first: ${n}) { name } }`;
          // About half of each cost is refunded, so the bucket admits about twice as many
          // operations as without refunds.
          let denial = await api.ask(query);
          for (let turn = 0; denial.status === 200 && turn < 500; turn++) denial = await api.ask(query);
          const { retryAfterMs } = denial.errors![0]!.extensions as { retryAfterMs: number };
          expect(Number(denial.headers.get('retry-after')) * 1000).toBeGreaterThanOrEqual(retryAfterMs);
          const { restoreRate, currentlyAvailable } = denial.cost.throttleStatus;
          const there = currentlyAvailable + (retryAfterMs * tier.refillAmount) / tier.refillPeriodMs;
          // The remaining amount is reported in whole tokens, rounded down.
          expect(there + 1).toBeGreaterThanOrEqual(denial.cost.requestedQueryCost);
          expect(restoreRate).toBeGreaterThan(0);
        } finally {
          await api.close();
        }
      }),
      { numRuns: 8 },
    );
  });
});

describe('seconds until a limit is full again', () => {
  it.each([
    ['Redis', () => inject('redisUrl')],
    ['memory', () => undefined],
  ])('the reset seconds use the clock of %s, independent of the clock of the instance', async (_, redisOf) => {
    const redis = redisOf();
    for (const aheadMs of [300_000, -300_000]) {
      const limiter = createProtectionLimiter({ ...PATIENT, now: () => Date.now() + aheadMs, ...(redis && { redis }) });
      const schema = buildSchema('type Query { item: Int }');
      const day = { refillAmount: 100, refillPeriodMs: 86_400_000, answer: 'FULL' as const, isDefault: true };
      const policy = parsePolicy({ tiers: [{ name: 'free', capacity: 100, ...day }], rules: [] });
      if (policy.problems) throw new Error(policy.problems.join());
      const ruleset = createRuleset({ ...policy, version: 1 });
      const plugin = createPlugin({
        schema,
        analyzer: createCostAnalyzer(schema),
        limiter,
        chargeFee: createFee({ limiter, fee: 1, mode: 'ENFORCE', denialStatus: 429 }),
        ruleset: () => ruleset,
        identify: () => ({ user: uniqueName('clock') }),
      });
      const server = new ApolloServer({ schema, plugins: [plugin] });
      for (const query of ['{ item }', '{ nothing }']) {
        const { http } = await server.executeOperation({ query });
        const [, seconds] = /;t=(\d+)$/.exec(http.headers.get('ratelimit')!)!;
        // One token is missing, and its refill takes 864 seconds.
        expect(Number(seconds)).toBeGreaterThan(864 - 60);
        expect(Number(seconds)).toBeLessThanOrEqual(865);
      }
      await server.stop();
      await limiter.close();
    }
  });
});

describe('CORS recipe', () => {
  it('the CORS recipe uses the exported list of all quota headers', () => {
    const text = readFileSync(new URL('../../../docs/responses.md', import.meta.url), 'utf8');
    expect(text).toContain("import { QUOTA_HEADERS } from 'tollgate';\n\nconst exposedHeaders = [...QUOTA_HEADERS];");
    expect(QUOTA_HEADERS).toContain('retry-after');
  });
});
