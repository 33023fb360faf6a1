import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client/core';
import { Client, fetchExchange } from '@urql/core';
import { GraphQLClient } from 'graphql-request';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { tollgateLink } from '../../packages/client/src/apollo.js';
import { createPacedFetch } from '../../packages/client/src/paced-fetch.js';
import type { PacerEvent } from '../../packages/client/src/pacer.js';
import { useQuota } from '../../packages/client/src/react.js';
import { tollgateExchange } from '../../packages/client/src/urql.js';
import type { RuleInput } from '../../src/rules/policy/parse-policy.js';
import { type ProtectedApi, protectedApi } from '../helpers/testkit.js';

// Tests of the real clients over HTTP, with an Apollo Server that Tollgate protects. The bucket has
// tokens for ten of these operations and refills within a second.

const QUERY = 'query Items($n: Int!) { items(first: $n) { name } }';
const OPERATIONS = 30;
/** Tier of the tests that set no tier. */
const TIER = { capacity: 100, refillAmount: 100, refillPeriodMs: 1000, answer: 'BRIEF' as const };
const SEARCHES: RuleInput[] = [
  {
    name: 'searches',
    scope: 'USER',
    field: 'Query.search',
    measure: 'CALLS',
    limits: [{ algorithm: 'TOKEN_BUCKET', capacity: 1, refillAmount: 1, refillPeriodMs: 500 }],
  },
];

function counting() {
  const events: PacerEvent[] = [];
  const count = (type: PacerEvent['type']) => events.filter((event) => event.type === type).length;
  return { onEvent: (event: PacerEvent) => void events.push(event), count };
}

/** Sends one operation and then many in parallel, as an app does. Returns the results' lengths. */
async function sendMany(ask: (n: number) => Promise<number>): Promise<number[]> {
  const first = await ask(10);
  return [first, ...(await Promise.all(Array.from({ length: OPERATIONS - 1 }, () => ask(10))))];
}

const CLIENTS: Record<
  string,
  (api: ProtectedApi, onEvent: (event: PacerEvent) => void) => (query: string, variables: object) => Promise<unknown>
> = {
  'graphql-request': ({ url }, onEvent) => {
    const client = new GraphQLClient(url, { fetch: createPacedFetch(fetch, { onEvent }) });
    return (query, variables) => client.request(query, variables);
  },
  'Apollo Client': ({ url }, onEvent) => {
    const link = ApolloLink.from([tollgateLink({ onEvent }), new HttpLink({ uri: url })]);
    const client = new ApolloClient({ cache: new InMemoryCache(), link });
    return async (query, variables) => {
      const { data } = await client.query({
        query: gql(query),
        variables,
        fetchPolicy: 'network-only',
        context: { queryDeduplication: false },
      });
      return data;
    };
  },
  urql: ({ url }, onEvent) => {
    const client = new Client({
      url,
      preferGetMethod: false,
      exchanges: [tollgateExchange({ onEvent }), fetchExchange],
    });
    return async (query, variables) => {
      const { data, error } = await client.query(query, variables, { requestPolicy: 'network-only' }).toPromise();
      if (error) throw error;
      return data;
    };
  },
};

