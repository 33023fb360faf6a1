import { ApolloServer, type ApolloServerPlugin, type GraphQLRequestListener } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterEach, expect, it } from 'vitest';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { until } from '../helpers/until.js';

// Each test adds a plugin that fails in one hook of Apollo Server. The plugin precedes or follows
// Tollgate in the list of plugins. `first: 10` reserves ten of a hundred tokens and uses five.

type Context = { signal: AbortSignal };
type Fail = () => never | Promise<never>;
type Hooks = GraphQLRequestListener<Context>;

const FAILURES: Record<string, Fail> = {
  throws: () => {
    throw new Error('broken');
  },
  rejects: async () => {
    throw new Error('broken');
  },
  'never settles': () => new Promise<never>(() => {}),
};

/** Charges of the settled operations, and the tokens that remain after them and any fee. */
interface Outcome {
  settled: readonly number[];
  left: number;
}

interface Case {
  query?: string;
  plugin(fail: Fail): ApolloServerPlugin<Context>;
  /** Outcomes by kind of failure. Undefined if a hook cannot fail in that way. */
  outcomes: Record<string, Outcome | undefined>;
}

const UNPRICED: Outcome = { settled: [], left: 99 };
const UNCHARGED: Outcome = { settled: [], left: 100 };
const STOPPED: Outcome = { settled: [0], left: 99 };
const REFUNDED: Outcome = { settled: [0], left: 100 };
const USED: Outcome = { settled: [5], left: 95 };
const ESTIMATE: Outcome = { settled: [10], left: 90 };

const during = (hooks: (fail: Fail) => Hooks) => (fail: Fail) => ({ requestDidStart: async () => hooks(fail) });
const failing = (throws: Outcome, never: Outcome | undefined) => ({ throws, rejects: throws, 'never settles': never });

