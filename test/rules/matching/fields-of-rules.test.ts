import { buildSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { findRuleWarnings } from '../../../src/rules/matching/find-rule-warnings.js';
import { createKnownFields } from '../../../src/rules/matching/known-fields.js';
import { prepareRule } from '../../../src/rules/matching/prepare-rule.js';
import { parsePolicy, type RuleInput } from '../../../src/rules/policy/parse-policy.js';
import { sizeOf, tooManyLimits } from '../../../src/rules/policy/too-many-limits.js';
import { protectedApi } from '../../helpers/testkit.js';

const TIERS = [{ name: 'free', capacity: 100, refillAmount: 1, isDefault: true }];
const LIMITS = [{ algorithm: 'FIXED_WINDOW' as const, amount: 10, windowMs: 86_400_000 }];
const RULE = { name: 'one', scope: 'USER' as const, measure: 'CALLS' as const, limits: LIMITS };

function ruleOf(rule: Partial<RuleInput>) {
  const policy = parsePolicy({ tiers: TIERS, rules: [{ ...RULE, ...rule }] });
  if (policy.problems) throw new Error(policy.problems.join('\n'));
  return policy.rules[0]!;
}

describe('rules for several fields', () => {
  it('an operation that uses two of the fields is counted once, with the sum of their calls', async () => {
    const api = await protectedApi({
      rules: [
        { ...RULE, name: 'both', fields: ['Query.search', 'Query.item'] },
        { ...RULE, name: 'requests', measure: 'REQUESTS', fields: ['Query.search', 'Query.item'] },
      ],
    });
    await api.ask('{ a: item { name } b: item { name } search(text: "x") { name } }');
    expect(await api.used('both')).toBe(3);
    expect(await api.used('requests')).toBe(1);
    await api.ask('{ item { name } }');
    await api.ask('{ items(first: 2) { name } }');
    expect(await api.used('both')).toBe(4);
    expect(await api.used('requests')).toBe(2);
    const calls = Array.from({ length: 7 }, (_, index) => `a${index}: item { name }`).join(' ');
    const { errors } = await api.ask(`{ ${calls} }`);
    expect(errors![0]!.extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'both' });
    expect(errors![0]!.message).toContain('10 calls of Query.item, Query.search');
    expect(await api.used('both')).toBe(4);
  });

  it('a field below another field of the rule is not counted twice', async () => {
    const api = await protectedApi({
      rules: [{ ...RULE, name: 'cost', measure: 'COST', fields: ['Query.item', 'Item.parent'] }],
    });
    await api.ask('{ item { parent { name } } }');
    const { cost } = await api.ask('{ item { parent { name } } }', { headers: { 'graphql-cost': 'validate' } });
    // The estimate includes the item and its parent once each. The parent is null, so one is refunded.
    expect(cost.requestedQueryCost).toBe(2);
    expect(await api.used('cost')).toBe(1);
  });

  it('the order of the fields does not matter, and one field is the same as field', () => {
    const [first, second] = [
      ['Query.b', 'Query.a'],
      ['Query.a', 'Query.b'],
    ].map((fields) => ruleOf({ fields }));
    expect(first).toEqual(second);
    expect(first).toMatchObject({ fields: ['Query.a', 'Query.b'] });
    expect(prepareRule(first!).limits[0]!.id).toBe(prepareRule(second!).limits[0]!.id);
    expect(ruleOf({ fields: ['Query.a'] })).toEqual(ruleOf({ field: 'Query.a' }));
    expect(prepareRule(ruleOf({ field: 'Query.a' })).limits[0]!.id).toBe('USER|Query.a|CALLS|FIXED_WINDOW|86400000');
  });

  it.each<[object, string]>([
    [{}, '.field: expected "Type.field", "Type.*", "*.field" or "*", or several of these as fields, got neither'],
    [{ field: '*', fields: ['Query.a'] }, '.fields: expected either field or fields, got both'],
    [{ fields: 'Query.a' }, '.fields: expected a list, got "Query.a"'],
    [{ fields: [] }, '.fields: expected at least one element'],
    [{ fields: ['Query.a', 'Query'] }, '.fields[1]: expected "Type.field", "Type.*", "*.field" or "*", got "Query"'],
    [{ fields: ['Query.a', '*'] }, '.fields[1]: * includes all other fields: use it alone, as field'],
    [{ fields: ['Query.a', 'Query.a'] }, '.fields: expected each value once'],
    [{ fields: Array.from({ length: 51 }, (_, index) => `Query.f${index}`) }, '.fields: expected at most 50 elements'],
  ])('wrong fields are rejected with their name and the reason (%#)', (wrong, message) => {
    const { problems = [] } = parsePolicy({ tiers: TIERS, rules: [{ ...RULE, ...wrong }] });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`rules[0] ("one")${message}`);
  });

  it('a warning names each field that no schema has', () => {
    const fields = createKnownFields([buildSchema('type Query { search: Int item: Int }')]);
    const warningsOf = (...names: string[]) => {
      const rules = [ruleOf({ fields: names })];
      return findRuleWarnings({ rules, among: rules, tiers: [], fields }).map(({ message }) => message);
    };
    expect(warningsOf('Query.search', 'Query.item')).toEqual([]);
    expect(warningsOf('Query.serch', 'Query.item')).toEqual([
      'rule "one" does not count one of its fields: its field Query.serch is in no known schema; did you mean Query.search?',
    ]);
    expect(warningsOf('Query.serch', 'Query.itm')[1]).toContain('rule "one" has no effect: its field Query.serch');
  });

  it('the limits of a rule for several fields count at each of its fields', () => {
    const sizes = Array.from({ length: 8 }, (_, index) =>
      sizeOf({
        ...ruleOf({ fields: ['Query.a', `Query.b${index}`] }),
        limits: Array.from({ length: 8 }, () => LIMITS[0]!),
      }),
    );
    expect(tooManyLimits(TIERS, sizes)).toMatch(/up to 67 limits .* request "Query.a"/);
    expect(tooManyLimits(TIERS, sizes.slice(1))).toBeUndefined();
  });
});
