import { makeExecutableSchema } from '@graphql-tools/schema';
import fastify, { type FastifyInstance } from 'fastify';
import mercurius, { type MercuriusOptions } from 'mercurius';
import { afterEach, expect, it } from 'vitest';
import { protectMercurius } from '../../src/mercurius/protect-mercurius.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { until } from '../helpers/until.js';

// Each test adds a hook that fails in one phase of Fastify or Mercurius. The hook is registered
// before or after Tollgate's hooks. The operation reserves ten of a hundred tokens and uses five.

type Fail = () => never | Promise<never>;

const throws = () => {
  throw new Error('broken');
};
const FAILURES: Record<string, Fail> = {
  throws,
  rejects: async () => throws(),
  'never settles': () => new Promise<never>(() => {}),
};

/** Charges of the settled operations, and the tokens that remain after them and any fee. */
interface Outcome {
  settled: readonly number[];
  left: number;
}

// UNSEEN: Tollgate has not seen the operation. STOPPED: the operation was refunded and cost the
// fee. REFUNDED: it was refunded without a fee. USED: it was charged its actual cost. ESTIMATE: it
// was charged its estimate.
const UNSEEN: Outcome = { settled: [], left: 100 };
const STOPPED: Outcome = { settled: [0], left: 99 };
const REFUNDED: Outcome = { settled: [0], left: 100 };
const USED: Outcome = { settled: [5], left: 95 };
const ESTIMATE: Outcome = { settled: [10], left: 90 };

interface Case {
  /** Adds the hook. */
  add?(app: FastifyInstance, fail: Fail): void;
  options?(fail: Fail): MercuriusOptions;
  query?: string;
  /** Outcomes if the hook throws or rejects, for a hook before Tollgate and for one after it. */
  fails: readonly [Outcome, Outcome];
  /** Outcomes if the hook never settles. Undefined if the server does not wait for the hook. */
  never?: readonly [Outcome, Outcome];
  /** True if the hook is synchronous. */
  isSync?: boolean;
}

const hook = (name: string) => (app: FastifyInstance, fail: Fail) => app.addHook(name as 'onRequest', fail);
const graphqlHook = (name: string) => (app: FastifyInstance, fail: Fail) =>
  app.graphql.addHook(name as 'preParsing', fail as () => Promise<void>);

const CASES: Record<string, Case> = {
  onRequest: { add: hook('onRequest'), fails: [UNSEEN, UNSEEN], never: [UNSEEN, UNSEEN] },
  preValidation: { add: hook('preValidation'), fails: [UNSEEN, UNSEEN], never: [UNSEEN, UNSEEN] },
  preHandler: { add: hook('preHandler'), fails: [UNSEEN, STOPPED], never: [UNSEEN, REFUNDED] },
  context: {
    options: (fail) => ({ context: fail as () => Promise<never> }),
    fails: [STOPPED, STOPPED],
    never: [REFUNDED, REFUNDED],
  },
  'preParsing of Mercurius': {
    add: graphqlHook('preParsing'),
    fails: [STOPPED, STOPPED],
    never: [REFUNDED, REFUNDED],
  },
  'preValidation of Mercurius': {
    add: graphqlHook('preValidation'),
    fails: [STOPPED, STOPPED],
    never: [REFUNDED, REFUNDED],
  },
  // A hook after Tollgate fails when Tollgate has already passed the operation on for execution.
  preExecution: { add: graphqlHook('preExecution'), fails: [STOPPED, ESTIMATE], never: [REFUNDED, ESTIMATE] },
  onResolution: { add: graphqlHook('onResolution'), fails: [ESTIMATE, USED], never: [ESTIMATE, USED] },
  errorFormatter: {
    options: (fail) => ({ errorFormatter: fail as () => never }),
    query: '{ fails { name } items(first: 9) { name } }',
    fails: [ESTIMATE, ESTIMATE],
    isSync: true,
  },
  preSerialization: { add: hook('preSerialization'), fails: [USED, USED], never: [USED, USED] },
  onSend: { add: hook('onSend'), fails: [USED, USED], never: [USED, USED] },
  onResponse: { add: hook('onResponse'), fails: [USED, USED], never: [USED, USED] },
};

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function serve({ add, options }: Case, fail: Fail, order: string) {
  const schema = makeExecutableSchema({
    typeDefs: /* GraphQL */ `
      directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
      type Query { items(first: Int!): [Item] @listSize(slicingArguments: ["first"]), fails: Item }
      type Item { name: String }
    `,
    resolvers: {
      Query: {
        items: (_: unknown, { first }: { first: number }) =>
          Array.from({ length: Math.floor(first / 2) }, () => ({ name: 'x' })),
        fails: throws,
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
  let reached = 0;
  const counted: Fail = () => {
    reached++;
    return fail();
  };
  // Fastify treats a hook without arguments as a hook with a callback, unless the hook is async.
  const hooked: Fail = fail === throws ? async () => counted() : counted;
  const app = fastify();
  app.register(mercurius, { schema, ...options?.(counted) });
  const broken = async (parent: FastifyInstance) => add?.(parent, hooked);
  Object.assign(broken, { [Symbol.for('skip-override')]: true });
  if (order === 'before') app.register(broken);
  app.register(protectMercurius, { tollgate });
  if (order === 'after') app.register(broken);
  closers.push(() => tollgate.close());
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  closers.push(async () => {
    app.server.closeAllConnections();
    await new Promise((resolve) => app.server.close(resolve));
  });
  const quota = async (rule: string) => (await tollgate.quota({ user: 'ann' })).find((each) => each.rule === rule)!;
  return {
    url: `${origin}/graphql`,
    settled,
    reached: () => reached > 0,
    slots: async () => (await quota('slots')).used,
    left: async () => (await quota('tier:free')).remaining,
  };
}

const MATRIX = Object.entries(CASES).flatMap(([name, { fails, never, isSync }]) =>
  ['before', 'after'].flatMap((order, place) => [
    { name, order, failure: isSync ? 'throws' : 'rejects', outcome: fails[place]! },
    ...(never ? [{ name, order, failure: 'never settles', outcome: never[place]! }] : []),
  ]),
);

it.each(
  MATRIX,
)('an operation is settled and frees its slot if a hook $order Tollgate fails in $name: it $failure', async ({
  name,
  order,
  failure,
  outcome,
}) => {
  const broken = CASES[name]!;
  const { url, settled, slots, left, reached } = await serve(broken, FAILURES[failure]!, order);
  const client = new AbortController();
  const answered = fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: broken.query ?? '{ items(first: 10) { name } }' }),
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
  await until('the operation is settled', () => settled.length >= outcome.settled.length);
  await until('the slot is free', async () => (await slots()) === 0);
  await until(`${outcome.left} are left`, async () => (await left()) === outcome.left, 5_000).catch(() => undefined);
  expect({ settled, left: await left() }).toEqual(outcome);
});
