import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { expect, it } from 'vitest';
import type { Rule } from '../../../src/model/rule.js';
import type { Subject } from '../../../src/model/subject.js';
import { inRollout } from '../../../src/rules/matching/rule-index.js';
import { createRuleset } from '../../../src/rules/matching/ruleset.js';
import { parseFieldPattern } from '../../../src/rules/policy/field-pattern.js';
import { parsePolicy, type RuleInput } from '../../../src/rules/policy/parse-policy.js';

const TIERS = ['free', 'pro'].map((name, index) => ({
  name,
  capacity: 100,
  refillAmount: 1,
  isDefault: index === 0,
}));
const FIELDS = ['*', '*.*', 'Query.*', '*.id', 'Query.search', 'User.id', 'Mutation.login'];
const some = <T>(...values: T[]) => fc.option(fc.uniqueArray(fc.constantFrom(...values), { maxLength: 2 }));

const names = (...values: string[]) =>
  fc.oneof(fc.constant(undefined), fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 }));

const rule = fc.record({
  mode: fc.constantFrom('OFF' as const, 'SHADOW' as const, 'ENFORCE' as const, 'ENFORCE' as const),
  rolloutPercent: fc.constantFrom(0, 30, 100, 100),
  priority: fc.nat(3),
  tiers: some('free', 'pro'),
  operationTypes: some('QUERY' as const, 'MUTATION' as const),
  operationNames: some('A', 'B'),
  clients: some('web', 'app'),
  addresses: some('10.0.0.0/8', '10.1.0.0/16', '10.1.2.3', '2001:db8::/32'),
  callers: fc.constantFrom(undefined, undefined, 'ANONYMOUS' as const, 'IDENTIFIED' as const),
  credentials: fc.constantFrom(undefined, undefined, ['NONE', 'TOKEN'], ['KEY']),
  agents: fc.constantFrom(undefined, undefined, true as const),
  users: names('ann', 'an*', 'bob', '*', 'ann1*'),
  tenants: names('acme', 'ac*', 'a*'),
  keys: names('tg_1', 'tg_*'),
  document: fc.constantFrom(undefined, undefined, 'REGISTERED' as const, 'UNREGISTERED' as const),
  apps: names('web', 'we*', 'tv'),
  appVersions: names('1.0', '1.*'),
  scope: fc.constantFrom('USER' as const, 'GLOBAL' as const),
  fields: fc.oneof(
    fc.constantFrom(...FIELDS).map((field) => [field]),
    fc.uniqueArray(fc.constantFrom(...FIELDS.slice(2)), { minLength: 2, maxLength: 3 }),
  ),
  measure: fc.constantFrom('COST' as const, 'REQUESTS' as const),
  exempt: fc.integer({ min: 0, max: 4 }).map((number) => number === 0),
});

const request = fc.record({
  tier: fc.constantFrom('free', 'pro'),
  type: fc.constantFrom('QUERY' as const, 'MUTATION' as const),
  name: fc.constantFrom(undefined, 'A', 'C'),
  coordinates: fc.uniqueArray(fc.constantFrom('Query.search', 'Query.user', 'User.id', 'Mutation.login'), {
    minLength: 1,
  }),
  client: fc.constantFrom(undefined, 'web', 'tv'),
  ip: fc.constantFrom(undefined, '10.1.2.3', '10.9.9.9', '11.1.1.1', '2001:db8:1:2::/64'),
  root: fc.constantFrom('a', 'b', 'c'),
  user: fc.constantFrom(undefined, 'ann', 'ann12', 'bob', 'an', 'a*'),
  tenant: fc.constantFrom(undefined, undefined, 'acme', 'other'),
  apiKey: fc.constantFrom(undefined, undefined, 'tg_1', 'tg_2', 'x'),
  keyKind: fc.constantFrom(undefined, 'AGENT' as const, 'SERVICE' as const),
  isAgentClient: fc.boolean(),
  document: fc.constantFrom(undefined, { app: 'web', version: '1.0' }, { app: 'tv', version: '2.0' }),
});
type Drawn = typeof request extends fc.Arbitrary<infer T> ? T : never;

/**
 * Selects the limits by the literal definition. It checks every rule completely and takes the best
 * rule of each level.
 */
