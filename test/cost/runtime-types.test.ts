import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import {
  type DocumentNode,
  execute,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  print,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { toTokens } from '../../src/cost/values/to-tokens.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import {
  canBeMerged,
  DEFAULT_LIST_SIZE,
  forEachCase,
  type GeneratedCase,
  outcome,
  withoutContradictions,
} from './reference/generated-cases.js';
import { createRandom } from './reference/random.js';
import { randomResolver, withHostileNames, withTypenames } from './reference/random-response.js';
import { createReference, type ReferenceOptions } from './reference/reference-cost.js';

const TOKENS: ReferenceOptions = { profile: 'tokens', defaultListSize: DEFAULT_LIST_SIZE };
const OPTIONS = { defaultListSize: DEFAULT_LIST_SIZE, minimumCost: 0 };

interface HostileCase extends GeneratedCase {
  /** Returns a resolver that generates the same data each time. */
  resolver(): GraphQLFieldResolver<unknown, unknown>;
  run(document: DocumentNode): ReturnType<typeof execute>;
  /** Returns the cost of an operation with this data, with all types known. */
  truePrice(): number;
  /** Number of calls of each field with this data. */
  trueCalls: ReadonlyMap<string, number>;
}

/**
 * Generates operations whose response names make one type look like another, and data for them
 * without errors.
 */
function forEachHostileCase(
  schemas: number,
  check: (each: HostileCase) => void,
  rewriteSdl?: (sdl: string) => string,
): number {
  let cases = 0;
  forEachCase(
    schemas,
    (each) => {
      const { schema, variables, random } = each;
      // A negative cost below a field counts as zero. The engine applies this rule per path, and
      // the reference applies it per call, so their costs can differ.
      if (/type \w+[^{]*weight: "-/.test(each.context) || /(scalar|enum) \w+ @cost\(weight: "-/.test(each.context))
        return;
      const renamed = withHostileNames(random, each.document, schema);
      const document = canBeMerged(schema, renamed) ? renamed : each.document;
      const seed = random.below(2 ** 31);
      const resolver = () => randomResolver(createRandom(seed), { schema, document, variables }, TOKENS);
      const execution = { schema, variableValues: variables, rootValue: {} };
      const run = (executed: DocumentNode) => execute({ ...execution, document: executed, fieldResolver: resolver() });
      const trueCalls = new Map<string, number>();
      const counted = resolver();
      const fieldResolver: typeof counted = (source, args, context, info) => {
        const coordinate = `${info.parentType.name}.${info.fieldName}`;
        trueCalls.set(coordinate, (trueCalls.get(coordinate) ?? 0) + 1);
        return counted(source, args, context, info);
      };
      const truth = execute({ ...execution, document: withTypenames(document), fieldResolver }) as {
        data?: unknown;
        errors?: unknown;
      };
      if (truth.errors !== undefined) return;
      const truePrice = () =>
        toTokens(createReference({ schema, document, variables }, TOKENS).actual(truth.data ?? null));
      check({ ...each, document, resolver, run, truePrice, trueCalls, context: `${print(document)}\n${each.context}` });
      cases++;
    },
    rewriteSdl,
  );
  return cases;
}

function coordinatesOf(schema: GraphQLSchema): string[] {
  return Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !type.name.startsWith('__')
      ? Object.keys(type.getFields()).map((name) => `${type.name}.${name}`)
      : [],
  );
}

describe('responses without recorded types', () => {
  it('a response without recorded types costs at least the true cost and at most the estimate, under any names', () => {
    let open = 0;
    forEachHostileCase(20, ({ document, variables, analyzer, run, truePrice, trueCalls, random, schema, context }) => {
      const plan = analyzer(OPTIONS).compile(document);
      const bound = outcome(() => plan.bind(variables));
      if (typeof bound === 'string') return;
      const { data } = run(document) as { data: unknown };
      const chosen = new Set(random.some(coordinatesOf(schema), random.pick([0.1, 0.5])));
      const measure = plan.measure((coordinate) => chosen.has(coordinate));
      const actual = bound.actual(data, [measure], { fieldSums: true });
      const estimate = bound.estimate();
      const price = truePrice();
      const all = `${JSON.stringify(data)}\n${context}`;
      if (plan.typed) open++;
      else expect(actual.cost, all).toBe(price);
      expect(actual.cost, all).toBeGreaterThanOrEqual(price);
      expect(actual.cost, all).toBeLessThanOrEqual(estimate.cost);
      expect(actual.typeCost, all).toBeLessThanOrEqual(estimate.typeCost);
      expect(actual.fieldCost, all).toBeLessThanOrEqual(estimate.fieldCost);
      const most = bound.measure(measure);
      expect(actual.measures[0]!.calls, all).toBeLessThanOrEqual(most.calls);
      expect(actual.measures[0]!.cost, all).toBeLessThanOrEqual(most.cost);
      const calls = [...chosen].reduce((sum, coordinate) => sum + (trueCalls.get(coordinate) ?? 0), 0);
      expect(actual.measures[0]!.calls, `${[...chosen]}\n${all}`).toBeGreaterThanOrEqual(calls);
    });
    expect(open).toBeGreaterThan(20);
  });
});

