import { expect, it } from 'vitest';
import { SuggestionBudget } from '../../src/protection/suggestion-budget.js';

const ann = { user: 'ann' };

it('one caller and all callers together use a bounded number of steps in each second', () => {
  let nowMs = 0;
  const budget = new SuggestionBudget(() => nowMs);
  const spendAll = (user: string) => {
    let steps = 0;
    for (; budget.allows({ user }); steps += 1000) budget.spend({ user }, 1000);
    return steps;
  };
  for (const second of [0, 1, 2]) {
    nowMs = second * 1000;
    const ofAnn = spendAll('ann');
    expect(ofAnn).toBeGreaterThan(1000);
    let all = ofAnn;
    for (let i = 0; i < 100; i++) all += spendAll(`user ${i}`);
    expect(all).toBeLessThanOrEqual(10 * ofAnn);
    expect(spendAll('ann')).toBe(0);
    nowMs += 999;
    expect(budget.allows(ann)).toBe(false);
  }
});

it('the suggestions of one caller do not use up those of others', () => {
  const budget = new SuggestionBudget(() => 0);
  while (budget.allows(ann)) budget.spend(ann, 1000);
  expect([budget.allows(ann), budget.allows({ user: 'bob' }), budget.allows({ tenant: 'ann', user: 'ann' })]).toEqual([
    false,
    true,
    true,
  ]);
});
