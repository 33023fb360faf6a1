/** Texts of the list of callers, and of the page of one caller. */
export const callersText = {
  list: {
    title: 'Callers',
    lead: 'All callers in this period, by cost.',
    noMatch: 'No caller matches',
  },

  unnamed: 'The address names no caller',
  kind: {
    userOfTenant: (tenant: string) => `User of tenant ${tenant}`,
    user: 'User',
    tenant: 'Tenant',
    other: 'Caller without a user',
  },

  allowance: {
    title: 'Allowance',
    none: 'Default tier, no custom settings',
    tier: 'Tier',
    defaultTier: 'default',
    customLimit: 'Custom limit',
    noCustomLimit: 'none (uses tier)',
    bucket: (capacity: string, rate: string) => `${capacity} tokens, refills ${rate}`,
    expires: 'Custom limit expires',
    blockedSince: 'Blocked since',
  },

  quota: {
    title: 'Remaining quota',
    noCaller: 'No such caller',
    blocked: 'blocked',
    meter: (limit: string) => `Remaining of ${limit}`,
    allFields: 'All fields',
    ofLimit: (limit: string) => `of ${limit}`,
    full: 'full',
    lowestFirst: 'Lowest limits only.',
    showAll: (count: string) => `Show all ${count} limits`,
  },

  action: {
    resetQuota: 'Reset quota',
    raiseLimit: 'Raise limit',
    block: 'Block',
    unblock: 'Unblock',
    tier: 'Tier',
    defaultTier: 'Default tier',
  },

  blockDialog: {
    title: 'Block this caller?',
    text: 'All their requests are denied until you unblock them.',
  },

  limitDialog: {
    title: 'Custom limit',
    hint: 'Replaces the tier’s limit.',
    denied: (cost: string) => `The denied operation costs ${cost} tokens.`,
    capacity: 'Capacity (tokens)',
    refill: (period: string) => `Refill per ${period} (tokens)`,
    useTier: 'Use tier limit',
  },

  keys: {
    title: 'API keys',
    create: 'New key',
    replace: 'Replace',
    empty: 'No API keys',
    prefix: 'Prefix',
    neverUsed: 'never',
    active: 'active',
    revoked: 'revoked',
    secretTitle: 'New API key',
    secretHint:
      'Copy it now: it is not shown again. Send it in the header x-api-key. A replaced key works for another 24 hours.',
    copy: 'Copy key',
    revokeTitle: (prefix: string) => `Revoke ${prefix}?`,
    revokeText: 'All servers reject this key within 2 seconds. This cannot be undone.',
  },

  usage: {
    title: 'Tokens per second, last 30 days (UTC)',
    admitted: (summary: string) => `Admitted tokens per second by day: ${summary}`,
    denied: (summary: string) => `Denied tokens per second by day: ${summary}`,
    summary: (requests: string, denied: string, tokens: string) =>
      `${requests} requests, ${denied} denied; ${tokens} tokens`,
    empty: 'No requests in this period',
  },
  operations: { title: 'Operations, last 30 days' },
  denials: {
    title: 'Recent denials',
    all: 'All denials',
    empty: 'No denials in the last 30 days',
    sample: 'This is a sample, with denials of shadow rules. The chart above counts all denials.',
  },
  history: { title: 'Change history', empty: 'No changes' },
} as const;
