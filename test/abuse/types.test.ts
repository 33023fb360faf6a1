import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RuleInput } from '../../src/index.js';
import { uniqueName } from '../helpers/servers.js';
import { type AbuseApi, countCases, serveAbuseApi, TARGETS } from './serve.js';

/**
 * Attacks on the field `shelf`, which returns two books and an item. A book costs 4, its field
 * `weighty` 50, and the item that this field returns 1.
 */
const ATTACKS = [
  {
    attack: 'the name of an expensive field as the alias of a cheap one',
    query: '{ shelf { ... on Item { w: parent { children(first: 1000) { id } } } ... on Book { w: weighty { id } } } }',
    cost: 1 + 1 + 2 + 2 * (4 + 51),
  },
  {
    attack: 'a string field under the alias that __typename has elsewhere',
    query: '{ shelf { ... on Item { t: __typename w: parent { id } } ... on Book { t: kind w: weighty { id } } } }',
    cost: 1 + 1 + 2 * (4 + 51),
  },
  {
    attack: 'a string field under the alias __typename',
    query: `{ shelf { ... on Item { __typename w: parent { id } } ... on Book { __typename: kind w: weighty { id } } } }`,
    cost: 1 + 1 + 2 * (4 + 51),
  },
  {
    attack: 'names that the server might use itself',
    query: `{ shelf { ... on Item { __tollgateType: id __tollgateType_: parent { id } }
      ... on Book { __tollgateType: id __tollgateType_: weighty { id } } } }`,
    cost: 1 + 1 + 2 * (4 + 51),
  },
  {
    attack: 'a condition on the field that shows the type',
    query: `query ($no: Boolean = false) { shelf { ... on Item { only: id @include(if: $no) w: parent { id } }
      ... on Book { w: weighty { id } } } }`,
    cost: 1 + 1 + 2 * (4 + 51),
  },
  {
    attack: 'a fragment that is spread at two places',
    query: `{ shelf { ...W } node { ...W } }
      fragment W on Node { ... on Item { w: parent { ...I } } ... on Book { w: weighty { ...I } } } fragment I on Item { id }`,
    cost: 1 + 1 + 2 * (4 + 51) + 1 + 1,
  },
  {
    attack: 'no field of the objects themselves',
    query: 'query ($no: Boolean = false) { shelf { ... on Node { id @include(if: $no) } } }',
    cost: 1 + 2 * 4,
  },
  {
    attack: 'lists of different lengths under one name',
    query: '{ shelf { ... on Item { a: children(first: 1000) { id } } ... on Book { a: pages { id } } } }',
    cost: 1 + 2 + 2 * (4 + 3),
  },
];

describe.each(TARGETS)('types that look like others, $behind', ({ redis, gateway }) => {
  let api: AbuseApi;
  beforeAll(async () => {
    const url = redis();
    const limits = [{ algorithm: 'FIXED_WINDOW' as const, amount: 10_000, windowMs: 86_400_000 }];
    const rules: RuleInput[] = [{ name: 'weighty', scope: 'USER', field: 'Book.weighty', measure: 'CALLS', limits }];
    api = await serveAbuseApi({ rules, gateway, ...(url !== undefined && { redis: url }) });
  });
  afterAll(() => api.close());

  it.each(
    ATTACKS,
  )('A27: an operation with $attack is charged by the returned types, and its response is as requested', async ({
    query,
    cost,
  }) => {
    const { status, body } = await api.attempt({ query }, uniqueName('reader'));
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.extensions.cost.actualQueryCost, JSON.stringify(body.data)).toBe(cost);
    expect(cost).toBeLessThanOrEqual(body.extensions.cost.requestedQueryCost);
    // The caller has sent no other operation, so the tokens that are missing in the bucket are the
    // cost of this operation.
    const { maximumAvailable, currentlyAvailable } = body.extensions.cost.throttleStatus;
    expect(maximumAvailable - currentlyAvailable).toBe(cost);
    // The gateway removes the type fields that it added to the operation. So the response contains
    // only names of the operation.
    const names = [...JSON.stringify(body.data).matchAll(/"(\w+)":/g)].map(([, name]) => name!);
    expect([...new Set(names)].filter((name) => !new RegExp(`\\b${name}\\b`).test(query))).toEqual([]);
  });

  it('A27: calls of a limited field are counted for the objects that have it, under every alias', async (context) => {
    const calls = async () =>
      (await api.tollgate.quota({ user: api.user })).find(({ rule }) => rule === 'weighty')!.remaining;
    for (const name of ['w', 'parent', 'id', '__typename', '__tollgateType']) {
      const before = await calls();
      await api.attempt({
        query: `{ shelf { ... on Item { ${name}: parent { children(first: 100) { id } } } ... on Book { ${name}: weighty { id } } } }`,
      });
      await expect.poll(async () => before - (await calls()), { message: name }).toBe(2);
    }
    countCases(context, 5);
  });
});
