/** Texts of the page of denials, and of the lists of denials of other pages. */
export const denialsText = {
  title: 'Denials',
  lead: 'Denied requests and the limit that denied each.',

  chart: {
    title: 'Denials over time',
    bucket: { MINUTE: 'per minute', HOUR: 'per hour', DAY: 'per day (UTC)' },
    label: (denied: string, shadow: string) => `Denials over time: ${denied} denied, ${shadow} in shadow`,
    total: (denied: string, shadow: string) => `${denied} denied, ${shadow} in shadow. These counts are exact.`,
    ruleIgnored: 'Counts include all limits, because counts by limit are not recorded per caller or operation.',
    integrationIgnored: 'Counts include all integrations, because counts by integration are not recorded per caller.',
    empty: 'No denials to count',
    emptyHint: 'Choose a longer period to see earlier denials.',
  },

  groups: {
    title: 'Denials by caller and limit',
    show: 'Show denials',
    operations: 'Operations (sample)',
    operation: (name: string, stored: string) => `${name} · ${stored}`,
    last: 'Last stored',
    note: 'Counts and shares are exact. Operations and times come from stored denials. If there are many denials, only a sample is stored.',
    operationIgnored: 'Counts include all operations.',
    integrationIgnored: 'Counts include all integrations.',
    more: (count: number) => `These are the ${count} groups with the most denials.`,
  },

  single: {
    title: 'Single denials, newest first',
    group: (parts: string) => `Only ${parts}`,
    all: 'Show all',
    note: 'If there are many denials, this list is a sample. The counts above are exact.',
  },

  type: {
    label: 'Type',
    all: 'Denied and shadow',
    denied: 'Denied',
    shadow: 'Shadow',
  },

  empty: 'No denials in this period',
  emptyHint: 'Change the filters or the period. Requests that shadow rules would deny also appear here.',

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
