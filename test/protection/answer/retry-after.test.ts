import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QUOTA_HEADERS } from '../../../src/index.js';
import { retryAfterSeconds } from '../../../src/protection/answer/quota-headers.js';
import { protectedApi } from '../../helpers/testkit.js';

describe('Retry-After', () => {
  it('is never earlier than the milliseconds that it was made of, and never a second later', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), (retryAfterMs) => {
        const text = retryAfterSeconds(retryAfterMs);
        expect(text).toMatch(/^[1-9]\d*$/);
        expect(Number(text) * 1000).toBeGreaterThanOrEqual(retryAfterMs);
        expect(Number(text) * 1000 - Math.max(retryAfterMs, 1)).toBeLessThan(1000);
      }),
    );
  });

  it('tells over HTTP of no time at which the bucket has not refilled by what is missing', async () => {
    const bucket = fc.record({
      capacity: fc.integer({ min: 10, max: 200 }),
      refillAmount: fc.integer({ min: 1, max: 20 }),
      refillPeriodMs: fc.integer({ min: 1000, max: 1_000_000 }),
    });
    await fc.assert(
      fc.asyncProperty(bucket, fc.integer({ min: 1, max: 10 }), async (tier, n) => {
        const api = await protectedApi({ tier });
        try {
          const query = `{ items(first: ${n}) { name } }`;
          // Half of each is refunded, so it takes up to twice as many.
          let denial = await api.ask(query);
          for (let turn = 0; denial.status === 200 && turn < 500; turn++) denial = await api.ask(query);
          const { retryAfterMs } = denial.errors![0]!.extensions as { retryAfterMs: number };
          expect(Number(denial.headers.get('retry-after')) * 1000).toBeGreaterThanOrEqual(retryAfterMs);
          const { restoreRate, currentlyAvailable } = denial.cost.throttleStatus;
          const there = currentlyAvailable + (retryAfterMs * tier.refillAmount) / tier.refillPeriodMs;
          // What is left is told in whole tokens, rounded down.
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

describe('the recipe for pages of another origin', () => {
  it('names every header of an answer, by what the package exports', () => {
    const text = readFileSync(new URL('../../../docs/answers.md', import.meta.url), 'utf8');
    expect(text).toContain("import { QUOTA_HEADERS } from 'tollgate';\n\nconst exposedHeaders = [...QUOTA_HEADERS];");
    expect(QUOTA_HEADERS).toContain('retry-after');
  });
});
