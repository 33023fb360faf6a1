import type { GraphQLSchema } from 'graphql';
import type { BoundLimit } from '../../rules/matching/ruleset.js';
import { followLists } from './follow-lists.js';
import { isLease } from './is-lease.js';
import { RunningResolvers } from './running-resolvers.js';

/**
 * Watches the resolvers of an operation that holds a concurrency slot; undefined: it holds none. Every
 * resolver tells Apollo of itself where one operation is watched, which only those are to pay for.
 */
export function watchSlots(
  limits: readonly BoundLimit[],
  { schema, contextValue }: { schema: GraphQLSchema; contextValue: object },
): RunningResolvers | undefined {
  if (!limits.some(isLease)) return undefined;
  const running = new RunningResolvers();
  followLists(schema, contextValue, running);
  return running;
}
