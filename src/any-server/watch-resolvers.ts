import { defaultFieldResolver, type GraphQLSchema, isIntrospectionType, isObjectType } from 'graphql';
import { createObjectNotes } from '../model/attach-to-object.js';
import type { RunningResolvers } from '../protection/leases/running-resolvers.js';

/** By the context value of their operation. */
const watched = createObjectNotes<object, RunningResolvers>();
const schemas = new WeakSet<GraphQLSchema>();

/**
 * Has every resolver of the operations with this context value say when it begins and when it ends. The resolvers of a
 * schema are wrapped with the first operation that holds a concurrency slot: others are not to pay for it.
 */
export function watchResolvers(schema: GraphQLSchema, contextValue: object, running: RunningResolvers): void {
  watched.set(contextValue, running);
  if (schemas.has(schema)) return;
  schemas.add(schema);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve = defaultFieldResolver } = field;
      field.resolve = (source, args, context: unknown, info) => {
        const operation = typeof context === 'object' && context !== null ? watched.get(context) : undefined;
        if (operation === undefined) return resolve(source, args, context, info);
        const ended = operation.begin();
        let result: unknown;
        try {
          result = resolve(source, args, context, info);
        } catch (error) {
          ended();
          throw error;
        }
        if (typeof (result as PromiseLike<unknown> | null | undefined)?.then !== 'function') ended();
        else (result as PromiseLike<unknown>).then(ended, ended);
        return result;
      };
    }
  }
}
