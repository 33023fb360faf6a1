import fc from 'fast-check';
import { expect, test } from 'vitest';
import { budgetText } from '../../console/src/pages/tiers/budget-text.js';
import { priceText } from '../../console/src/pages/tiers/price-text.js';
import {
  changesOf,
  draftOfTier,
  NEW_TIER,
  tierOfDraft,
  updateOfDraft,
} from '../../console/src/pages/tiers/tier-draft.js';
import { draftOnto } from '../../console/src/parts/form/draft-onto.js';

const amount = fc.integer({ min: 1, max: 2 ** 31 - 1 });
const ceiling = fc.option(amount);
const tier = fc.record({
  id: fc.constant('1'),
  name: fc.constant('pro'),
  displayName: fc.string({ minLength: 1 }).map((name) => `x${name.trim()}`),
  monthlyPrice: fc.option(
    fc.record({ amountMinor: fc.nat(10 ** 9), currency: fc.constantFrom('USD', 'EUR', 'JPY', 'KWD', 'ZZZ') }),
  ),
  capacity: amount,
  refillAmount: amount,
  refillPeriodMs: fc.integer({ min: 1, max: 10 ** 9 }),
  budget: fc.option(
    fc.record(
      {
        amount,
        every: fc.constantFrom('WEEK' as const, 'MONTH' as const),
        timeZone: fc.constantFrom('UTC', 'Europe/Berlin'),
        anchorDay: fc.integer({ min: 1, max: 7 }),
        hardCap: amount,
        carryOver: fc.record({ percent: fc.integer({ min: 1, max: 100 }), max: amount }),
      },
      { requiredKeys: ['amount', 'every'] },
    ),
  ),
  maxCostPerOperation: ceiling,
  maxNodesPerOperation: ceiling,
  maxTypeCostPerOperation: ceiling,
  maxFieldCostPerOperation: ceiling,
  answer: fc.constantFrom('BRIEF' as const, 'FULL' as const, 'NONE' as const),
  isDefault: fc.boolean(),
  version: amount,
});

test('saving a tier without changes sends no change, and its draft loses no value', () => {
  fc.assert(
    fc.property(tier, (one) => {
      const draft = draftOfTier(one);
      expect(updateOfDraft(draft, draft, one.version)).toEqual({ name: 'pro', expectedVersion: one.version });
      const { id, version, ...values } = one;
      expect(tierOfDraft(draft)).toEqual(values);
    }),
  );
});

test('when two people change a tier at the same time, the merged draft contains both changes', () => {
  fc.assert(
    fc.property(tier, tier, fc.integer({ min: 1, max: 1000 }), (one, theirs, capacity) => {
      const first = draftOfTier(one);
      const mine = { ...first, capacity: `${capacity}` };
      const merged = draftOnto(draftOfTier(theirs), mine, first);
      const isMine = capacity !== one.capacity;
      expect(merged).toEqual({ ...draftOfTier(theirs), ...(isMine && { capacity: `${capacity}` }) });
    }),
  );
});

test('an emptied ceiling or price is cleared instead of kept', () => {
  const first = { ...NEW_TIER, maxNodesPerOperation: '5', price: '9' };
  expect(changesOf({ ...first, maxNodesPerOperation: ' ', price: '' }, first)).toEqual({
    maxNodesPerOperation: null,
    monthlyPrice: null,
  });
});

test('a price is shown in the main unit of its currency', () => {
  expect(priceText({ amountMinor: 4900, currency: 'USD' })).toBe('$49 per month');
  expect(priceText({ amountMinor: 490, currency: 'USD' })).toBe('$4.90 per month');
  expect(priceText({ amountMinor: 700, currency: 'JPY' })).toBe('¥700 per month');
  expect(priceText({ amountMinor: 700, currency: '??' })).toBe('7 ?? per month');
  expect(priceText(null)).toBe('not set');
});

test('a budget is described with its period and time zone', () => {
  expect(budgetText({ amount: 10_000, every: 'MONTH', timeZone: 'Europe/Berlin', anchorDay: 15 })).toBe(
    '10,000 tokens per month (Europe/Berlin), from day 15',
  );
});
