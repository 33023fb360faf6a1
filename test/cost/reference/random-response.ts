import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Random } from './random.js';
import { createReference, type ReferenceOptions, type ReferenceSizing } from './reference-cost.js';

/** Returns the same operation with the type of every object selected as `__tn`. */
export function withTypenames(document: DocumentNode): DocumentNode {
  return visit(document, {
    SelectionSet: {
      leave: (node) => ({
        ...node,
        selections: [
          ...node.selections,
          {
            kind: Kind.FIELD,
            alias: { kind: Kind.NAME, value: '__tn' },
            name: { kind: Kind.NAME, value: '__typename' },
          },
        ],
      }),
    },
  });
}

/** Names that resemble others, or names that an engine might use itself. */
const HOSTILE_NAMES = ['a', 'b', 't', '__typename', '__tollgateType', 'constructor'];

/**
 * Returns the operation with response names that make one type look like another. Fields get equal
 * response names where the rules of GraphQL may allow it. The result is not always valid.
 */
export function withHostileNames(random: Random, document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const types = new TypeInfo(schema);
  return visit(
    document,
    visitWithTypeInfo(types, {
      Field(node) {
        if (types.getParentType() === schema.getQueryType() || random.chance(0.3)) return undefined;
        const named = getNamedType(types.getType());
        // Fields with the same response name must have the same shape.
        const shape = isCompositeType(named) ? String(types.getType()).replace(/\w+/, '') : String(types.getType());
        const suffix = shape.replace(/\W/g, (mark) => `_${mark.charCodeAt(0)}`);
        const value = `${random.pick(HOSTILE_NAMES)}${shape === 'String!' ? '' : suffix}`;
        return { ...node, alias: { kind: Kind.NAME, value } };
      },
    }),
  );
}

interface RandomCase {
  schema: GraphQLSchema;
  document: DocumentNode;
  variables: Record<string, unknown>;
}

/** Executes an operation on random data. */
export function executeOnRandomData(random: Random, each: RandomCase, options: ReferenceOptions): ExecutionResult {
  const { schema, document, variables } = each;
  return execute({
    schema,
    document,
    variableValues: variables,
    rootValue: {},
    fieldResolver: randomResolver(random, each, options),
  }) as ExecutionResult;
}

/**
 * Returns a resolver of random data: lists within their declared sizes, some nulls and errors,
 * and any of the possible types at abstract positions.
 */
export function randomResolver(
  random: Random,
  { schema, document, variables }: RandomCase,
  options: ReferenceOptions,
): GraphQLFieldResolver<unknown, unknown> {
  const reference = createReference({ schema, document, variables }, options);
  const nullChance = random.pick([0, 0.1, 0.3]);
  const isGenerous = random.chance(0.4);

  function resolve(source: unknown, _args: unknown, _context: unknown, info: GraphQLResolveInfo): unknown {
    const { sizing } = source as { sizing?: ReferenceSizing };
    const view = reference.view(info.parentType, [...info.fieldNodes], sizing);
    if (view === undefined) return null;
    if (random.chance(nullChance / 4)) throw new Error('a resolver that fails');
    const length = (most: number): number => (isGenerous ? most : random.below(most + 1));
    const make = (type: GraphQLOutputType, outermost: boolean): unknown => {
      if (isNonNullType(type)) return make(type.ofType, outermost);
      if (random.chance(nullChance)) return null;
      if (isListType(type)) {
        const most = outermost ? view.outer : options.defaultListSize;
        return Array.from({ length: length(most) }, () => make(type.ofType, false));
      }
      const named = getNamedType(type);
      if (isAbstractType(named)) {
        return { sizing: view.sizing, __typename: random.pick(schema.getPossibleTypes(named)).name };
      }
      if (isObjectType(named)) return { sizing: view.sizing };
      return named.name === 'Int' ? 1 : named.name === 'Color' ? 'RED' : { any: ['JSON', { deep: [1] }] };
    };
    const value = make(view.type, true);
    return getNamedType(view.type).name === 'String' && value !== null ? stringify(value) : value;
  }

  return resolve;
}

function stringify(value: unknown): unknown {
  return Array.isArray(value) ? value.map((each) => (each === null ? null : stringify(each))) : 'text';
}
