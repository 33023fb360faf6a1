const GRAPHQL = '/graphql';

/**
 * Paths of the admin API, relative to the base path. Only `CONSOLE_GRAPHQL` is relative to
 * `CONSOLE`: it is the page of the console for operations of the admin API.
 */
export const ADMIN_PATHS = {
  CONSOLE: '/console',
  CONSOLE_GRAPHQL: '/graphql',
  GRAPHQL,
  STREAM: `${GRAPHQL}/stream`,
} as const;