function selectByDefinition(rules: readonly Rule[], drawn: Drawn): string[] {
  const within = <T>(list: readonly T[] | undefined, value: T | undefined) =>
    !list?.length || (value !== undefined && list.includes(value));
  const inBlock = (block: string) => {
    const address = ipaddr.process((drawn.ip ?? '').split('/')[0] ?? '');
    const [network, bits] = block.includes('/')
      ? ipaddr.parseCIDR(block)
      : [ipaddr.process(block), ipaddr.process(block).toByteArray().length * 8];
    return address.kind() === network.kind() && (address as ipaddr.IPv4).match(network as ipaddr.IPv4, bits as number);
  };
  const named = (list: readonly string[] | undefined, value: string | undefined) =>
    !list ||
    (value !== undefined &&
      list.some((one) => (one.endsWith('*') ? value.startsWith(one.slice(0, -1)) : one === value)));
  const { user, tenant, apiKey } = drawn;
  const isAnonymous = user === undefined && tenant === undefined && apiKey === undefined;
  const credential = apiKey !== undefined ? 'KEY' : isAnonymous ? 'NONE' : 'TOKEN';
  const applies = ({ match, field, fields = [field!], rolloutPercent, id, mode }: Rule) =>
    mode !== 'OFF' &&
    within(match.tiers, drawn.tier) &&
    within(match.operationTypes, drawn.type) &&
    within(match.operationNames, drawn.name) &&
    within(match.clients, drawn.client) &&
    (!match.addresses?.length || (drawn.ip !== undefined && match.addresses.some(inBlock))) &&
    (field === '*' || drawn.coordinates.some((one) => fields.some((each) => parseFieldPattern(each)?.matches(one)))) &&
    (match.callers === undefined || (match.callers === 'ANONYMOUS') === isAnonymous) &&
    within(match.credentials, credential) &&
    (!match.agents || drawn.isAgentClient || drawn.keyKind === 'AGENT') &&
    named(match.users, user) &&
    named(match.tenants, tenant) &&
    named(match.keys, apiKey) &&
    (match.document === undefined || (match.document === 'REGISTERED') === (drawn.document !== undefined)) &&
    named(match.apps, drawn.document?.app) &&
    named(match.appVersions, drawn.document?.version) &&
    inRollout(id, drawn.root, rolloutPercent);
  const applying = rules.filter(applies);
  const order = (one: Rule) => [one.action.type === 'EXEMPT' ? 0 : 1, one.priority, one.id] as const;
  const levelOf = (one: Rule) => `${one.scope} ${one.fields ?? one.field} ${one.measure}`;
  const best = new Map<string, Rule>();
  const wins = (one: Rule) => {
    const other = best.get(levelOf(one));
    return !other || compare(order(one), order(other)) < 0;
  };
  for (const one of applying.filter(({ mode }) => mode === 'ENFORCE')) if (wins(one)) best.set(levelOf(one), one);
  const winners = [...best.values()];
  const bucketIsExempt = winners.some(
    ({ scope, field, measure, action }) =>
      scope === 'USER' && field === '*' && measure === 'COST' && action.type === 'EXEMPT',
  );
  return [
    ...winners.filter(({ action }) => action.type !== 'EXEMPT').map(({ name }) => name),
    ...(bucketIsExempt ? [] : [`tier:${drawn.tier}`]),
    ...applying.filter((one) => one.mode === 'SHADOW' && one.limits.length > 0 && wins(one)).map(({ name }) => name),
  ].sort();
}

function compare(a: readonly (number | string)[], b: readonly (number | string)[]): number {
  for (const [index, value] of a.entries()) {
    if (value !== b[index]) return value < (b[index] as typeof value) ? -1 : 1;
  }
  return 0;
}

it('matching selects exactly the limits of the definition, for any rules and any request', () => {
  fc.assert(
    fc.property(
      fc.array(rule, { maxLength: 12 }),
      fc.array(request, { minLength: 1, maxLength: 5 }),
      fc.nat(4095),
      (drawn, asked, previous) => {
        const inputs = drawn.map(
          ({ exempt, mode, rolloutPercent, priority, scope, fields, measure, ...match }, index) => ({
            ...{ mode, rolloutPercent, priority, scope, fields, measure },
            name: `rule-${index}`,
            match: Object.fromEntries(Object.entries(match).filter(([, condition]) => condition)),
            limits: exempt ? [] : [{ algorithm: 'FIXED_WINDOW', amount: 1, windowMs: 1000 }],
            action: exempt ? { type: 'EXEMPT' } : { type: 'REJECT' },
          }),
        ) as RuleInput[];
        const policy = parsePolicy({ tiers: TIERS, rules: inputs });
        if (policy.problems) throw new Error(policy.problems.join('\n'));
        // The previous rules are an arbitrary part of the rules. Bindings that the new ruleset
        // reuses from the old one must be correct.
        const before = policy.rules.filter((_, index) => (previous >> index) & 1);
        const old = createRuleset({ ...policy, rules: before, version: 1 });
        for (const one of asked) old.bind(old.tier(one.tier), one);
        const ruleset = createRuleset({ ...policy, version: 2 }, old);
        for (const one of asked) {
          const { user, tenant, apiKey, keyKind, ip, isAgentClient, document } = one;
          const subject = Object.fromEntries(
            Object.entries({ user, tenant, apiKey, keyKind, ip }).filter(([, name]) => name !== undefined),
          ) as Subject;
          const limits = ruleset
            .bind(ruleset.tier(one.tier), one)
            .select({ subject, root: one.root, client: one.client, isAgentClient, document });
          expect(limits.map(({ ruleName }) => ruleName).sort()).toEqual(selectByDefinition(policy.rules, one));
          const ranks = limits.filter(({ mode }) => mode === 'ENFORCE').map(({ pattern }) => pattern.rank);
          expect(ranks).toEqual([...ranks].sort());
        }
      },
    ),
    { numRuns: 500 },
  );
});
