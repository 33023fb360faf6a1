import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  getNullableType,
  isIntrospectionType,
  isListType,
  isObjectType,
} from 'graphql';
import { createObjectNotes } from '../../runtime/create-object-notes.js';
import { isPromise } from '../../runtime/is-promise.js';
import type { RunningResolvers } from './running-resolvers.js';

/** Resolver of fields that have no own resolver, with the type of graphql-js. */
// biome-ignore lint/suspicious/noExplicitAny: the type of graphql-js accepts any source and context.
export type FieldResolver = GraphQLFieldResolver<any, any>;

interface Watched {
  /** Undefined for an operation that holds no slot. */
  running: RunningResolvers | undefined;
  fieldResolver: FieldResolver | undefined;
}

/** Operations by context value, and whether the context was searched for a field resolver. */
const operations = createObjectNotes<object, Watched & { isSearched?: boolean }>();
/**
 * For each watched schema, whether any field had a resolver before. The schema of a remote API has
 * no resolvers.
 */
const watchedSchemas = new WeakMap<GraphQLSchema, boolean>();

/**
 * Notifies `running` when a resolver of the operation with this context value begins or ends. All
 * adapters use this one wrapper. The first operation that holds a concurrency slot wraps the
 * resolvers of its schema, so other schemas have no overhead. From then on every field has a
 * resolver, so executors no longer call their `fieldResolver`. The wrapper must therefore know and
 * call it.
 */
export function watchResolvers(schema: GraphQLSchema, contextValue: object, { running, fieldResolver }: Watched): void {
  if (running === undefined && fieldResolver === undefined) return;
  operations.set(contextValue, { running, fieldResolver });
  if (running === undefined || watchedSchemas.has(schema)) return;
  let found = false;
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      found ||= field.resolve !== undefined;
      watchField(field);
    }
  }
  watchedSchemas.set(schema, found);
}

/** Returns whether this schema is watched, and had a resolver before it was watched. */
export function hasResolvers(schema: GraphQLSchema): boolean {
  return watchedSchemas.get(schema) ?? false;
}

/**
 * Returns whether the fields of this schema are wrapped. Executors then see no field without a
 * resolver.
 */
export function isWatched(schema: GraphQLSchema): boolean {
  return watchedSchemas.has(schema);
}

function watchField(field: GraphQLField<unknown, unknown>): void {
  const { resolve: own } = field;
  // The items of a list are followed only if the field has a resolver. Without one, the field
  // starts no work: it reads a value that the resolver of a parent field returned.
  const isList = own !== undefined && isListType(getNullableType(field.type));
  field.resolve = (source, args, context: unknown, info) => {
    const operation = typeof context === 'object' && context !== null ? operationOf(context) : undefined;
    const resolve = own ?? operation?.fieldResolver ?? defaultFieldResolver;
    const running = operation?.running;
    if (running === undefined) return resolve(source, args, context, info);
    const ended = running.begin();
    let result: unknown;
    try {
      result = resolve(source, args, context, info);
    } catch (error) {
      ended();
      throw error;
    }
    if (!isPromise(result)) {
      ended();
      return isList ? followItems(running, result) : result;
    }
    // If a resolver returns a statement of a query builder, each `await` runs the statement again.
    // Tollgate and the execution therefore await the same promise.
    const promise = isList
      ? Promise.resolve(result).then((list) => followItems(running, list))
      : Promise.resolve(result);
    promise.then(ended, ended);
    return promise;
  };
}

/**
 * Counts a list of promises as running until the last of them is settled. graphql-js does not wait
 * for the other promises after the first one that fails.
 */
function followItems(running: RunningResolvers, result: unknown): unknown {
  if (isPromise(result)) return Promise.resolve(result).then((list) => followItems(running, list));
  if (!Array.isArray(result) || !result.some((item) => isPromise(item) || Array.isArray(item))) return result;
  const ended = running.begin();
  const items = result.map((item) => followItems(running, item));
  void Promise.allSettled(items).then(ended);
  return items;
}

/**
 * Returns the operation of a context, with its field resolver. Each context is searched only once,
 * because a response has many fields.
 */
function operationOf(contextValue: object): Watched {
  const known = operations.get(contextValue);
  if (known?.fieldResolver !== undefined || known?.isSearched) return known;
  const found = { running: known?.running, fieldResolver: fieldResolverIn(contextValue), isSearched: true };
  operations.set(contextValue, found);
  return found;
}

/**
 * Returns the field resolver in a context. Apollo Server stores the configured `fieldResolver` in
 * the context of an operation.
 */
function fieldResolverIn(contextValue: object): FieldResolver | undefined {
  const symbol = Object.getOwnPropertySymbols(contextValue).find(
    ({ description }) => description === 'apolloServerUserFieldResolver',
  );
  return symbol && (contextValue as Record<symbol, FieldResolver>)[symbol];
}
