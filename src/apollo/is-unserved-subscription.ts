import type { GraphQLRequestContext } from '@apollo/server';

/**
 * Returns whether an operation is a subscription that Apollo Server would execute as a query.
 * Apollo's plugin for HTTP callbacks can serve a subscription; its requests have
 * `extensions.subscription`. A request that asks only for the price of a subscription is allowed
 * too.
 */
export function isUnservedSubscription({
  operation,
  request: { extensions, http },
}: Pick<GraphQLRequestContext<object>, 'operation' | 'request'>): boolean {
  if (operation?.operation !== 'subscription') return false;
  return extensions?.['subscription'] === undefined && http?.headers.get('graphql-cost') !== 'validate';
}
