import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * Keys of each WeakMap of the product. None may be an object of a request: the map would keep the
 * entries until the next full garbage collection. On protected servers, this increased processor
 * time by more than half. Use src/runtime/create-object-notes.ts for such data instead.
 */
const KEYED_BY: Readonly<Record<string, string>> = {
  'admin/resolvers/document-version-resolver.ts': 'the schema of an API',
  'admin/types/rules-in-code.ts': 'rules',
  'apollo/create-plugin.ts': 'schemas',
  'cost/compile/dominating-fields.ts': 'types and fields',
  'documents/check-names.ts': 'schemas',
  'gateway/byte-rate.ts': 'documents',
  'gateway/forward.ts': 'documents',
  'gateway/print-for-upstream.ts': 'documents',
  'gateway/upstream/create-skim-store.ts': 'documents',
  'gateway/upstream/skip-interim.ts': 'connections to the API',
  'limiter/charge/anchored-limit.ts': 'limits',
  'limiter/charge/checked-request.ts': 'limits',
  'limiter/charge/create-moved-limits.ts': 'limits',
  'limiter/charge/portable-charge.ts': 'limits',
  'limiter/charge/source-of.ts': 'limits',
  'limiter/denials/caller-keys.ts': 'limits, and sets of them',
  'limiter/lease/divide.ts': 'sets of limits',
  'limiter/queue/may-wait.ts': 'limits',
  'limiter/algorithms/create-shares.ts': 'limits',
  'runtime/create-object-notes.ts': 'objects that nothing can be attached to',
  'protection/answer/quota-headers.ts': 'limits',
  'protection/answer/rate-limit-numbers.ts': 'schemas',
  'protection/charge-binder.ts': 'plans, and limits',
  'protection/find-forbidden-field.ts': 'schemas',
  'protection/kept-charges.ts': 'limits',
  'protection/slots/watch-resolvers.ts': 'schemas',
  'protection/charge-fee.ts': 'rules',
  'protection/recorded-operation.ts': 'plans',
  'registry/find-broken-documents.ts': 'schemas',
  'rules/live/create-ruleset-in-force.ts': 'rules',
  'rules/live/stored-rules.ts': 'rules',
  'rules/matching/bind-rules.ts': 'limits',
  'rules/matching/known-fields.ts': 'schemas',
  'rules/matching/prepare-rule.ts': 'rules',
  'rules/matching/ruleset.ts': 'rules',
  'rules/store/policy-sync.ts': 'rules of a policy',
  'usage/record/create-denied-documents.ts': 'plans',
};

test('every file with a WeakMap is listed with its keys, none of which a request creates', () => {
  const folder = new URL('../../src/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const having = files.filter((file) => readFileSync(new URL(file, folder), 'utf8').includes('new WeakMap'));
  expect(having.sort()).toEqual(Object.keys(KEYED_BY).sort());
});
