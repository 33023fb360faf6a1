import type { GraphQLSchema } from 'graphql';
import type { BoundLimit } from '../../rules/matching/ruleset.js';
import { isSlotLimit } from '../answer/is-slot-limit.js';
import { RunningResolvers } from './running-resolvers.js';
import { type FieldResolver, watchResolvers } from './watch-resolvers.js';

/** The execution of one operation. */
interface WatchedExecution {
  schema: GraphQLSchema;
  contextValue: object;
  /** Resolver of fields that have no own resolver, if the adapter knows it. */
  fieldResolver: FieldResolver | undefined;
}

/**
 * Watches the resolvers of an operation that holds a concurrency slot. Returns undefined if the
 * operation holds none.
 */
export function watchSlots(
  limits: readonly BoundLimit[],
  { schema, contextValue, fieldResolver }: WatchedExecution,
): RunningResolvers | undefined {
  const running = limits.some(isSlotLimit) ? new RunningResolvers() : undefined;
  watchResolvers(schema, contextValue, { running, fieldResolver });
  return running;
}
