import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { RuleInput } from '../../../src/index.js';
import { ADMIN_TOKEN, type Platform, post } from '../../helpers/platform.js';
import { until } from '../../helpers/until.js';
import { type AbuseApi, countCases, STACKS, serveAbuseApi } from '../serve.js';
import { BEHIND_GATEWAY, type OpenPlatform, PLATFORMS } from './platforms.js';

const FREE = { 'x-api-key': 'demo-free' };
const PRO = { 'x-api-key': 'demo-pro' };

/**
 * Two searches and a field `bad` that fails because of its argument. The field is non-null, so its
 * error makes the data of the whole response null.
 */
const WIPED_SEARCHES = `{
  countries(first: 250) { name }
  a: search(text: "land", first: 250) { __typename }
  b: search(text: "an", first: 250) { __typename }
  bad: countriesConnection(place: "nope") { totalCount }
}`;

const write = (place: string, at: number) =>
  `w${at}: noteSave(input: { place: "${place}", text: "note ${at}" }) { note { id } }`;

describe.each(PLATFORMS)('errors that a caller provokes, $on', ({ on, open }) => {
  const isGateway = on === BEHIND_GATEWAY;
  let platform: Platform;
  let forwarded: OpenPlatform['forwarded'];
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ platform, forwarded, close } = await open());
    for (const name of ['free', 'pro']) {
      const parameters = 'capacity: 1000000, refillAmount: 1, refillPeriodMs: 1000000, maxCostPerOperation: 100000';
      const mutation = `mutation { tierUpdate(input: { name: "${name}", ${parameters} }) { userErrors { code } } }`;
      const { body } = await post(`${platform.url}/admin/graphql`, mutation, {
        authorization: `Bearer ${ADMIN_TOKEN}`,
      });
      expect(body.data.tierUpdate.userErrors).toEqual([]);
    }
  });
  afterAll(() => close());

  const api = (query: string, key: Record<string, string>) => post(`${platform.url}/graphql`, query, key);

  it('A26: a failing field next to searches refunds neither the searches nor their cost', async (context) => {
    const answers = [];
    const before = await forwarded?.();
    for (let index = 0; index < 40; index++) answers.push(await api(WIPED_SEARCHES, FREE));
    const admitted = answers.filter(({ body }) => body.data === null);
    for (const { body } of admitted) {
      const { actualQueryCost, requestedQueryCost } = body.extensions.cost;
      expect(requestedQueryCost).toBeGreaterThan(500);
      expect(actualQueryCost).toBe(requestedQueryCost);
    }
    // A rule of the sample API allows 20 searches per minute, and each operation contains two.
    expect(admitted).toHaveLength(10);
    if (before !== undefined) expect(await forwarded?.()).toBe(before + 10);
    for (const { status, body } of answers.slice(10)) {
      expect(status).toBe(429);
      expect(body.errors[0].extensions).toMatchObject({ code: 'THROTTLED', deniedBy: 'search-per-user' });
    }
    countCases(context, answers.length);
  });

  // The gateway does not forward hashes: it prices and forwards the text of the request.
  it.skipIf(isGateway).each([
    ['a hash of another text', { version: 1, sha256Hash: 'a'.repeat(64) }, /sha does not match/],
    ['an unknown version', { version: 2, sha256Hash: 'a'.repeat(64) }, /persisted query version/],
    ['no hash at all', 5, /persisted query version/],
  ])(
    'A11: a request with %s gets 400 and pays the fee, and is no failure of the platform',
    async (_, persistedQuery, message) => {
      const body = { query: '{ regions { name } }', extensions: { persistedQuery } };
      const answer = await post(`${platform.url}/graphql`, body, FREE);
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toMatchObject([
        { message: expect.stringMatching(message), extensions: { code: 'BAD_REQUEST' } },
      ]);
      expect(answer.body.extensions.cost.fee).toBe(1);
    },
  );

  it.each([
    'subscription { noteSaved { id } }',
    'subscription { __typename }',
    'query A { regions { name } } subscription B { __typename }',
  ])('A11: %s gets 400 and pays the fee if the API has no subscriptions', async (query) => {
    const answer = await post(
      `${platform.url}/graphql`,
      { query, ...(query.includes('B') && { operationName: 'B' }) },
      FREE,
    );
    expect(answer.status).toBe(400);
    expect(answer.body.errors).toMatchObject([{ extensions: { code: 'BAD_REQUEST' } }]);
    expect(answer.body.errors[0].message).toMatch(/the schema of this API has no subscription type/);
    expect(answer.body.extensions.cost.fee).toBe(1);
  });

  it('A26: writes that ran before a failing write are counted as writes', async (context) => {
    const writes = [...Array.from({ length: 25 }, (_, at) => write('SWE', at)), write('nowhere', 25)];
    const before = (await api('{ notes(first: 250) { id } }', FREE)).body.data.notes.length;
    const first = await api(`mutation { ${writes.join(' ')} }`, FREE);
    expect(first.body).toMatchObject({ data: null, extensions: { cost: { requestedQueryCost: 62 } } });
    const again = await api(`mutation { ${writes.join(' ')} }`, FREE);
    expect(again.status).toBe(429);
    expect(again.body.errors[0].extensions.deniedBy).toBe('writes-per-user');
    const after = (await api('{ notes(first: 250) { id } }', FREE)).body.data.notes.length;
    expect(after - before).toBe(25);
    countCases(context, 2);
  });

  it('A26: items of a list that errors made null are charged with everything below them', async () => {
    const places = '["europe", "asia", "africa", "SWE"]';
    const borders = 'all: countries(first: 50) { borders { name } } bad: countries(first: -1) { name }';
    const { body } = await api(`{ places(ids: ${places}) { name ... on Region { ${borders} } } }`, PRO);
    expect(body.data.places.map((place: unknown) => place === null)).toEqual([true, true, true, false]);
    const { actualQueryCost, requestedQueryCost } = body.extensions.cost;
    expect(actualQueryCost).toBeGreaterThan((3 / 4) * requestedQueryCost - 50);
    // Only the server that executes the operation knows the types of the other items. The gateway
    // does not know them, so it charges the estimate.
    if (isGateway) expect(actualQueryCost).toBe(requestedQueryCost);
    else expect(actualQueryCost).toBeLessThan(requestedQueryCost);
  });

  // If one item of a list throws, graphql-js 16 leaves a rejection of an earlier item unhandled.
  // An unhandled rejection would end the Node.js process.
  it('A26: an item that fails after another item has failed its list does not end the process', async (context) => {
    const fails = 'countries(first: -1) { name }';
    const query = `{ search(text: "swed", first: 2) { ... on Country { languages { ${fails} } } ... on Language { ${fails} } } }`;
    for (let index = 0; index < 5; index++) {
      const { body } = await api(query, PRO);
      expect(body.data).toBeNull();
      expect(body.errors[0].path).toEqual(['search', 1, 'countries']);
    }
    expect((await api('{ country(code: "SE") { name } }', PRO)).status).toBe(200);
    countCases(context, 5);
  });

  it('A26: a field that a variable includes is charged even after a response that had nothing to include', async (context) => {
    const query = `query ($first: Int!, $on: Boolean = true) {
      countries(first: $first) { name borders @include(if: $on) { name } } bad: country(code: "SE") @skip(if: $on) { name }
    }`;
    const send = (variables: Record<string, unknown>) => post(`${platform.url}/graphql`, { query, variables }, PRO);
    const { body: first } = await send({ first: 100 });
    const paid = first.extensions.cost.actualQueryCost;
    const borders = first.data.countries.map((country: { borders: unknown[] }) => country.borders.length);
    expect(paid).toBe(100 + borders.reduce((sum: number, count: number) => sum + count, 0));
    // The earlier responses contain an empty list or no data.
    for (const before of [
      { first: 0, on: false },
      { first: 100, on: null },
      { first: -1, on: false },
    ]) {
      // This operation has a different text, so Tollgate does not know its actual cost from the
      // first operation.
      const other = query.replace('query', `query Q${Math.abs(before.first)}${before.on}`);
      await post(`${platform.url}/graphql`, { query: other, variables: before }, PRO);
      const { body } = await post(`${platform.url}/graphql`, { query: other, variables: { first: 100 } }, PRO);
      expect(body.extensions.cost.actualQueryCost).toBe(paid);
    }
    countCases(context, 7);
  });

  it('A26: an operation with a missing variable is rejected and costs at most one token', async () => {
    const query = 'query Q($first: Int!) { countries(first: $first) { name } }';
    const rejected = await api(query, PRO);
    expect(rejected.status).toBe(400);
    expect(rejected.body.extensions.cost.actualQueryCost ?? 0).toBeLessThanOrEqual(1);
  });
});

