import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterEach, expect, it } from 'vitest';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { useTollgate } from '../../src/yoga/use-tollgate.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { until } from '../helpers/until.js';

// Each test adds a plugin that fails in one hook of GraphQL Yoga or Envelop. The plugin precedes or
// follows Tollgate in the list of plugins. The operation reserves ten of a hundred tokens and uses
// five.

const { createYoga } = (await import(String('graphql-yoga'))) as { createYoga(options: object): RequestListener };

type Fail = (...hook: never[]) => unknown;
interface Plugin {
  [hook: string]: unknown;
}

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

// UNPRICED: the operation cost the fee before it had a price. UNCHARGED: it cost nothing. STOPPED:
// it was refunded and cost the fee. REFUNDED: it was refunded without a fee. USED: it was charged
// its actual cost. ESTIMATE: it was charged its estimate.
const UNPRICED: Outcome = { settled: [], left: 99 };
const UNCHARGED: Outcome = { settled: [], left: 100 };
const STOPPED: Outcome = { settled: [0], left: 99 };
const REFUNDED: Outcome = { settled: [0], left: 100 };
const USED: Outcome = { settled: [5], left: 95 };
const ESTIMATE: Outcome = { settled: [10], left: 90 };

type ByOrder = { before: Outcome; after: Outcome };
const inBoth = (outcome: Outcome): ByOrder => ({ before: outcome, after: outcome });

interface Case {
  plugin(fail: Fail): Plugin;
  /** Outcomes if the hook throws or rejects. */
  throws: ByOrder;
  /** Outcomes if the hook never settles. Undefined if the server does not wait for the hook. */
  never: ByOrder | undefined;
  /** True if the hook is synchronous. */
  isSync?: boolean;
}

const CASES: Record<string, Case> = {
  onRequestParse: {
    plugin: (fail) => ({ onRequestParse: fail }),
    throws: inBoth(UNPRICED),
    never: inBoth(UNCHARGED),
  },
  onParams: {
    plugin: (fail) => ({ onParams: fail }),
    throws: { before: UNPRICED, after: STOPPED },
    never: { before: UNCHARGED, after: REFUNDED },
  },
  onParse: { plugin: (fail) => ({ onParse: fail }), throws: inBoth(STOPPED), never: undefined, isSync: true },
  onValidate: { plugin: (fail) => ({ onValidate: fail }), throws: inBoth(STOPPED), never: undefined, isSync: true },
  onContextBuilding: {
    plugin: (fail) => ({ onContextBuilding: fail }),
    throws: inBoth(STOPPED),
    never: inBoth(REFUNDED),
  },
  onExecute: {
    plugin: (fail) => ({ onExecute: fail }),
    // A plugin after Tollgate fails when Tollgate has already passed the operation on for
    // execution.
    throws: { before: STOPPED, after: ESTIMATE },
    never: { before: REFUNDED, after: ESTIMATE },
  },
  onExecuteDone: {
    plugin: (fail) => ({ onExecute: () => ({ onExecuteDone: fail }) }),
    throws: inBoth(ESTIMATE),
    never: inBoth(ESTIMATE),
  },
  onExecutionResult: {
    plugin: (fail) => ({ onExecutionResult: fail }),
    throws: { before: ESTIMATE, after: USED },
    never: { before: ESTIMATE, after: USED },
  },
  onResultProcess: {
    plugin: (fail) => ({ onResultProcess: fail }),
    throws: inBoth(USED),
    never: inBoth(USED),
  },
  onResponse: { plugin: (fail) => ({ onResponse: fail }), throws: inBoth(USED), never: inBoth(USED) },
};

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve(plugin: Plugin, order: string) {
  let resolved = 0;
  const schema = makeExecutableSchema({
    typeDefs: /* GraphQL */ `
      directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
      type Query { items(first: Int!): [Item] @listSize(slicingArguments: ["first"]) }
      type Item { name: String }
    `,
    resolvers: {
      Query: {
        items: (_: unknown, { first }: { first: number }) => {
          resolved++;
          return Array.from({ length: first / 2 }, () => ({ name: 'x' }));
        },
      },
    },
  });
  const settled: number[] = [];
  const tollgate = await createTollgate({
    schema,
    identify: () => ({ user: 'ann' }),
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
    deadlineMs: PATIENT_MS,
  });
  let reached = false;
  const watching = Object.fromEntries(
    Object.entries(plugin).map(([name, hook]) => [
      name,
      (...given: never[]) => {
        reached = true;
        return (hook as Fail)(...given);
      },
    ]),
  );
  const own = useTollgate(tollgate);
  const yoga = createYoga({
    schema,
    plugins: order === 'before' ? [watching, own] : [own, watching],
    logging: false,
  });
  const server = createServer(yoga);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await tollgate.close();
  });
  const quota = async (rule: string) => (await tollgate.quota({ user: 'ann' })).find((each) => each.rule === rule)!;
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    settled,
    reached: () => reached,
    resolved: () => resolved,
    slots: async () => (await quota('slots')).used,
    left: async () => (await quota('tier:free')).remaining,
  };
}

const MATRIX = Object.entries(CASES).flatMap(([hook, { plugin, throws, never, isSync }]) =>
  (['before', 'after'] as const).flatMap((order) => [
    { hook, plugin, order, failure: 'throws', outcome: throws[order] },
    ...(isSync ? [] : [{ hook, plugin, order, failure: 'rejects', outcome: throws[order] }]),
    ...(never ? [{ hook, plugin, order, failure: 'never settles', outcome: never[order] }] : []),
  ]),
);

it.each(
  MATRIX,
)('an operation is settled and frees its slot if a plugin $order Tollgate fails in $hook: it $failure', async ({
  plugin,
  order,
  failure,
  outcome,
}) => {
  const { url, settled, slots, left, reached } = await serve(plugin(FAILURES[failure]!), order);
  const client = new AbortController();
  const answered = fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ items(first: 10) { name } }' }),
    signal: client.signal,
  }).then(
    (response) => response.text(),
    () => undefined,
  );
  if (failure !== 'never settles') await answered;
  else {
    await until('the hook is called', reached);
    client.abort();
    await answered;
  }
  await until('the operation is settled', async () => settled.length >= outcome.settled.length);
  await until('the slot is free', async () => (await slots()) === 0);
  await until(`${outcome.left} are left`, async () => (await left()) === outcome.left, 5_000).catch(() => undefined);
  expect({ settled, left: await left() }).toEqual(outcome);
});
