import type { GraphQLRequestContext } from '@apollo/server';

/**
 * Returns whether Apollo Server would execute the operation as a query although it is a subscription. Apollo's plugin for HTTP
 * callbacks serves those with an extension of its own, and the price of any may be asked for.
 */
export function isUnservedSubscription({
  operation,
  request: { extensions, http },
}: Pick<GraphQLRequestContext<object>, 'operation' | 'request'>): boolean {
  if (operation?.operation !== 'subscription') return false;
  return extensions?.['subscription'] === undefined && http?.headers.get('graphql-cost') !== 'validate';
}
