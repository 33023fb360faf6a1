const GRAPHQL = '/graphql';

/** Where everything is, below the base path. */
export const ADMIN_PATHS = { CONSOLE: '/console', GRAPHQL, STREAM: `${GRAPHQL}/stream` } as const;
