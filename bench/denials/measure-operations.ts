import { buildSchema } from 'graphql';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import type { Runner, Variant } from '../frame/bench.js';

export const METRICS = [{ name: 'CPU us', better: 'lower' }] as const;

const schema = buildSchema(/* GraphQL */ `
  directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION
  type Query { users(first: Int): [User] @listSize(slicingArguments: ["first"]) }
  type User { id: ID, name: String, posts(first: Int): [Post] @listSize(slicingArguments: ["first"]) }
  type Post { id: ID, title: String, author: User }
`);

const LISTS = Array.from({ length: 6 }, (_, i) => `l${i}: users(first: 20) { id name posts(first: ${i + 1}) { id } }`);
const FIELDS = Array.from({ length: 200 }, (_, i) => `f${i}: name`).join(' ');

/** Operations by scenario. Each costs more than 150 tokens and less than 1,000. */
const OPERATIONS: Readonly<Record<string, { query: string; variables?: Record<string, unknown> }>> = {
  'one list': { query: 'query ($n: Int) { users(first: $n) { id name } }', variables: { n: 400 } },
  'twelve lists': { query: `{ ${LISTS.join(' ')} }` },
  '200 fields': { query: `{ users(first: 300) { ${FIELDS} } }` },
};

/** The bucket of a denied caller does not refill during the measurement, and that of others is never empty. */
const DENYING = { capacity: 1000, refillAmount: 1, refillPeriodMs: 86_400_000 };
const ADMITTING = { capacity: 1_000_000_000, refillAmount: 1_000_000, refillPeriodMs: 1000 };

/** Measures operations of one caller, one after the other. */
export function measureOperations({ isDenied }: { isDenied: boolean }): Variant {
  return async ({ warmUpMs }): Promise<Runner> => {
    const tollgate = await createTollgate<{ user: string }>({
      schema,
      identify: ({ contextValue }) => ({ user: contextValue.user }),
      tiers: [{ name: 'free', ...(isDenied ? DENYING : ADMITTING), isDefault: true }],
      logger: { info() {}, warn() {}, error() {} },
    });
    const ask = (operation: (typeof OPERATIONS)[string], user = 'ann') =>
      tollgate.protect({ ...operation, contextValue: { user } });
    // An operation of another caller was admitted before, so its document is cached in both variants.
    for (const [index, operation] of Object.values(OPERATIONS).entries()) {
      const answer = await ask(operation, `caller ${index}`);
      if (answer.admitted) await answer.run(() => ({ data: { users: [] } }));
    }
    if (isDenied) {
      const spent = await ask({ ...OPERATIONS['one list']!, variables: { n: 850 } });
      if (!spent.admitted) throw new Error('expected an admitted operation');
      spent.start();
      spent.abandon();
    }
    const run = Object.fromEntries(
      Object.entries(OPERATIONS).map(([scenario, operation]) => [
        scenario,
        async (durationMs: number) => {
          const untilMs = performance.now() + durationMs;
          const before = process.cpuUsage();
          let done = 0;
          for (; performance.now() < untilMs; done++) {
            const answer = await ask(operation);
            if (answer.admitted === isDenied)
              throw new Error(`expected the operation to be ${isDenied ? 'denied' : 'admitted'}`);
            if (answer.admitted) await answer.run(() => ({ data: { users: [] } }));
          }
          const { user, system } = process.cpuUsage(before);
          return { 'CPU us': (user + system) / done };
        },
      ]),
    );
    return { warmUpMs: 2 * warmUpMs, run, close: () => tollgate.close() };
  };
}