describe('operations with recorded types', () => {
  it('an operation with recorded types has the true cost, and its response contains only requested fields', () => {
    let typed = 0;
    const cases = forEachHostileCase(20, (each) => {
      const { document, variables, analyzer, run, truePrice, trueCalls, random, schema, context } = each;
      const plan = analyzer(OPTIONS).compile(document);
      const chosen = new Set(random.some(coordinatesOf(schema), 0.3));
      const measure = plan.measure((coordinate) => chosen.has(coordinate));
      const calls = [...chosen].reduce((sum, coordinate) => sum + (trueCalls.get(coordinate) ?? 0), 0);
      const bound = outcome(() => plan.bind(variables));
      if (typeof bound === 'string') return;
      if (plan.typed) typed++;
      const result = run(plan.typed?.document ?? document) as { data: unknown };
      plan.typed?.take(result.data);
      expect(result, context).toEqual(run(document));
      expect(bound.actual(result.data).cost, `${JSON.stringify(result)}\n${context}`).toBe(truePrice());
      const actual = bound.actual(result.data, [measure], { fieldSums: true });
      expect(actual.cost, context).toBeLessThanOrEqual(bound.estimate().cost);
      expect(actual.measures[0]!.calls, `${[...chosen]}\n${context}`).toBe(calls);
    });
    expect(cases).toBeGreaterThan(200);
    expect(typed).toBeGreaterThan(20);
  });

  it('a protected server charges the true cost of an operation with recorded types', async () => {
    // The operations run before the server is created: Apollo wraps the resolvers of its schema,
    // and never calls resolvers that are set later.
    const bySchema = new Map<HostileCase['schema'], (HostileCase & { data: unknown })[]>();
    forEachHostileCase(
      12,
      (each) => {
        const { data } = each.run(each.document) as { data?: unknown };
        bySchema.set(each.schema, [...(bySchema.get(each.schema) ?? []), { ...each, data }]);
      },
      withoutContradictions,
    );
    let compared = 0;
    let seen: unknown;
    /** A plugin that runs before Tollgate's, like one that stores responses. */
    const observer: ApolloServerPlugin<object> = {
      async requestDidStart() {
        let resolved: DocumentNode | undefined;
        return {
          async didResolveOperation({ document }) {
            resolved = document;
          },
          async willSendResponse({ document, response: { body } }) {
            expect(document).toBe(resolved);
            seen = body.kind === 'single' ? structuredClone(body.singleResult.data) : undefined;
          },
        };
      },
    };
    for (const [schema, cases] of bySchema) {
      let resolve: GraphQLFieldResolver<unknown, unknown> = () => null;
      const tollgate = await createTollgate<object>({
        schema,
        identify: () => ({ user: 'anybody' }),
        cost: { defaultListSize: DEFAULT_LIST_SIZE, minimumCost: 0 },
        tiers: [{ name: 'free', capacity: 2 ** 31 - 1, refillAmount: 1, refillPeriodMs: 500, isDefault: true }],
        logger: { info() {}, warn() {}, error() {} },
      });
      const server = new ApolloServer<object>({
        schema,
        rootValue: {},
        fieldResolver: (source, args, context, info) => resolve(source, args, context, info),
        plugins: [observer, tollgate.plugin()],
        // The operations are valid, except for unused variables and fragments.
        dangerouslyDisableValidation: true,
        stopOnTerminationSignals: false,
      });
      for (const { document, variables, resolver, data, truePrice, context } of cases) {
        resolve = resolver();
        const { body } = await server.executeOperation({ query: print(document), variables }, { contextValue: {} });
        const answer = body.kind === 'single' ? body.singleResult : undefined;
        if (answer?.data === undefined) continue;
        compared++;
        expect(answer.data, context).toEqual(data);
        expect(seen, context).toEqual(structuredClone(data));
        expect(answer.extensions?.['cost'], context).toMatchObject({ actualQueryCost: truePrice() });
      }
      await server.stop();
      await tollgate.close();
    }
    expect(compared).toBeGreaterThan(50);
  });
});
