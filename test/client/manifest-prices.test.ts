import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client/core';
import { Client, cacheExchange, fetchExchange } from '@urql/core';
import { parse } from 'graphql';
import { GraphQLClient } from 'graphql-request';
import { describe, expect, it } from 'vitest';
import { tollgateLink } from '../../packages/client/src/apollo.js';
import { createManifestPrices } from '../../packages/client/src/manifest.js';
import { createPacedFetch, type PacedFetchOptions } from '../../packages/client/src/paced-fetch.js';
import { createPacer, type PacerEvent } from '../../packages/client/src/pacer.js';
import { tollgateExchange } from '../../packages/client/src/urql.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { type ProtectedApi, protectedApi } from '../helpers/testkit.js';

// A client with a manifest knows the price of its first operation, and detects a manifest of
// another schema.

const QUERY = `query Items($n: Int!, $more: Boolean = false) {
  items(first: $n) { ...Name }
  again: items(first: 3) @include(if: $more) { name }
}
fragment Name on Item { name }`;

const TIER = { capacity: 100, refillAmount: 100, refillPeriodMs: 1000, answer: 'BRIEF' as const };

const CLIENTS: Record<string, (api: ProtectedApi, options: PacedFetchOptions, variables: object) => Promise<unknown>> =
  {
    'graphql-request': (api, options, variables) =>
      new GraphQLClient(api.url, { fetch: createPacedFetch(fetch, options) }).request(QUERY, variables),
    'Apollo Client': (api, { pacer, priceOf }, variables) => {
      const link = ApolloLink.from([
        tollgateLink({ pacer: pacer!, priceOf: priceOf! }),
        new HttpLink({ uri: api.url }),
      ]);
      return new ApolloClient({ cache: new InMemoryCache(), link }).query({ query: gql(QUERY), variables });
    },
    urql: async (api, { pacer, priceOf }, variables) => {
      const exchanges = [cacheExchange, tollgateExchange({ pacer: pacer!, priceOf: priceOf! }), fetchExchange];
      const client = new Client({ url: api.url, preferGetMethod: false, exchanges });
      const { error } = await client.query(QUERY, variables);
      if (error) throw error;
    },
  };

function watched() {
  const events: PacerEvent[] = [];
  const pacer = createPacer({ onEvent: (event) => void events.push(event) });
  const of = <Type extends PacerEvent['type']>(type: Type) =>
    events.filter((event): event is Extract<PacerEvent, { type: Type }> => event.type === type);
  return { pacer, of };
}

describe('prices from a manifest', () => {
  it.each(
    Object.keys(CLIENTS),
  )('a manifest gives %s the prices of the server, from the first operation on', async (name) => {
    const api = await protectedApi({ tier: TIER });
    const { manifest } = createCostAnalyzer(api.schema).manifest([{ document: parse(QUERY) }]);
    const { pacer, of } = watched();
    const priceOf = createManifestPrices(JSON.parse(JSON.stringify(manifest)));
    for (const [variables, price] of [
      [{ n: 7 }, 7],
      [{ n: 4, more: true }, 7],
      [{ n: 9, more: false }, 9],
    ] as const) {
      await CLIENTS[name]!(api, { pacer, priceOf }, variables);
      expect(of('SENT').at(-1)!.price).toBe(price);
    }
    expect(of('WRONG_PRICE')).toEqual([]);
  });

  it('a manifest price is not used again once a response has contradicted it', async () => {
    const api = await protectedApi({ tier: TIER });
    const stale = createCostAnalyzer(api.schema, { overlay: { Item: { cost: 3 } } });
    const { manifest } = stale.manifest([{ document: parse(QUERY) }]);
    const { pacer, of } = watched();
    const options = { pacer, priceOf: createManifestPrices(manifest) };
    await CLIENTS['graphql-request']!(api, options, { n: 7 });
    await CLIENTS['graphql-request']!(api, options, { n: 7 });
    expect(of('SENT').map(({ price }) => price)).toEqual([21, 7]);
    expect(of('WRONG_PRICE')).toMatchObject([{ price: 21, requestedCost: 7 }]);
  });

  it('a manifest has no price for unknown operations and damaged entries, and another version throws', async () => {
    const api = await protectedApi({ tier: TIER });
    const { manifest } = createCostAnalyzer(api.schema).manifest([{ document: parse(QUERY) }]);
    const priceOf = createManifestPrices(manifest);
    expect(priceOf({ document: '{ items(first: 1) { name } }' })).toBeUndefined();
    expect(priceOf({ document: '' })).toBeUndefined();
    const [hash] = Object.keys(manifest.operations);
    for (const damaged of [{}, null, 'x', { ops: [9, 9, 9], variables: [], sums: [], result: 4 }]) {
      const operations = { [hash!]: damaged };
      expect(
        createManifestPrices({ ...manifest, operations })({ document: QUERY, variables: { n: 1 } }),
      ).toBeUndefined();
    }
    expect(() => createManifestPrices({ ...manifest, version: 2 } as never)).toThrow(/tollgate cost --manifest/);
  });
});
