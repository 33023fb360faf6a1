import { expect, test } from 'vitest';
import type { LimitCharge } from '../../src/limiter/charge/create-limit-compiler.js';
import type { BucketParameters } from '../../src/model/limit-parameters.js';
import {
  actualCosts,
  createChargeBinder,
  idleCharge,
  type MeasurablePlan,
} from '../../src/protection/charge-binder.js';
import { createRuleset } from '../../src/rules/matching/ruleset.js';
import { parsePolicy } from '../../src/rules/policy/parse-policy.js';

const policy = parsePolicy({
  tiers: [
    { name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 1000, isDefault: true },
    { name: 'paid', capacity: 900, refillAmount: 9, refillPeriodMs: 1000 },
  ],
  rules: ['b', 'a'].map((field) => ({
    name: field,
    scope: 'USER' as const,
    field: `Query.${field}`,
    measure: 'CALLS' as const,
    limits: [1000, 60_000].map((windowMs) => ({ algorithm: 'FIXED_WINDOW' as const, amount: 50, windowMs })),
  })),
});
if (policy.problems) throw new Error(policy.problems.join());
const ruleset = createRuleset({ ...policy, version: 1 });

/** Returns a cost plan with these fields. The measure of a field is its name. */
const planOf = (fields: readonly string[]): MeasurablePlan<string> => ({
  measure: (matches) => fields.find((field) => matches !== 'OPERATION' && matches(`Query.${field}`)) ?? '',
});
const PLANS = [['a'], ['b'], ['a', 'b'], ['b', 'a']].map(planOf);
const TIERS = ['free', 'paid'].map((name) => ruleset.tier(name));
const OPERATION = { type: 'QUERY', name: undefined } as const;

/**
 * A sequence of requests with more different costs than the cache holds. Each cost occurs several
 * times.
 */
const REQUESTS = Array.from({ length: 4000 }, (_, i) => {
  const bucket: BucketParameters | undefined =
    i % 7 === 0 ? { capacity: 500, refillAmount: 5, refillPeriodMs: 1000 } : undefined;
  return { plan: PLANS[i % 4]!, tier: TIERS[(i >> 2) % 2]!, cost: (i * 31) % 97, calls: (i * 17) % 89, bucket };
});

test.each(['ENFORCE', 'SHADOW'] as const)('later requests do not change earlier charges in mode %s', (mode) => {
  const binder = createChargeBinder<string>({ mode, prepare: (charge) => ({ ...charge }) });
  const all: { charges: readonly LimitCharge[]; expected: readonly LimitCharge[] }[] = [];
  for (const { plan, tier, cost, calls, bucket } of REQUESTS) {
    const callsOf = (field: string) => (field === 'a' ? calls : calls + 1);
    const priced = { measure: (field: string) => ({ cost: 0, calls: callsOf(field) }) };
    const subject = { user: 'ann', ip: undefined, tenant: undefined, apiKey: undefined, tier: tier.name, bucket };
    const bound = binder.bind(plan, priced as never, cost, ruleset, tier, OPERATION, { subject, root: 'ann' } as never);
    const expected = bound.limits.flatMap((limit): LimitCharge[] => {
      const field = limit.pattern.text.replace('Query.', '');
      const charge = { ...idleCharge(limit), cost: limit.rule ? callsOf(field) : cost };
      return [mode === 'SHADOW' ? { ...charge, mode } : charge];
    });
    all.push({ charges: bound.charges, expected });
    const measures = bound.measures.map((field) => ({ cost: 0, calls: callsOf(field) + 5 }));
    const spent = actualCosts(bound, { cost: cost + 5, measures });
    expect(spent).toEqual(Object.fromEntries(expected.map((charge) => [charge.id, charge.cost + 5])));
  }
  for (const { charges, expected } of all) expect(charges).toEqual(expected);
});

test('plans with the same fields in another order share one charge object per limit for equal costs', () => {
  const binder = createChargeBinder<string>({ mode: 'ENFORCE' });
  const charged = PLANS.slice(2).map((plan) => {
    const priced = { measure: () => ({ cost: 0, calls: 3 }) };
    const request = { subject: { user: 'ann' }, root: 'ann' } as never;
    const { limits, charges } = binder.bind(plan, priced as never, 7, ruleset, TIERS[0]!, OPERATION, request);
    return new Map(limits.flatMap((limit, i) => (limit.rule ? [[limit.id, charges[i]!] as const] : [])));
  });
  expect(charged[0]!.size).toBe(4);
  for (const [id, charge] of charged[0]!) expect(charged[1]!.get(id)).toBe(charge);
});
