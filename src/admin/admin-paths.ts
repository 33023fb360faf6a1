const GRAPHQL = '/graphql';

/** Paths of the admin handler, relative to the base path. */
export const ADMIN_PATHS = { CONSOLE: '/console', GRAPHQL, STREAM: `${GRAPHQL}/stream` } as const;
