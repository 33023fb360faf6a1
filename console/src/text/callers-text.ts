/** Texts of the list of callers, and of the page of one caller. */
export const callersText = {
  list: {
    title: 'Callers',
    lead: 'All callers in this period, with their cost.',
    noMatch: 'No caller matches',
  },

  addresses: {
    title: 'Addresses with many users',
    hint: 'Identified users in the last hour. Limits per address apply to all of them together.',
    address: 'Address',
    users: 'Users',
    about: (users: string) => `about ${users}`,
    exemptions: 'Exempt from',
    exempt: (field: string, measure: string) => `${field} (${measure})`,
    notLimited: 'no limit per address',
  },

  unnamed: 'The URL contains no caller',
  unnamedHint: 'Select a caller in the list.',
  kind: {
    userOfTenant: (tenant: string) => `User of tenant ${tenant}`,
    user: 'User',
    tenant: 'Tenant',
    other: 'Caller without a user',
  },

  absent: {
    title: 'No such caller',
    hint: 'No request of this caller is recorded, and nothing is stored about it. Check the name.',
    create: 'Create caller',
  },

  allowance: {
    title: 'Allowance',
    none: 'Default tier, no custom settings',
    noneHint: 'An operator can change the tier, or raise the limit.',
    tier: 'Tier',
    defaultTier: 'default',
    customLimit: 'Custom limit',
    noCustomLimit: 'none (uses tier)',
    expires: 'Custom limit expires',
    blockedSince: 'Blocked since',
  },

  quota: {
    title: 'Remaining quota',
    noCaller: 'No such caller',
    noCallerHint: 'The API key does not exist, or is revoked or expired.',
    blocked: 'blocked',
    meter: (limit: string) => `Remaining of ${limit}`,
    allFields: 'All fields',
    ofLimit: (limit: string) => `of ${limit}`,
    full: 'full',
    lowestFirst: 'Only the limits closest to a denial are shown.',
    showAll: (count: string) => `Show all ${count} limits`,
  },

  action: {
    resetQuota: 'Reset quota',
    raiseLimit: 'Raise limit',
    block: 'Block',
    unblock: 'Unblock',
    changeTier: 'Change tier',
  },

  tierDialog: {
    title: 'Change tier',
    createTitle: 'Create caller',
    tier: 'Tier',
    before: 'Before',
    after: 'After',
    defaultTier: (tier: string) => `Default tier (${tier})`,
    tenantTier: (tier: string) => `Tier of the tenant (${tier})`,
    change: (tier: string, bucket: string) => `${tier}: ${bucket}`,
    spent: 'Spent tokens stay spent.',
    customLimit: 'The custom limit of this caller still applies instead of the bucket of the tier.',
  },

  resetDialog: {
    title: 'Reset quota?',
    text: 'These counters are set to zero. This cannot be undone.',
    nothing: 'All counters of this caller are at zero.',
    used: (used: string, limit: string) => `${used} of ${limit} used → 0`,
    more: (count: string) => `And ${count} more`,
  },

  blockDialog: {
    title: 'Block this caller?',
    text: 'All their requests are rejected until you unblock them.',
  },

  limitDialog: {
    title: 'Custom limit',
    hint: 'Replaces the tier’s limit.',
    current: (bucket: string) => `Current limit: ${bucket}.`,
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
    emptyHint: 'With a key, an application sends requests as this caller. An operator can create one.',
    prefix: 'Prefix',
    expires: 'Expires',
    never: 'never',
    active: 'active',
    expired: 'expired',
    revoked: 'revoked',
    holder: 'Holder',
    name: 'Name',
    nameHint: 'Shown in the list of keys.',
    kindLabel: 'Used by',
    kind: { SERVICE: 'Service', AGENT: 'Agent' },
    kindHint: 'An agent decides itself which operations it sends, such as a language model behind an MCP server.',
    scopes: 'Scopes',
    scopesHint: 'Optional, comma-separated. Tollgate passes them to your API.',
    secretTitle: 'New API key',
    secretHint: 'Copy it now: it is not shown again. Send it in the header x-api-key.',
    copy: 'Copy key',
    replaceTitle: (prefix: string) => `Replace ${prefix}?`,
    replaceText: 'This creates a key with the same name, scopes and expiry. The old key works for another 24 hours.',
    revokeTitle: (prefix: string) => `Revoke ${prefix}?`,
    revokeText: 'All servers reject this key within 2 seconds. This cannot be undone.',
  },

  toast: {
    tierChanged: (caller: string, tier: string) => `Tier of ${caller} changed to ${tier}`,
    created: (caller: string) => `Caller ${caller} created`,
    blocked: (caller: string) => `Caller ${caller} blocked`,
    unblocked: (caller: string) => `Caller ${caller} unblocked`,
    limitSet: (caller: string, bucket: string) => `Custom limit of ${caller} set to ${bucket}`,
    limitRemoved: (caller: string) => `Custom limit of ${caller} removed`,
    quotaReset: (caller: string) => `Quota of ${caller} reset`,
    keyCreated: (prefix: string) => `API key ${prefix} created`,
    keyReplaced: (prefix: string) => `API key ${prefix} replaced`,
    keyRevoked: (prefix: string) => `API key ${prefix} revoked`,
  },

  usage: {
    title: 'Tokens per second, last 30 days (UTC)',
    admitted: (summary: string) => `Admitted tokens per second by day: ${summary}`,
    denied: (summary: string) => `Denied tokens per second by day: ${summary}`,
    summary: (requests: string, denied: string, tokens: string) =>
      `${requests} requests, ${denied} denied; ${tokens} tokens`,
    empty: 'No requests in this period',
    emptyHint: 'Requests of this caller appear here within seconds.',
  },
  operations: { title: 'Operations, last 30 days' },
  denials: {
    title: 'Recent denials',
    all: 'All denials',
    empty: 'No denials in the last 30 days',
    emptyHint: 'Denials appear here within seconds.',
    sample: 'This list is a sample, and includes denials by shadow rules. The chart above includes all denials.',
  },
  history: {
    title: 'Change history',
    empty: 'No changes',
    emptyHint: 'Changes of the tier, the limit and the keys appear here.',
  },
} as const;