// Only a server that runs the resolvers itself knows when they have ended.
describe.each(STACKS)('concurrency slots, $stack', ({ redis }) => {
  let api: AbuseApi;
  afterEach(() => api.close());

  async function serve(capacity: number, maxBatchSize = 0) {
    const oneSlotLimit = { algorithm: 'CONCURRENCY', capacity, leaseMs: 3_600_000 } as const;
    const rule: RuleInput = { name: 'places', scope: 'USER', field: '*', measure: 'REQUESTS', limits: [oneSlotLimit] };
    const url = redis();
    api = await serveAbuseApi({ rules: [rule], maxBatchSize, ...(url !== undefined && { redis: url }) });
  }
  const taken = async () => (await api.tollgate.quota({ user: api.user })).find(({ rule }) => rule === 'places')?.used;
  const EARLY = '{ slow { id } rejects { id } }';

  it('A26: a slot stays occupied until the resolvers end, even if an error has ended the response earlier', async (context) => {
    await serve(2);
    const answers = [];
    for (let index = 0; index < 40; index++) answers.push(await api.attemptConcurrently({ query: EARLY }));
    expect(api.waiting()).toBe(2);
    const denied = answers.filter(({ body }) => body.errors[0].extensions.deniedBy === 'places');
    expect(denied).toHaveLength(38);
    expect(await taken()).toBe(2);
    api.release();
    await until('the slots are free', async () => (await taken()) === 0);
    countCases(context, answers.length);
  });

  it('A26: a slot stays occupied until the resolvers end, even after its client has disconnected, and even in a batch', async (context) => {
    await serve(2, 2);
    const gone = new AbortController();
    const body = JSON.stringify({ query: '{ slow { id } }' });
    const leaving = api.attemptConcurrently({ raw: { method: 'POST', body, signal: gone.signal } });
    leaving.catch(() => {});
    await until('the operation runs', () => api.waiting() === 1);
    gone.abort();
    await until('the server has noticed the disconnect', () => api.departed() === 1);
    expect(await taken()).toBe(1);
    api.release();
    await until('the slot is free', async () => (await taken()) === 0);

    const both = JSON.stringify([{ query: EARLY }, { query: '{ item { id } }' }]);
    await api.attemptConcurrently({ raw: { method: 'POST', body: both } });
    expect(api.waiting()).toBe(1);
    expect(await taken()).toBe(2);
    api.release();
    await until('the slots are free', async () => (await taken()) === 0);
    countCases(context, 2);
  });
});

it('A26: a slot behind the gateway stays occupied until the API has responded', async (context) => {
  const oneSlotLimit = { algorithm: 'CONCURRENCY', capacity: 2, leaseMs: 3_600_000 } as const;
  const rule: RuleInput = { name: 'places', scope: 'USER', field: '*', measure: 'REQUESTS', limits: [oneSlotLimit] };
  const api = await serveAbuseApi({ rules: [rule], maxBatchSize: 2, gateway: true });
  const both = JSON.stringify([{ query: '{ slow { id } }' }, { query: '{ item { id } }' }]);
  const running = api.attemptConcurrently({ raw: { method: 'POST', body: both } });
  await until('the batch runs', () => api.waiting() === 1 && api.resolved() === 2);
  for (let index = 0; index < 20; index++) {
    const { body } = await api.attempt({ query: '{ slow { id } }' });
    expect(body.errors[0].extensions.deniedBy).toBe('places');
  }
  expect(api.forwarded()).toBe(2);
  api.release();
  expect((await running).body).toHaveLength(2);
  await until('the slots are free', async () => {
    const { status } = await api.attemptConcurrently({ query: '{ item { id } }' });
    return status === 200;
  });
  countCases(context, 22);
});