const CASES: Record<string, Case> = {
  requestDidStart: {
    plugin: (fail) => ({ requestDidStart: fail }),
    outcomes: failing(UNPRICED, UNCHARGED),
  },
  didResolveSource: {
    plugin: during((fail) => ({ didResolveSource: fail })),
    outcomes: failing(UNPRICED, UNCHARGED),
  },
  parsingDidStart: {
    plugin: during((fail) => ({ parsingDidStart: fail })),
    outcomes: failing(UNPRICED, UNCHARGED),
  },
  'the end of parsing': {
    plugin: during((fail) => ({ parsingDidStart: async () => fail })),
    outcomes: { throws: UNPRICED },
  },
  validationDidStart: {
    plugin: during((fail) => ({ validationDidStart: fail })),
    outcomes: failing(UNPRICED, UNCHARGED),
  },
  'the end of validation': {
    plugin: during((fail) => ({ validationDidStart: async () => fail })),
    outcomes: { throws: UNPRICED },
  },
  didResolveOperation: {
    plugin: during((fail) => ({ didResolveOperation: fail })),
    outcomes: { rejects: STOPPED, 'never settles': REFUNDED },
  },
  responseForOperation: {
    plugin: during((fail) => ({ responseForOperation: fail })),
    outcomes: failing(STOPPED, REFUNDED),
  },
  executionDidStart: {
    plugin: during((fail) => ({ executionDidStart: fail })),
    outcomes: failing(STOPPED, ESTIMATE),
  },
  willResolveField: {
    plugin: during((fail) => ({ executionDidStart: async () => ({ willResolveField: fail as () => never }) })),
    outcomes: { throws: ESTIMATE },
  },
  'the end of a field': {
    plugin: during((fail) => ({ executionDidStart: async () => ({ willResolveField: () => fail as () => never }) })),
    outcomes: { throws: ESTIMATE },
  },
  didEncounterErrors: {
    query: '{ fails { name } items(first: 9) { name } }',
    plugin: during((fail) => ({ didEncounterErrors: fail })),
    outcomes: failing(ESTIMATE, ESTIMATE),
  },
  executionDidEnd: {
    plugin: during((fail) => ({ executionDidStart: async () => ({ executionDidEnd: fail }) })),
    outcomes: failing(USED, USED),
  },
  willSendResponse: {
    plugin: during((fail) => ({ willSendResponse: fail })),
    outcomes: failing(USED, USED),
  },
};

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(plugin: ApolloServerPlugin<Context>, order: string) {
  const schema = makeExecutableSchema({
    typeDefs: /* GraphQL */ `
      directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
      type Query { items(first: Int!): [Item] @listSize(slicingArguments: ["first"]), fails: Item }
      type Item { name: String }
    `,
    resolvers: {
      Query: {
        items: (_: unknown, { first }: { first: number }) => Array.from({ length: first / 2 }, () => ({ name: 'x' })),
        fails: () => {
          throw new Error('no');
        },
      },
    },
  });
  const settled: number[] = [];
  const tollgate = await createTollgate<Context>({
    schema,
    identify: () => ({ user: 'ann' }),
    abortSignal: ({ signal }) => signal,
    tiers: [{ name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    rules: [
      {
        name: 'slots',
        scope: 'USER',
        field: '*',
        measure: 'REQUESTS',
        limits: [{ algorithm: 'CONCURRENCY', capacity: 3, leaseMs: 3_600_000 }],
      },
    ],
    onSettled: (_record, paid) => void settled.push(paid),
    logger: { info() {}, warn() {}, error() {} },
  });
  const own = tollgate.plugin();
  const server = new ApolloServer<Context>({
    schema,
    plugins: order === 'before' ? [plugin, own] : [own, plugin],
    logger: { debug() {}, info() {}, warn() {}, error() {} },
    stopOnTerminationSignals: false,
  });
  closers.push(
    () => tollgate.close(),
    () => server.stop(),
  );
  const quota = async (rule: string) => (await tollgate.quota({ user: 'ann' })).find((each) => each.rule === rule)!;
  return {
    server,
    settled,
    slots: async () => (await quota('slots')).used,
    left: async () => (await quota('tier:free')).remaining,
  };
}

const MATRIX = Object.entries(CASES).flatMap(([hook, { query, plugin, outcomes }]) =>
  Object.entries(outcomes).flatMap(([failure, outcome]) =>
    outcome === undefined ? [] : ['before', 'after'].map((order) => ({ hook, query, plugin, failure, outcome, order })),
  ),
);

it.each(
  MATRIX,
)('an operation is settled and frees its slot if a plugin $order Tollgate fails in $hook: it $failure', async ({
  query = '{ items(first: 10) { name } }',
  plugin,
  failure,
  outcome,
  order,
}) => {
  const { server, settled, slots, left } = await serve(plugin(FAILURES[failure]!), order);
  const client = new AbortController();
  let isAnswered = false;
  const answered = server
    .executeOperation({ query }, { contextValue: { signal: client.signal } })
    .catch(() => undefined)
    .then(() => (isAnswered = true));
  if (failure !== 'never settles') await answered;
  else {
    // Tollgate decides the charge in memory, so after these turns only the hook can be pending.
    for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(isAnswered).toBe(false);
    client.abort();
  }
  await until('the slot is free', async () => (await slots()) === 0);
  await until('the operation is settled', async () => settled.length === outcome.settled.length);
  expect({ settled, left: await left() }).toEqual(outcome);
});

it.each([
  'before',
  'after',
])('an operation costs only the fee if a plugin %s Tollgate throws an error in didResolveOperation', async (order) => {
  const { server, slots, left } = await serve(
    during((fail) => ({ didResolveOperation: fail }))(FAILURES['throws']!),
    order,
  );
  await server.executeOperation(
    { query: '{ items(first: 10) { name } }' },
    { contextValue: { signal: new AbortController().signal } },
  );
  expect(await slots()).toBe(0);
  expect(await left()).toBe(99);
});
