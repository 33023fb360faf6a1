import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MEASURES } from '../../../src/model/rule.js';
import { describeLimit, waitText } from '../../../src/protection/answer/describe-limit.js';
import { createRuleset } from '../../../src/rules/matching/ruleset.js';
import { parsePolicy } from '../../../src/rules/policy/parse-policy.js';
import type { RuleInput } from '../../../src/rules/policy/rule-input.js';

function words({ limit, ...rest }: Partial<RuleInput> & { limit: NonNullable<RuleInput['limits']>[number] }): string {
  const tier = { name: 'free', capacity: 1, refillAmount: 1, isDefault: true };
  const rule: RuleInput = {
    name: 'r',
    scope: 'USER',
    field: 'Query.search',
    measure: 'CALLS',
    ...rest,
    limits: [limit],
  };
  const policy = parsePolicy({ tiers: [tier], rules: [rule] });
  if (policy.problems) throw new Error(policy.problems.join());
  const ruleset = createRuleset({ ...policy, version: 1 });
  const found = ruleset.bindAll(ruleset.tier('free')).select({ subject: {}, root: '' });
  const bound = found.find(({ rule }) => rule !== undefined)!;
  return describeLimit(bound, bound.parameters.amount ?? bound.parameters.capacity ?? 0);
}
const window = (amount: number, windowMs: number) => ({ algorithm: 'FIXED_WINDOW', amount, windowMs }) as const;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

describe('descriptions of limits', () => {
  it.each([
    [{ limit: window(3, MINUTE) }, '3 calls of Query.search per minute per caller'],
    [{ limit: window(1, SECOND), scope: 'IP' }, '1 call of Query.search per second per address'],
    [
      { limit: { algorithm: 'CALENDAR_WINDOW', amount: 2, every: 'MONTH' } },
      '2 calls of Query.search per month (UTC) per caller',
    ],
    [
      {
        limit: {
          algorithm: 'CALENDAR_WINDOW',
          amount: 2,
          every: 'WEEK',
          timeZone: 'Asia/Kathmandu',
          anchorDay: 3,
          anchorTime: '06:00',
        },
        scope: 'TENANT',
      },
      '2 calls of Query.search per week (Asia/Kathmandu, from day 3 at 06:00) per tenant',
    ],
    [
      { limit: { algorithm: 'CALENDAR_WINDOW', amount: 2, every: 'YEAR', anchor: 'SUBJECT' } },
      '2 calls of Query.search per year (UTC, from the billing day) per caller',
    ],
    [
      { limit: window(2, 90 * SECOND), scope: 'GLOBAL' },
      '2 calls of Query.search per 90 seconds for all callers together',
    ],
    [{ limit: window(2, DAY), scope: 'TENANT', field: '*', measure: 'COST' }, '2 tokens per day per tenant'],
    [
      { limit: window(1, 2 * DAY), scope: 'API_KEY', field: '*', measure: 'REQUESTS' },
      '1 request per 2 days per API key',
    ],
    [{ limit: window(5, 36 * HOUR), field: '*', measure: 'NODES' }, '5 objects per 36 hours per caller'],
    [{ limit: window(5, 1500), field: '*', measure: 'TYPE_COST' }, '5 points of type cost per 1500 ms per caller'],
    [
      { limit: window(1, HOUR), field: 'Query.*', measure: 'FIELD_COST' },
      '1 point of field cost of Query.* per hour per caller',
    ],
    [
      { limit: { algorithm: 'TOKEN_BUCKET', capacity: 10, refillAmount: 2, refillPeriodMs: SECOND }, measure: 'COST' },
      '10 tokens of Query.search per caller, refilled by 2 per second',
    ],
    [
      {
        limit: { algorithm: 'LEAKY_BUCKET', capacity: 1, refillAmount: 1, refillPeriodMs: 5 * MINUTE },
        measure: 'CALLS',
      },
      '1 call of Query.search in the queue per caller, drained by 1 per 5 minutes',
    ],
    [
      { limit: { algorithm: 'CONCURRENCY', capacity: 2, leaseMs: 1000 }, field: '*', measure: 'REQUESTS' },
      '2 requests at a time per caller',
    ],
  ] as const)('the limit %j is described as: %s', (rule, expected) => {
    expect(words(rule as Parameters<typeof words>[0])).toBe(expected);
  });

  it('the description contains the amount, and a singular or plural noun that matches it, for every measure', () => {
    fc.assert(
      fc.property(fc.constantFrom(...MEASURES), fc.integer({ min: 1, max: 5 }), (measure, amount) => {
        const slots = { algorithm: 'CONCURRENCY', capacity: amount, leaseMs: MINUTE } as const;
        const limit = measure === 'SUBSCRIPTIONS' || measure === 'CONNECTIONS' ? slots : window(amount, MINUTE);
        const text = words({ limit, measure, field: '*' });
        const [count, noun] = text.split(' ');
        expect(count).toBe(String(amount));
        expect(noun!.endsWith('s')).toBe(amount !== 1);
      }),
    );
  });
});

describe('wait texts', () => {
  it('the wait text states at least the wait, and exceeds it by less than one unit', () => {
    const unitMs = new Map([
      ['second', SECOND],
      ['minute', MINUTE],
      ['hour', HOUR],
      ['day', DAY],
    ]);
    fc.assert(
      fc.property(fc.oneof(fc.integer({ min: 1, max: 200_000 }), fc.integer({ min: 1, max: 2 ** 40 })), (waitMs) => {
        const [count, unit] = waitText(waitMs).replace(/s$/, '').split(' ');
        const statedMs = Number(count) * unitMs.get(unit!)!;
        expect(statedMs).toBeGreaterThanOrEqual(waitMs);
        expect(statedMs - waitMs).toBeLessThan(unitMs.get(unit!)!);
      }),
    );
  });

  it.each([
    [1, '1 second'],
    [22_222, '23 seconds'],
    [90_000, '90 seconds'],
    [119_999, '120 seconds'],
    [120_001, '3 minutes'],
    [7_200_000, '2 hours'],
    [200_000_000, '3 days'],
  ])('a wait of %i ms is described as %s', (waitMs, expected) => {
    expect(waitText(waitMs)).toBe(expected);
  });
});
