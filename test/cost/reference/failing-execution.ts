import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Random } from './random.js';
import { createReference, type ReferenceOptions, type ReferenceSizing } from './reference-cost.js';

/**
 * A resolver that ran: its field, under all its coordinates, and the total price of the call and
 * the returned value.
 */
export interface Run {
  coordinates: readonly string[];
  price: number;
  /** Number of objects that it returned. */
  nodes: number;
}

export interface FailedExecution {
  /** The response. If an error ends it early, some resolvers end only after it. */
  result: ExecutionResult;
  /** All resolvers that ran, including those that ended after the response. */
  runs: readonly Run[];
}

/**
 * Executes an operation in which some resolvers throw, reject, or return null for a non-null type.
 * Some fail immediately, and some later than their siblings. No list is longer than its declared
 * size.
 */
export async function executeWithFailures(
  random: Random,
  {
    schema,
    document,
    variables,
  }: { schema: GraphQLSchema; document: DocumentNode; variables: Record<string, unknown> },
  options: ReferenceOptions,
): Promise<FailedExecution> {
  const reference = createReference({ schema, document, variables }, options);
  const failChance = random.pick([0.02, 0.1, 0.3]);
  const nullChance = random.pick([0, 0.1, 0.3]);
  const isGenerous = random.chance(0.5);
  const runs: Run[] = [];
  let pending = 0;

  function resolve(source: unknown, _args: unknown, _context: unknown, info: GraphQLResolveInfo): unknown {
    const { sizing } = source as { sizing?: ReferenceSizing };
    const view = reference.view(info.parentType, [...info.fieldNodes], sizing)!;
    const run = { coordinates: view.coordinates, price: view.call, nodes: 0 };
    runs.push(run);
    const length = (most: number): number => (isGenerous ? most : random.below(most + 1));
    const make = (type: GraphQLOutputType, outermost: boolean): unknown => {
      if (isNonNullType(type)) return random.chance(failChance) ? null : make(type.ofType, outermost);
      if (random.chance(nullChance)) return null;
      if (random.chance(failChance / 2)) return new Error('an item that fails');
      if (isListType(type)) {
        const most = outermost ? view.outer : options.defaultListSize;
        // The items are promises. With direct values, an immediate failure of one item would leave
        // the later rejection of an earlier item without a handler in graphql-js 16.
        return Array.from({ length: length(most) }, () => Promise.resolve(make(type.ofType, false)));
      }
      const named = getNamedType(type);
      if (isAbstractType(named) || isObjectType(named)) {
        const own = isObjectType(named) ? named : random.pick(schema.getPossibleTypes(named));
        run.price += view.itemWeight ?? reference.weightOf(own);
        run.nodes++;
        return { sizing: view.sizing, __typename: own.name };
      }
      run.price += view.itemWeight ?? 0;
      return named.name === 'Int' ? 1 : named.name === 'Color' ? 'RED' : named.name === 'String' ? 'text' : { any: 1 };
    };
    const fails = random.chance(failChance);
    const value = (): unknown => {
      if (fails) throw new Error('a resolver that fails');
      return make(view.type, true);
    };
    if (random.chance(0.3)) return value();
    const turns = random.below(4);
    pending++;
    return (async () => {
      try {
        for (let i = 0; i < turns; i++) await nextTurn();
        return value();
      } finally {
        pending--;
      }
    })();
  }

  const answered = await execute({
    schema,
    document,
    variableValues: variables,
    rootValue: {},
    fieldResolver: resolve,
    typeResolver: (value) => (value as { __typename: string }).__typename,
  });
  const result = { ...answered, ...(answered.errors && { errors: [...answered.errors] }) };
  while (pending > 0) await nextTurn();
  await nextTurn();
  while (pending > 0) await nextTurn();
  return { result, runs };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
