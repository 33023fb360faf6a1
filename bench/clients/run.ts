// `npm run load:clients`: the real clients, paced and not, send 1,000 operations each over HTTP to an Apollo Server of their own, which a plugin protects in memory.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache } from '@apollo/client/core';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { Client, fetchExchange } from '@urql/core';
import { GraphQLClient } from 'graphql-request';
import { tollgateLink } from '../../packages/client/src/apollo.js';
import { createPacedFetch } from '../../packages/client/src/paced-fetch.js';
import { tollgateExchange } from '../../packages/client/src/urql.js';
import { createTollgate } from '../../src/create-tollgate.js';

const OPERATIONS = 1000;
const CALLERS = 20;
const PRICE = 10;
const TIER = { capacity: 1000, refillAmount: 600, refillPeriodMs: 1000 };
/** What a client without pacing does after a denial, as is usual: twice as long each time, spread. */
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 10_000;
const QUERY = 'query Items($n: Int!) { items(first: $n) { name } }';

interface Counts {
  sent: number;
  denied: number;
}

type Send = (n: number) => Promise<unknown>;

/** Counts what goes over the wire, of all clients. */
function countingFetch(counts: Counts): typeof fetch {
  return async (input, init) => {
    counts.sent++;
    const response = await fetch(input, init);
    if (response.status === 429) counts.denied++;
    return response;
  };
}

const CLIENTS: Record<string, (url: string, counts: Counts, isPaced: boolean) => Send> = {
  'graphql-request'(url, counts, isPaced) {
    const send = countingFetch(counts);
    const client = new GraphQLClient(url, { fetch: isPaced ? createPacedFetch(send) : send });
    return (n) => client.request(QUERY, { n });
  },
  'Apollo Client'(url, counts, isPaced) {
    const http = new HttpLink({ uri: url, fetch: countingFetch(counts) });
    const link = isPaced ? ApolloLink.from([tollgateLink(), http]) : http;
    const client = new ApolloClient({ cache: new InMemoryCache(), link });
    const query = gql(QUERY);
    const context = { queryDeduplication: false };
    return (n) => client.query({ query, variables: { n }, fetchPolicy: 'no-cache', context });
  },
  urql(url, counts, isPaced) {
    const exchanges = isPaced ? [tollgateExchange(), fetchExchange] : [fetchExchange];
    const client = new Client({ url, preferGetMethod: false, fetch: countingFetch(counts), exchanges });
    // It answers alike operations that are under way with one request: something in the variables tells them apart.
    const query = 'query Items($n: Int!, $id: ID) { items(first: $n, id: $id) { name } }';
    return async (n) => {
      const variables = { n, id: randomUUID() };
      const { error } = await client.query(query, variables, { requestPolicy: 'network-only' }).toPromise();
      if (error) throw error;
    };
  },
};

async function startApi() {
  const typeDefs = /* GraphQL */ `
    directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
    type Query { items(first: Int!, id: ID): [Item!]! @listSize(slicingArguments: ["first"]) }
    type Item { name: String }
  `;
  const items = (_: unknown, { first }: { first: number }) => Array.from({ length: first }, () => ({ name: 'x' }));
  const schema = makeExecutableSchema({ typeDefs, resolvers: { Query: { items } } });
  const tollgate = await createTollgate({
    schema,
    identify: () => ({ user: 'one' }),
    tiers: [{ name: 'free', isDefault: true, ...TIER }],
    logger: { info() {}, warn() {}, error() {} },
  });
  const server = new ApolloServer({ schema, plugins: [tollgate.plugin()], stopOnTerminationSignals: false });
  const { url } = await startStandaloneServer(server, { listen: { port: 0, host: '127.0.0.1' } });
  const stop = async () => {
    await server.stop();
    await tollgate.close();
  };
  return { url, stop };
}

async function measure(name: string, isPaced: boolean) {
  const { url, stop } = await startApi();
  const counts: Counts = { sent: 0, denied: 0 };
  const send = CLIENTS[name]!(url, counts, isPaced);
  let left = OPERATIONS;
  const startMs = performance.now();
  async function call(): Promise<void> {
    while (left-- > 0) {
      for (let attempt = 0; ; attempt++) {
        try {
          await send(PRICE);
          break;
        } catch (error) {
          if (isPaced || attempt > 50) throw error;
          await sleep(Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** attempt) * (0.5 + Math.random() / 2));
        }
      }
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call));
  const seconds = (performance.now() - startMs) / 1000;
  await stop();
  const rate = (OPERATIONS * PRICE) / (TIER.capacity + (TIER.refillAmount * 1000 * seconds) / TIER.refillPeriodMs);
  return {
    client: `${name}, ${isPaced ? 'paced' : 'retrying'}`,
    sent: counts.sent,
    denied: counts.denied,
    'denied %': ((100 * counts.denied) / counts.sent).toFixed(1),
    'operations/s': (OPERATIONS / seconds).toFixed(1),
    'last after s': seconds.toFixed(1),
    'of the budget %': (100 * rate).toFixed(0),
  };
}

const results = [];
for (const name of Object.keys(CLIENTS))
  for (const isPaced of [false, true]) results.push(await measure(name, isPaced));
console.table(results);
