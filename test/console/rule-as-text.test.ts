import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildASTSchema, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import type { RuleCreateInput } from '../../console/src/generated/graphql.js';
import { draftOfVersion, ruleAsMutation, ruleAsYaml } from '../../console/src/pages/rules/versions/rule-as-text.js';
import { parsePolicy } from '../../src/rules/policy/parse-policy.js';
import { parsePolicyDocument } from '../../src/rules/policy/policy-document.js';

const schema = buildASTSchema(parse(readFileSync(new URL('../../schema/admin.graphql', import.meta.url), 'utf8')));
const amount = fc.integer({ min: 1, max: 1000 });
const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 20 })
  .filter((one) => !/[\0\ud800-\udfff]/u.test(one));
const limit = fc.oneof(
  fc.record({ tokenBucket: fc.record({ capacity: amount, refillAmount: amount, refillPeriodMs: amount }) }),
  fc.record({ leakyBucket: fc.record({ capacity: amount, refillAmount: amount, refillPeriodMs: amount }) }),
  fc.record({ fixedWindow: fc.record({ amount, windowMs: amount, countDenied: fc.boolean() }) }),
  fc.record({ slidingWindowCounter: fc.record({ amount, windowMs: amount, strict: fc.boolean() }) }),
  fc.record({ slidingWindowLog: fc.record({ amount, windowMs: amount, key: fc.constantFrom('no', '1e3', 'a-b') }) }),
  fc.record({ concurrency: fc.record({ capacity: amount, leaseMs: amount }) }),
);
const rule: fc.Arbitrary<RuleCreateInput> = fc.record({
  name: fc.constantFrom('a', 'yes', '1', '- "x": #y', "it's", '{', '*', '&a', '!t', '%'),
  description: text,
  fields: fc.constantFrom<string[]>(['*'], ['Query.a'], ['*.b'], ['*.b', 'Query.a']),
  scope: fc.constantFrom('USER', 'GLOBAL'),
  measure: fc.constantFrom('COST', 'CALLS'),
  mode: fc.constantFrom('OFF', 'SHADOW', 'ENFORCE'),
  rolloutPercent: fc.constantFrom(0, 12.5, 100),
  match: fc.oneof(
    fc.constant({}),
    fc.record({
      operationTypes: fc.tuple(fc.constant('QUERY' as const)),
      operationNames: fc.uniqueArray(text, { minLength: 1 }),
    }),
    fc.record({
      agents: fc.constant(true),
      callers: fc.constantFrom('ANONYMOUS' as const, 'IDENTIFIED' as const),
      credentials: fc.tuple(fc.constantFrom('KEY' as const, 'NONE' as const)),
      users: fc.uniqueArray(text, { minLength: 1 }),
    }),
    fc.record({
      document: fc.constantFrom('REGISTERED' as const, 'UNREGISTERED' as const),
      apps: fc.uniqueArray(text, { minLength: 1 }),
      appVersions: fc.uniqueArray(text, { minLength: 1 }),
    }),
  ),
  action: fc.constant({ type: 'REJECT' as const }),
  limits: fc.tuple(limit),
});

/** A stored rule has `field` if it has one field. */
function asStored({ fields = [], ...rest }: RuleCreateInput): RuleCreateInput {
  return { ...rest, ...(fields?.length === 1 ? { field: fields[0]! } : { fields }) };
}

test('a rule copied as YAML is the same rule for `tollgate rules plan`, whatever its texts are', async () => {
  await fc.assert(
    fc.asyncProperty(rule, async (one) => {
      const read = await parsePolicyDocument(ruleAsYaml(one));
      if (read.problems) throw new Error(read.problems.join());
      const policy = parsePolicy({ tiers: [], rules: read.document.rules });
      if (policy.problems) throw new Error(policy.problems.join());
      // The draft survives the round trip through the format of the record of changes.
      expect(draftOfVersion({ ...policy.rules[0], version: 1, retiredAt: null })).toMatchObject(asStored(one));
    }),
  );
});

test('a rule copied as a mutation is valid for the admin API', () => {
  fc.assert(
    fc.property(rule, (one) => {
      expect(validate(schema, parse(ruleAsMutation(one)))).toEqual([]);
    }),
  );
});
