const GRAPHQL = '/graphql';

/** Paths of the admin API, relative to the base path. */
export const ADMIN_PATHS = { CONSOLE: '/console', GRAPHQL, STREAM: `${GRAPHQL}/stream` } as const;
