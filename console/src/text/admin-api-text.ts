/** Texts of the page of the admin API. */
export const adminApiText = {
  title: 'Admin API',
  lead: 'Editor for the GraphQL API that this console uses. Operations run with your session and your role.',

  operation: 'Operation',
  chosen: 'Operation to run',
  unnamed: 'unnamed',
  run: { QUERY: 'Run', MUTATION: 'Run mutation', SUBSCRIPTION: 'Run' },
  changes: 'This mutation changes data. It takes effect immediately.',

  response: {
    title: 'Response',
    empty: 'Not run yet',
    emptyHint: 'The response, with its cost, appears here.',
  },

  schema: 'Schema',
} as const;
