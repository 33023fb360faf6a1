import {
  defaultFieldResolver,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isIntrospectionType,
  isObjectType,
} from 'graphql';
import { isPromise } from '../model/is-promise.js';
import { createObjectNotes } from '../model/objects/attach-to-object.js';
import type { RunningResolvers } from '../protection/leases/running-resolvers.js';
import { watchedSchemas } from '../protection/leases/watched-schemas.js';

/** What resolves the fields that have no resolver, as graphql-js takes it. */
// biome-ignore lint/suspicious/noExplicitAny: as graphql-js has it: any source, and any context.
export type FieldResolver = GraphQLFieldResolver<any, any>;

interface Watched {
  /** Undefined: the operation holds no slot. */
  running: RunningResolvers | undefined;
  fieldResolver: FieldResolver | undefined;
}

/** By the context value of their operation. */
const watched = createObjectNotes<object, Watched>();

/**
 * Has every resolver of the operations with this context value say when it begins and when it ends. The resolvers of a
 * schema are wrapped with the first operation that holds a concurrency slot: others are not to pay for it. From then on all fields
 * have one, so that the `fieldResolver` of an execution has to be known here.
 */
export function watchResolvers(schema: GraphQLSchema, contextValue: object, { running, fieldResolver }: Watched): void {
  if (running === undefined && fieldResolver === undefined) return;
  watched.set(contextValue, { running, fieldResolver });
  if (running === undefined || watchedSchemas.has(schema)) return;
  watchedSchemas.add(schema);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve: own } = field;
      field.resolve = (source, args, context: unknown, info) => {
        const operation = typeof context === 'object' && context !== null ? watchedBy(context) : undefined;
        const resolve = own ?? operation?.fieldResolver ?? defaultFieldResolver;
        if (operation?.running === undefined) return resolve(source, args, context, info);
        const ended = operation.running.begin();
        let result: unknown;
        try {
          result = resolve(source, args, context, info);
        } catch (error) {
          ended();
          throw error;
        }
        if (!isPromise(result)) {
          ended();
          return result;
        }
        // Waited for here and by the execution, what a query builder returns would run twice.
        const promise = Promise.resolve(result);
        promise.then(ended, ended);
        return promise;
      };
    }
  }
}

/** Looked for once in an operation: an answer has many fields. */
function watchedBy(contextValue: object): Watched {
  const known = watched.get(contextValue);
  if (known !== undefined) return known;
  const found: Watched = { running: undefined, fieldResolver: fieldResolverIn(contextValue) };
  watched.set(contextValue, found);
  return found;
}

/**
 * An Apollo Server with the same schema hands what it was given for the fields without a resolver to wrappers of its own, by the context of an
 * operation: these ask ours first.
 */
function fieldResolverIn(contextValue: object): FieldResolver | undefined {
  const symbol = Object.getOwnPropertySymbols(contextValue).find(
    ({ description }) => description === 'apolloServerUserFieldResolver',
  );
  return symbol && (contextValue as Record<symbol, FieldResolver>)[symbol];
}
