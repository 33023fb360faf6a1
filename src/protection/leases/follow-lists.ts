import { type GraphQLSchema, getNullableType, isIntrospectionType, isListType, isObjectType } from 'graphql';
import { isPromise } from '../../model/is-promise.js';
import { createObjectNotes } from '../../model/objects/attach-to-object.js';
import type { RunningResolvers } from './running-resolvers.js';

/** By the context of their operation, which Apollo makes for each. */
const followed = createObjectNotes<object, RunningResolvers>();
const schemas = new WeakSet<GraphQLSchema>();

/**
 * Has a list of promises count as running until the last of them is settled: for Apollo a resolver has ended with the first
 * item that fails. And has what is waited for be a promise of its own: who listens to a resolver waits for what it returns beside the
 * execution, and a statement of a query builder, which has a `then`, runs each time somebody waits for it. Resolvers are wrapped
 * once a schema has an operation that holds a slot.
 */
export function followLists(schema: GraphQLSchema, contextValue: object, running: RunningResolvers): void {
  followed.set(contextValue, running);
  if (schemas.has(schema)) return;
  schemas.add(schema);
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      // A field without a resolver starts nothing: what it finds was begun by the one above.
      if (resolve === undefined) continue;
      const isList = isListType(getNullableType(field.type));
      field.resolve = (source, args, context, info) => {
        const result: unknown = resolve(source, args, context, info);
        const own = typeof context === 'object' && context !== null ? followed.get(context) : undefined;
        if (own === undefined) return result;
        if (isList) return follow(own, result);
        return isPromise(result) ? Promise.resolve(result) : result;
      };
    }
  }
}

/** The same, with promises of its own. */
function follow(running: RunningResolvers, result: unknown): unknown {
  if (isPromise(result)) return Promise.resolve(result).then((list) => follow(running, list));
  if (!Array.isArray(result) || !result.some((item) => isPromise(item) || Array.isArray(item))) return result;
  const ended = running.begin();
  const items = result.map((item) => follow(running, item));
  void Promise.allSettled(items).then(ended);
  return items;
}
