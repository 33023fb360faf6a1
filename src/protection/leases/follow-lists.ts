import { type GraphQLSchema, getNullableType, isIntrospectionType, isListType, isObjectType } from 'graphql';
import { createObjectNotes } from '../../model/attach-to-object.js';
import { isPromise } from '../../model/is-promise.js';
import type { RunningResolvers } from './running-resolvers.js';

/** By the context of their operation, which Apollo makes for each. */
const followed = createObjectNotes<object, RunningResolvers>();
const schemas = new WeakSet<GraphQLSchema>();

/**
 * Has a list of promises count as running until the last of them is settled: for Apollo a resolver has ended with the first
 * item that fails. Only resolvers of lists are wrapped, once a schema has an operation that holds a slot.
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
      if (resolve === undefined || !isListType(getNullableType(field.type))) continue;
      field.resolve = (source, args, context, info) => {
        const result: unknown = resolve(source, args, context, info);
        if (typeof context === 'object' && context !== null) follow(followed.get(context), result);
        return result;
      };
    }
  }
}

function follow(running: RunningResolvers | undefined, result: unknown): void {
  if (running === undefined) return;
  if (isPromise(result)) result.then((list) => follow(running, list), ignore);
  if (!Array.isArray(result) || !result.some((item) => isPromise(item) || Array.isArray(item))) return;
  const ended = running.begin();
  Promise.allSettled(result).then((items) => {
    for (const item of items) if (item.status === 'fulfilled') follow(running, item.value);
    ended();
  });
}

function ignore(): void {}
