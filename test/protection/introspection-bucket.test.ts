import { expect, it } from 'vitest';
import type { RuleInput } from '../../src/rules/policy/rule-input.js';
import { protectedApi } from '../helpers/testkit.js';

/** An operation with 90 introspection calls. The default bucket admits two of them at once. */
const NINETY = `{ ${Array.from({ length: 90 }, (_, index) => `a${index}: __type(name: "Item") { name }`).join(' ')} }`;

const exempt = (match: RuleInput['match']): RuleInput => ({
  name: 'open',
  scope: 'USER',
  field: '*.__type',
  measure: 'CALLS',
  match,
  limits: [],
  action: { type: 'EXEMPT' },
});

async function apiWith(rules: RuleInput[]) {
  const subjectOf = (user = 'anyone') => ({ user, tier: user === 'paying' ? 'pro' : 'free' });
  const bucket = { capacity: 1_000_000, refillAmount: 1000, refillPeriodMs: 1000, answer: 'FULL' as const };
  const tiers = [
    { name: 'free', isDefault: true, ...bucket },
    { name: 'pro', ...bucket },
  ];
  const api = await protectedApi({ subjectOf, tiers, rules });
  /** Returns the limit that denies one of four operations, or undefined. */
  return async (as: string) => {
    const deniers: unknown[] = [];
    for (let sent = 0; sent < 4; sent++) {
      const { errors } = await api.ask(NINETY, { as });
      if (errors) deniers.push(errors[0]!.extensions['deniedBy'] ?? errors[0]!.message);
    }
    return deniers[0];
  };
}

it.each([
  ['one user', { users: ['tool'] }, 'tool'],
  ['one tier', { tiers: ['pro'] }, 'paying'],
])('an exemption of %s from introspection limits leaves the default bucket of all other callers', async (_, match, who) => {
  const denierOf = await apiWith([exempt(match)]);
  expect(await denierOf(who)).toBeUndefined();
  expect(await denierOf('anyone')).toBe('introspection');
});

it('an exemption of all callers removes the default bucket', async () => {
  const denierOf = await apiWith([exempt({})]);
  expect(await denierOf('anyone')).toBeUndefined();
});

it('a limit for one user replaces the default bucket of this user alone', async () => {
  const { action: _action, ...rule } = exempt({ users: ['tool'] });
  const limits = [{ algorithm: 'FIXED_WINDOW' as const, amount: 100, windowMs: 86_400_000 }];
  const denierOf = await apiWith([{ ...rule, name: 'own', limits }]);
  expect(await denierOf('tool')).toBe('own');
  expect(await denierOf('anyone')).toBe('introspection');
});

it.each(['SHADOW', 'OFF'] as const)('an exemption in the mode %s does not remove the default bucket', async (mode) => {
  const denierOf = await apiWith([{ ...exempt({}), mode }]);
  expect(await denierOf('anyone')).toBe('introspection');
});
