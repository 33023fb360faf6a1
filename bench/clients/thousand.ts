import { setTimeout as sleep } from 'node:timers/promises';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { backoffMs, CLIENTS, type Counts } from './connect-clients.js';

const OPERATIONS = 1000;
const CALLERS = 20;
const PRICE = 10;
const TIER = { capacity: 1000, refillAmount: 600, refillPeriodMs: 1000 };
const QUERY = 'query Items($n: Int!, $call: ID) { items(first: $n, id: $call) { name } }';

/**
 * Measures 1,000 operations over HTTP, which a client sends 20 at a time as one user. Each run has
 * its own Apollo Server, with the plugin and counters in memory.
 */
export async function measureThousand(): Promise<Record<string, unknown>[]> {
  const results = [];
  for (const name of Object.keys(CLIENTS))
    for (const isPaced of [false, true]) results.push(await measure(name, isPaced));
  return results;
}

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
  const counts: Counts = { sent: 0, denied: 0, ran: 0, charged: 0 };
  const send = CLIENTS[name]!({ url, counts, isPaced });
  let left = OPERATIONS;
  const startMs = performance.now();
  async function call(): Promise<void> {
    while (left-- > 0) {
      for (let attempt = 0; ; attempt++) {
        try {
          await send(QUERY, { n: PRICE });
          break;
        } catch (error) {
          if (isPaced || attempt > 50) throw error;
          await sleep(backoffMs(attempt));
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
    'last response after s': seconds.toFixed(1),
    'of the budget %': (100 * rate).toFixed(0),
  };
}
