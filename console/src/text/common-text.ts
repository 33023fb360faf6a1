import type { AdminRole, CallerKind, RuleMode } from '../generated/graphql.js';

const MODES: Record<RuleMode, string> = { ENFORCE: 'enforce', SHADOW: 'shadow', OFF: 'off' };

const ROLES: Record<AdminRole, string> = {
  DECIDER: 'decider',
  VIEWER: 'viewer',
  OPERATOR: 'operator',
  ADMIN: 'admin',
};

const CALLER_KINDS: Record<CallerKind, string> = {
  ANONYMOUS: 'IP address',
  API_KEY: 'API key',
  OTHER: 'other',
  TENANT: 'tenant',
  USER: 'user',
};

/** Labels of the operation types of usage. OTHER and UNPRICED exist only in usage. */
const OPERATION_TYPES: Readonly<Record<string, string>> = {
  MUTATION: 'mutation',
  OTHER: 'other',
  QUERY: 'query',
  SUBSCRIPTION: 'subscription',
  UNPRICED: 'unpriced',
};

const PERIODS: Readonly<Record<number, string>> = {
  1000: 'second',
  60000: 'minute',
  3600000: 'hour',
  86400000: 'day',
};

/** Texts that several pages share: buttons, columns, empty states, and errors. */
export const commonText = {
  cancel: 'Cancel',
  close: 'Close',
  create: 'Create',
  createAnyway: 'Create anyway',
  done: 'Done',
  edit: 'Edit',
  explain: 'Explain',
  remove: 'Remove',
  retire: 'Retire',
  retry: 'Retry',
  retrying: 'Retrying…',
  revoke: 'Revoke',
  save: 'Save',
  saveAnyway: 'Save anyway',

  loading: 'Loading',
  loadingLate: 'Still waiting for the server. If it does not respond, reload the page or check the server.',
  none: 'none',
  notAvailable: '–',
  unknown: 'unknown',
  emptyName: '(empty)',

  modes: MODES,
  roles: ROLES,
  callerKinds: CALLER_KINDS,
  otherCallers: 'Other callers',
  noIntegration: 'Tollgate itself',
  anonymous: 'Anonymous',
  defaultTag: 'default',
  operationType: (type: string) => OPERATION_TYPES[type] ?? type.toLowerCase(),
  eventsNote: 'The requests of a subscription are its start and its events.',
  unnamed: (type: string) => `unnamed ${OPERATION_TYPES[type] ?? type.toLowerCase()}`,

  chart: { admitted: 'Admitted', denied: 'Denied', before: 'Period before' },

  column: {
    actions: 'Actions',
    actual: 'Actual / estimate',
    by: 'By',
    caller: 'Caller',
    calls: 'Calls',
    change: 'Change',
    comment: 'Comment',
    cost: 'Cost',
    created: 'Created',
    denied: 'Denied',
    differences: 'Differences',
    field: 'Field',
    integration: 'Integration',
    lastUsed: 'Last used',
    limit: 'Limit',
    mode: 'Mode',
    name: 'Name',
    operation: 'Operation',
    price: 'Price',
    region: 'Region',
    requests: 'Requests',
    role: 'Role',
    rule: 'Rule',
    rules: 'Rules',
    shadowDenied: 'Denied (shadow)',
    share: 'Share',
    since: 'Since',
    source: 'Source',
    started: 'Started',
    state: 'State',
    tenant: 'Tenant',
    tier: 'Tier',
    time: 'Time',
    tokens: 'Tokens',
    version: 'Version',
  },

  filter: {
    active: 'Active',
    field: 'Field, such as Query.search',
    operation: 'Operation name',
    integration: 'Integration',
    retired: 'Retired',
    rule: 'Rule, or tier:NAME',
    state: 'State',
    tenant: 'Tenant',
    tier: 'Tier',
    user: 'User',
    ip: 'IP address',
    apiKey: 'API key',
  },

  order: {
    label: 'Sort by',
    actualCost: 'Most tokens',
    estimatedCost: 'Most estimated tokens',
    requests: 'Most requests',
    denied: 'Most denials',
  },

  toast: {
    label: 'Notifications',
    undo: 'Undo',
    dismiss: 'Dismiss',
    keyHint: 'Press F6 to move to Undo.',
    undone: (change: string) => `Undone: ${change}`,
    undoFailed: (reason: string) => `Could not undo: ${reason}`,
  },

  expiry: {
    label: 'Expires in',
    same: 'Unchanged',
    days: { '30': '30 days', '90': '90 days', '365': '1 year', '': 'Never' },
  },

  table: {
    label: (name: string) => `Table: ${name}`,
    sortBy: 'Sort by',
    exportCsv: 'CSV',
    firstPage: 'First page',
    nextPage: 'Next page',
    newestFirst: 'Newest first',
  },

  range: {
    label: 'Time range',
    timeZone: 'Browser time zone',
    live: 'Live',
    presets: {
      '15m': 'Last 15 minutes',
      '1h': 'Last hour',
      '3h': 'Last 3 hours',
      '24h': 'Last 24 hours',
      '7d': 'Last 7 days',
      '30d': 'Last 30 days',
      '90d': 'Last 90 days',
    },
    yesterday: 'Yesterday',
    between: (from: string, to: string) => `${from} – ${to}`,
    custom: {
      option: 'Custom range…',
      title: 'Custom range',
      from: 'From',
      to: 'To',
      timeZone: (zone: string) => `Times are in ${zone}.`,
      apply: 'Apply',
      missing: 'Enter a date and a time.',
      future: 'The start must be in the past.',
      order: 'The end must be after the start.',
      tooLong: (days: number) => `The range can have at most ${days} days.`,
    },
  },

  copy: {
    command: 'Copy command',
    copied: 'Copied',
    failed: 'Copy failed',
    queries: 'Copy page queries as GraphQL',
    asMutation: 'Copy as mutation',
    asYaml: 'Copy as YAML',
    asCurl: 'Copy as curl',
  },

  noTraffic: {
    title: 'No traffic in this period',
    hint: 'Priced operations appear here within a minute.',
    changeFilters: 'Change the filters or the period.',
  },

  noSchema: {
    title: 'No API is known yet',
    publish:
      'Add this line to your API server, with the DATABASE_URL and REDIS_URL of this platform. The schema of the server appears here when the server starts. The plugin or adapter of Tollgate then limits its operations.',
    line: "const tollgate = await createTollgate({ schema, service: 'my-api', postgres: process.env.DATABASE_URL, redis: process.env.REDIS_URL });",
    forwardTitle: 'Or start a gateway',
    forward: 'It protects an API that you cannot change, and has its own console.',
    command: 'npx tollgate-platform gateway --upstream https://api.example.com/graphql',
  },

  api: { label: 'API', sample: 'Sample API', own: 'API of this server' },

  caseSensitive: 'Case-sensitive',

  conflict: {
    title: (what: string) => `Another administrator changed this ${what}`,
    notSaved: 'Your changes are not saved yet. Their changes since you started editing:',
    result: 'Result of applying your changes:',
    noDifference: 'No difference',
    keepMine: 'Apply my changes',
    takeStored: 'Discard my changes',
    rule: 'rule',
    tier: 'tier',
  },

  error: {
    titled: {
      forbidden: { title: 'Your role does not allow this', hint: 'Ask an admin for another role.' },
      throttled: { title: 'Too many requests', hint: 'Wait a moment, then retry.' },
      unreachable: { title: 'Cannot reach the server', hint: 'Check the connection and the server, then retry.' },
    },
    unreachable: 'Cannot reach the server',
    other: {
      title: 'Could not load this data',
      hint: 'Retry. If the error persists, check Health and the server log.',
    },
    connectionLost: 'The connection to the server was lost',
    noMessage: 'The admin API returned an error without a message',
    status: (status: number) => `The server returned status ${status}`,
    noData: (status: number) => `The server returned status ${status} without data`,
    streamStatus: (status: number) => `The live stream returned status ${status}`,
    chunkFailed: 'This page could not be loaded. The server is unreachable or runs another version.',
  },

  /** Periods of a rate: `100 per minute`. */
  perPeriod: (amount: string, periodMs: number, duration: string) => `${amount} per ${PERIODS[periodMs] ?? duration}`,
  ofTotal: (part: string, total: string) => `${part} of ${total}`,
} as const;
