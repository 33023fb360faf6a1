import { describe, expect, it } from 'vitest';
import { createPricer, type Fetcher, type WrittenOperation } from '../../src/graphiql/create-pricer.js';
import { type ProtectedApiOptions, protectedApi } from '../helpers/testkit.js';

const NOTHING = { variables: '', headers: '' };

/** Returns a fetcher like GraphiQL's own: it posts with the given headers. */
function fetcherOf(url: string, user: string) {
  const sent: { query: string; headers: Record<string, string> | undefined }[] = [];
  const fetcher: Fetcher = async (parameters, { headers } = {}) => {
    sent.push({ query: parameters.query, headers });
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-user': user, ...headers },
      body: JSON.stringify(parameters),
    });
    return response.json();
  };
  return { fetcher, sent };
}

async function start(options: ProtectedApiOptions = {}) {
  const api = await protectedApi({ mayReportCost: () => true, ...options });
  const { fetcher, sent } = fetcherOf(api.url, api.user);
  const priceOf = createPricer(fetcher);
  return {
    api,
    sent,
    fetcher,
    price: (query: string, more: Partial<WrittenOperation> = {}) => priceOf({ query, ...NOTHING, ...more }),
  };
}

describe('prices of an operation that is being written', () => {
  it('the price comes from the API, lists the most expensive fields first and executes nothing', async () => {
    const { api, price } = await start();
    expect(
      await price('query Q($n: Int!) { items(first: $n) { name } item { name } }', { variables: '{ "n": 20 }' }),
    ).toEqual({
      total: 21,
      fields: [
        expect.objectContaining({ coordinate: 'Query.items', cost: 20 }),
        expect.objectContaining({ coordinate: 'Query.item', cost: 1 }),
        expect.objectContaining({ coordinate: 'Item.name', cost: 0 }),
      ],
    });
    await price('mutation { save { name } }');
    expect(api.resolved()).toBe(0);
    // One token for each price, and one for the check whether the API reports prices.
    expect(await api.left()).toBe(97);
  });

  it('the price is that of the selected operation and is requested with the given headers', async () => {
    const { price, sent } = await start();
    const document = 'query Cheap { item { name } } query Expensive { items(first: 30) { name } }';
    expect(await price(document, { operationName: 'Expensive', headers: '{ "x-tenant": "acme" }' })).toMatchObject({
      total: 30,
    });
    expect(sent.map(({ headers }) => headers)).toEqual([
      { 'x-tenant': 'acme', 'graphql-cost': 'validate' },
      { 'x-tenant': 'acme', 'graphql-cost': 'validate' },
    ]);
  });

  it('the price is read from a promise, a stream, a list of parts or an observable', async () => {
    const { fetcher } = await start();
    const answer = (...given: Parameters<Fetcher>) => fetcher(...given) as Promise<unknown>;
    const stream: Fetcher = async function* (...given) {
      yield await answer(...given);
      throw new Error('the second part must not be read');
    };
    const parts: Fetcher = async (...given) => [await answer(...given)];
    const observable: Fetcher = (...given) => ({
      subscribe({ next, error }: { next(value: unknown): void; error(error: unknown): void }) {
        answer(...given).then(next, error);
        return { unsubscribe() {} };
      },
    });
    for (const one of [stream, parts, observable]) {
      expect(await createPricer(one)({ query: '{ item { name } }', ...NOTHING })).toMatchObject({ total: 1 });
    }
  });

  it('an operation above the ceiling still gets a price', async () => {
    const { price } = await start();
    expect(await price('{ items(first: 250) { name } }')).toMatchObject({ total: 250 });
  });

  it('a caller without tokens gets the time to wait instead of a price', async () => {
    const { price } = await start({ tier: { capacity: 2 } });
    expect(await price('{ item { name } }')).toMatchObject({ total: 1 });
    expect(await price('{ items(first: 2) { name } }')).toEqual({
      problem: expect.stringMatching(/^Rate limit exceeded: .*retry in 24 hours$/),
    });
  });

  it.each([
    ['an unknown field', '{ nothing }', {}, /Cannot query field "nothing"/],
    ['an incomplete operation', '{ item {', {}, /Syntax Error/],
    ['variables that are not JSON', '{ item { name } }', { variables: '{' }, /^The variables are not a JSON object\.$/],
    ['headers that are a list', '{ item { name } }', { headers: '[]' }, /^The headers are not a JSON object\.$/],
  ])('the pricer returns the problem of %s', async (_name, query, more, problem) => {
    const { price } = await start();
    expect(await price(query, more)).toEqual({ problem: expect.stringMatching(problem) });
  });
});

it('a price has no fields when the caller may not request cost reports', async () => {
  const { price } = await start({ mayReportCost: () => false });
  expect(await price('{ item { name } }')).toEqual({ total: 1, fields: [] });
});

describe('an API without prices', () => {
  /** Simulates a proxy that removes unknown headers, so that the API executes the operation. */
  const without = (fetcher: Fetcher, isLost: () => boolean): Fetcher => {
    return (parameters, options) => fetcher(parameters, isLost() ? {} : options);
  };

  it('the pricer sends no operation of the user to an API that would execute it', async () => {
    const { api, fetcher, sent } = await start();
    const priceOf = createPricer(without(fetcher, () => true));
    for (let time = 0; time < 3; time++) {
      const price = await priceOf({ query: 'mutation { save { name } }', ...NOTHING });
      expect(price).toEqual({ problem: expect.stringMatching(/^This API returns no price/) });
    }
    expect(sent.map(({ query }) => query)).toEqual(['{ __typename }']);
    expect(api.resolved()).toBe(0);
  });

  it('the pricer sends nothing more to an API that has executed an operation', async () => {
    const { fetcher, sent } = await start();
    let isLost = false;
    const priceOf = createPricer(without(fetcher, () => isLost));
    expect(await priceOf({ query: '{ item { name } }', ...NOTHING })).toMatchObject({ total: 1 });
    isLost = true;
    for (let time = 0; time < 2; time++) {
      expect(await priceOf({ query: '{ item { name } }', ...NOTHING })).toHaveProperty('problem');
    }
    expect(sent).toHaveLength(3);
  });

  it('the pricer sends requests to an API again after it was unreachable', async () => {
    const { fetcher } = await start();
    let isAway = true;
    const priceOf = createPricer((...given) => (isAway ? Promise.reject(new Error('away')) : fetcher(...given)));
    expect(await priceOf({ query: '{ item { name } }', ...NOTHING })).toEqual({
      problem: 'The API does not respond: away',
    });
    isAway = false;
    expect(await priceOf({ query: '{ item { name } }', ...NOTHING })).toMatchObject({ total: 1 });
  });
});
