const GRAPHQL = '/graphql';

/**
 * Paths of the admin API, relative to the base path. `CONSOLE_GRAPHQL` is the page of the admin API,
 * relative to the console.
 */
export const ADMIN_PATHS = {
  CONSOLE: '/console',
  CONSOLE_GRAPHQL: '/graphql',
  GRAPHQL,
  STREAM: `${GRAPHQL}/stream`,
} as const;
