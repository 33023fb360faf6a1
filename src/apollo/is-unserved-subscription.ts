import type { GraphQLRequestContext } from '@apollo/server';

/**
 * Returns whether Apollo Server would execute a subscription as a query. Apollo's plugin for HTTP
 * callbacks serves subscriptions with an extension of its own. A request for the price of a
 * subscription is accepted too.
 */
export function isUnservedSubscription({
  operation,
  request: { extensions, http },
}: Pick<GraphQLRequestContext<object>, 'operation' | 'request'>): boolean {
  if (operation?.operation !== 'subscription') return false;
  return extensions?.['subscription'] === undefined && http?.headers.get('graphql-cost') !== 'validate';
}
