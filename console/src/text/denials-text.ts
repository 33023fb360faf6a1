/** Texts of the page of denials, and of the lists of denials of other pages. */
export const denialsText = {
  title: 'Denials',
  lead: 'Denied requests and the limit that denied each. This is a sample. Totals are on Overview and Rules.',

  type: {
    label: 'Type',
    all: 'Denied and shadow',
    denied: 'Denied',
    shadow: 'Shadow',
  },

  empty: 'No denials in this period',
  emptyHint: 'Change the filters or the period. Rules in shadow list here what they would deny.',

  column: { available: 'Available', retryAfter: 'Retry after' },
  never: 'never',
  tag: {
    shadow: 'shadow',
    maxCostExceeded: 'max cost exceeded',
    unavailable: 'unavailable',
    degraded: 'degraded',
  },

  notStored: 'not stored',
  notStoredHint: 'The operation was not stored, so it cannot be explained.',
  raiseLimit: 'Raise limit',
} as const;