describe.each(Object.entries(CLIENTS))('%s with pacing', (_name, connect) => {
  it('a paced client gets a response to every operation of a burst', async () => {
    const api = await protectedApi({ tier: TIER });
    const { onEvent, count } = counting();
    const send = connect(api, onEvent);
    // urql and Apollo send one request for identical operations in flight, so each operation is
    // different.
    let next = 0;
    const lengths = await sendMany(async (n) => {
      const data = (await send(`query Q${next++ % OPERATIONS}($n: Int!) { items(first: $n) { name } }`, { n })) as {
        items: unknown[];
      };
      return data.items.length;
    });
    expect(lengths).toEqual(Array.from({ length: OPERATIONS }, () => 5));
    expect(count('SENT')).toBe(OPERATIONS + count('DENIED'));
    // The client learns the price of a document only from a response. Therefore, a burst of new
    // documents may exceed the bucket.
    expect(count('DENIED')).toBeLessThanOrEqual(OPERATIONS);
  });

  it('a paced client waits and resends an operation that a rule has denied, and each operation runs once', async () => {
    const api = await protectedApi({ tier: TIER, rules: SEARCHES });
    const { onEvent, count } = counting();
    const send = connect(api, onEvent);
    const found = await Promise.all(
      ['a', 'b', 'c'].map((text) => send(`query S_${text}($text: String!) { search(text: $text) { name } }`, { text })),
    );
    expect(found).toEqual(Array.from({ length: 3 }, () => ({ search: [expect.objectContaining({ name: 'x' })] })));
    expect(count('DENIED')).toBeGreaterThan(0);
    expect(api.resolved()).toBe(3);
  });

  it('a paced client passes on a permanent rejection without a retry', async () => {
    const api = await protectedApi({ tier: TIER });
    const { onEvent, count } = counting();
    const send = connect(api, onEvent);
    await expect(send(QUERY, { n: 1000 })).rejects.toThrow(/expensive/);
    expect(count('SENT')).toBe(1);
  });

  it('a paced client passes on the error of an unreachable server and does not retry', async () => {
    const { onEvent, count } = counting();
    const send = connect({ url: 'http://127.0.0.1:1/graphql' } as ProtectedApi, onEvent);
    await expect(send(QUERY, { n: 1 })).rejects.toThrow();
    expect(count('SENT')).toBe(1);
  });
});

describe('a paced fetch', () => {
  it('a paced fetch is never denied in a burst in which a fetch without pacing is', async () => {
    const tier = { ...TIER, refillAmount: 20 };
    const post =
      ({ url }: ProtectedApi, send: typeof fetch) =>
      async (n: number) => {
        const body = JSON.stringify({ query: QUERY, variables: { n } });
        const response = await send(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
        return response.status;
      };
    // Without pacing the bucket need not refill.
    const unpaced = await sendMany(post(await protectedApi({ tier: { ...tier, refillPeriodMs: 86_400_000 } }), fetch));
    expect(unpaced.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5);
    const { onEvent, count } = counting();
    const paced = await sendMany(
      post(await protectedApi({ tier }), createPacedFetch(fetch, { onEvent }) as typeof fetch),
    );
    expect(paced.filter((status) => status === 200)).toHaveLength(OPERATIONS);
    expect(count('DENIED')).toBe(0);
  });

  it('a paced fetch passes on requests other than GraphQL without pacing', async () => {
    const seen: string[] = [];
    const send = createPacedFetch(async (input) => {
      seen.push(String(input));
      return new Response('ok');
    });
    await send('http://example.test/logo.png');
    await send('http://example.test/upload', { method: 'POST', body: new FormData() });
    expect(seen).toHaveLength(2);
    expect(send.pacer.quota()).toBeUndefined();
  });

  it('a paced fetch also paces queries in a URL, batches and document hashes', async () => {
    const sent: number[] = [];
    const cost = {
      requestedQueryCost: 60,
      actualQueryCost: 60,
      throttleStatus: { maximumAvailable: 100, currentlyAvailable: 40, restoreRate: 1000 },
    };
    const answer = { data: {}, extensions: { cost } };
    const send = createPacedFetch(async (_input, init) => {
      sent.push(performance.now());
      const isBatch = typeof init?.body === 'string' && init.body.startsWith('[');
      return Response.json(isBatch ? [answer, answer] : answer);
    });
    const hash = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: 'a'.repeat(64) } });
    await send(`http://example.test/graphql?extensions=${encodeURIComponent(hash)}`);
    await send('http://example.test/graphql?query={a}');
    await send('http://example.test/graphql', {
      method: 'POST',
      body: JSON.stringify([{ query: '{ a }' }, { query: '{ b }' }]),
    });
    expect(sent).toHaveLength(3);
    expect(send.pacer.quota()).toMatchObject({ capacity: 100, restorePerSecond: 1000 });
  });
});

describe('useQuota', () => {
  it('useQuota returns nothing until the pacer knows the quota', async () => {
    const api = await protectedApi({ tier: TIER });
    const pacedFetch = createPacedFetch();
    const Bar = () => createElement('b', null, useQuota(pacedFetch.pacer)?.capacity ?? 'unknown');
    expect(renderToString(createElement(Bar))).toBe('<b>unknown</b>');
    await new GraphQLClient(api.url, { fetch: pacedFetch }).request(QUERY, { n: 2 });
    expect(pacedFetch.pacer.quota()).toMatchObject({ capacity: 100, waiting: 0 });
  });
});
