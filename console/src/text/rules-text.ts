import type { EventPolicy, Measure, OnUnavailable, RegionMode, RuleMode, Scope } from '../generated/graphql.js';

const SCOPES: Record<Scope, string> = {
  USER: 'User',
  TENANT: 'Tenant',
  API_KEY: 'API key',
  IP: 'IP address',
  USER_AND_IP: 'User and IP address',
  GLOBAL: 'All callers',
};

const MEASURES: Record<Measure, string> = {
  COST: 'Cost',
  CALLS: 'Calls',
  REQUESTS: 'Requests',
  NODES: 'Nodes',
  TYPE_COST: 'Type cost',
  FIELD_COST: 'Field cost',
  SUBSCRIPTIONS: 'Open subscriptions',
  CONNECTIONS: 'Open connections',
};

const MODES: Record<RuleMode, string> = { ENFORCE: 'Enforce', SHADOW: 'Shadow', OFF: 'Off' };

const WITHOUT_REDIS: Record<OnUnavailable, string> = {
  LOCAL: 'Count locally',
  OPEN: 'Admit all',
  CLOSED: 'Deny all',
};

const EVENT_POLICIES: Record<EventPolicy, string> = {
  COMPLETE: 'End the subscription',
  DROP: 'Drop the event',
  PAUSE: 'Pause until there is room',
};

const REGION_MODES: Record<RegionMode, string> = {
  CENTRAL: 'Whole limit in each Redis',
  SPLIT: 'Share of each region',
  WATCH: 'Whole limit, with the counts of other regions',
};

/** Singular and plural of the unit that a limit counts. */
const UNITS: Record<Measure, readonly [one: string, several: string]> = {
  COST: ['token', 'tokens'],
  CALLS: ['call', 'calls'],
  REQUESTS: ['request', 'requests'],
  NODES: ['object', 'objects'],
  TYPE_COST: ['point of type cost', 'points of type cost'],
  FIELD_COST: ['point of field cost', 'points of field cost'],
  SUBSCRIPTIONS: ['subscription', 'subscriptions'],
  CONNECTIONS: ['connection', 'connections'],
};

const WHOSE: Record<Scope, string> = {
  USER: 'per user',
  TENANT: 'per tenant',
  API_KEY: 'per API key',
  IP: 'per IP address',
  USER_AND_IP: 'per user and IP address',
  GLOBAL: 'for all callers together',
};

const WHO: Record<Scope, string> = {
  USER: 'Each user',
  TENANT: 'Each tenant',
  API_KEY: 'Each API key',
  IP: 'Each IP address',
  USER_AND_IP: 'Each user at each IP address',
  GLOBAL: 'All callers together',
};

/** Verb of each measure, and the word between the amount and the field. */
const USES: Record<Measure, readonly [verb: string, of: string]> = {
  COST: ['spend', 'on'],
  CALLS: ['make', 'to'],
  REQUESTS: ['send', 'that contain'],
  NODES: ['request', 'from'],
  TYPE_COST: ['spend', 'on'],
  FIELD_COST: ['spend', 'on'],
  SUBSCRIPTIONS: ['open', 'to'],
  CONNECTIONS: ['open', 'to'],
};

/** Subject of the sentence about the operations above the limits. */
const MORE: Record<Measure, string> = {
  COST: 'operations that need more',
  CALLS: 'more calls',
  REQUESTS: 'more requests',
  NODES: 'operations that need more',
  TYPE_COST: 'operations that need more',
  FIELD_COST: 'operations that need more',
  SUBSCRIPTIONS: 'more subscriptions',
  CONNECTIONS: 'more connections',
};

/** Texts of the pages of rules. */
export const rulesText = {
  units: UNITS,
  whose: WHOSE,
  missing: '…',
  scopes: SCOPES,
  measures: MEASURES,
  modes: MODES,
  withoutRedisModes: WITHOUT_REDIS,
  eventPolicies: EVENT_POLICIES,
  regionModes: REGION_MODES,
  scope: 'Per',
  measure: 'Measures',
  withoutRedis: 'If Redis is down',
  regions: 'Regions',
  deniedEvents: 'Denied events of subscriptions',

  callers: {
    title: 'Callers',
    kinds: { ANONYMOUS: 'Anonymous', IDENTIFIED: 'Identified' },
    agents: 'agents',
    are: { ANONYMOUS: 'anonymous', IDENTIFIED: 'identified' },
    credentials: { KEY: 'API key', TOKEN: 'token', NONE: 'no credential' },
    with: (credentials: string) => `with ${credentials}`,
    users: (names: string) => `user ${names}`,
    tenants: (names: string) => `tenant ${names}`,
    keys: (names: string) => `API key ${names}`,
    documentsTitle: 'Documents',
    documents: { REGISTERED: 'Registered', UNREGISTERED: 'Not registered' },
    document: { REGISTERED: 'registered documents', UNREGISTERED: 'unregistered documents' },
    apps: (names: string) => `app ${names}`,
    appVersions: (names: string) => `app version ${names}`,
    more: (count: number) => `${count} more`,
  },

  list: {
    title: 'Rules',
    lead: 'Additional limits for fields, operations, tenants and addresses.',
    create: 'New rule',
    name: 'Name contains',
    mode: 'Mode',
    anyMode: 'Any mode',
    noRetired: 'No retired rules',
    noRetiredHint: 'Retired rules appear here. An admin can reactivate them.',
    empty: 'No rules',
    emptyHint: 'Create a rule, or apply a policy file. Tier limits apply without rules.',
    emptyHintViewer: 'An admin can create a rule. Tier limits apply without rules.',
    noMatchHint: 'No rule matches the filters. Tier limits still apply.',
    console: 'console',
    code: 'code',
    codeOf: (service: string) => `code of ${service}`,
    denied: 'Denied, 24 h',
    shadowDenied: 'Would be denied, 24 h',
    neverApplies: 'never applies',
  },

  limit: {
    tokenBucket: (amount: string, whose: string, rate: string) => `${amount} at once${whose}, then ${rate}`,
    leakyBucket: (rate: string, whose: string, queue: string) => `${rate}${whose}, with a queue of ${queue}`,
    fixedWindow: (rate: string) => `${rate}, clock-aligned`,
    concurrency: (amount: string, whose: string) => `${amount} at a time${whose}`,
    perConnection: (limit: string) => `${limit} and connection`,
    waits: (limit: string, longest: string) => `${limit}, others wait up to ${longest}`,
    and: ' and ',
    none: 'none (exempts callers)',
  },

  sentence: {
    times: ['time', 'times'],
    or: ' or ',
    call: (field: string, limits: string) => `call ${field} ${limits}`,
    use: (measure: Measure, limits: string, field: string) =>
      field === '*' ? `${USES[measure][0]} ${limits}` : `${USES[measure][0]} ${limits} ${USES[measure][1]} ${field}`,
    limit: (scope: Scope, use: string, measure: Measure, end: string) =>
      `${WHO[scope]} may ${use}; ${MORE[measure]} are ${end}.`,
    denied: 'denied',
    delayed: 'delayed',
    shadow: 'counted but not denied',
    off: 'admitted while the rule is off',
    exempt: (field: string) =>
      field === '*'
        ? 'Callers are exempt from all rules with the same scope, field and measure.'
        : `Calls to ${field} are exempt from all rules with the same scope and measure.`,
    share: (share: string) => `The rule applies to ${share} of callers.`,
    tiers: (tiers: string) => `The rule applies to callers of: ${tiers}.`,
    only: (conditions: string) => `Only these callers: ${conditions}.`,
    onlyDocuments: (conditions: string) => `Only ${conditions}.`,
    addresses: (addresses: string) => `Only requests from: ${addresses}.`,
    shareOfTiers: (share: string, tiers: string) => `The rule applies to ${share} of callers of: ${tiers}.`,
  },

  times: {
    title: 'Times',
    hasSchedule: 'Only at certain hours',
    daysTitle: 'Days',
    days: { MON: 'Mon', TUE: 'Tue', WED: 'Wed', THU: 'Thu', FRI: 'Fri', SAT: 'Sat', SUN: 'Sun' },
    everyDay: 'every day',
    noDay: 'on no day',
    allDay: 'all day',
    from: 'From',
    to: 'To',
    toHint: 'If earlier than the start: on the next day.',
    hourFormat: 'HH:MM, up to 24:00',
    timeZone: 'Time zone',
    activeFrom: 'Active from',
    activeUntil: 'Active until',
    browserZone: (zone: string) => `Time zone: ${zone}.`,
    hours: (days: string, hours: string, zone: string) => `${days}, ${hours} (${zone})`,
    since: (moment: string) => `from ${moment}`,
    until: (moment: string) => `until ${moment}`,
    sentence: (times: string) => `Only ${times}.`,
    now: 'applies now',
    notNow: 'does not apply now',
    changes: (state: string, moment: string) => `${state}, until ${moment}`,
  },

  page: {
    unnamed: 'The URL contains no rule',
    unnamedHint: 'Select a rule in the list.',
    rule: 'Rule',
    notFound: 'No active rule with this name',
    notFoundHint: 'The rule may be retired.',
    showRetired: 'Show retired rules',
    title: 'Definition',
    retired: 'retired',
    field: 'Field',
    limits: 'Limits',
    inRegion: (region: string, limits: readonly string[]) => `${region} enforces ${limits.join(' and ')}`,
    source: 'Source',
    stored: (version: number) => `console, version ${version}`,
    affected: 'Affected callers, last 24 h',
    denied: (denied: string, shadowDenied: string) => `Denied: ${denied}; would be denied (shadow): ${shadowDenied}`,
    noneAffected: 'None',
    noneAffectedHint: 'Callers appear here when the rule denies them, or would deny them in shadow mode.',
  },

  mode: {
    title: 'Mode',
    mode: 'Mode',
    options: { OFF: 'Off: no effect', SHADOW: 'Shadow: count only', ENFORCE: 'Enforce: deny requests' },
    rollout: 'Rollout %',
    enforceAnyway: 'Enforce anyway',
  },

  simulation: {
    byRegion: 'By region, with its share:',
    inRegion: (region: string, denied: string, all: string) => `${region} ${denied} of ${all}`,
    run: 'Simulate on the last 24 h',
    failed: (reason: string) => `Simulation failed: ${reason}`,
    noData: 'No logged decisions in the last 24 h to simulate on',
    newlyDenied: (denied: string, total: string) =>
      `If enforced: ${denied} of ${total} requests in the last 24 h would newly be denied.`,
    denied: (count: string) => `Denied in total: ${count}`,
    newlyAdmitted: (count: string) => `newly admitted: ${count}`,
    delayed: (count: string) => `delayed longer: ${count}`,
    leftOut: (count: string) => `${count} requests were skipped: the log lacks a property that this rule depends on.`,
    truncated: 'Too many decisions: only the first were simulated.',
    sampled: (share: string) => `Based on ${share} of callers: the others are not logged.`,
  },

  action: {
    undo: 'Undo last change',
    reactivate: 'Reactivate',
    reactivateAnyway: 'Reactivate anyway',
    reactivateTitle: 'Reactivate this rule?',
    retireTitle: 'Retire this rule?',
    retireText: 'It stops limiting requests. You can reactivate it later.',
    retired: (rule: string) => `Rule ${rule} retired`,
  },

  versions: {
    title: 'Versions',
    empty: 'No versions',
    emptyHint: 'Each change of the rule creates a version.',
    yaml: 'YAML',
    graphql: 'GraphQL',
    copyYaml: (version: number) => `Copy version ${version} as YAML`,
    copyMutation: (version: number) => `Copy version ${version} as GraphQL mutation`,
    restore: 'Restore',
    restoreVersion: (version: number) => `Restore version ${version}`,
    restoreTitle: (version: number) => `Restore version ${version}?`,
    applies: 'Applies everywhere within 2 s:',
    noDifference: 'No difference',
  },

  form: {
    newTitle: 'New rule',
    editTitle: 'Edit rule',
    lead: 'In shadow mode, a rule counts but never denies.',
    adminsOnly: 'Only admins can edit rules',
    adminsOnlyHint: 'Your role can view rules. Operators can also change their modes.',
    notEditable: 'This rule cannot be edited',
    notEditableHint: 'It does not exist, or it is defined in code.',
    rule: 'Rule',
    name: 'Name',
    field: 'Fields',
    fieldHint: 'Such as Query.search; * for all fields. Several, comma-separated, share the counters.',
    mode: 'Mode',
    rollout: 'Rollout %',
    rolloutHint: 'The same callers every time.',
    priority: 'Priority',
    priorityHint: 'Lower number wins between rules with the same scope, field and measure. Exemptions always win.',
    tiers: 'Tiers',
    tiersHint: 'Comma-separated; empty means all.',
    callers: 'Callers',
    allCallers: 'All callers',
    credentials: 'Credentials',
    credentialsHint: 'A session that your server checks counts as a token.',
    allCredentials: 'All credentials',
    agents: 'Programs',
    agentsHint: 'Agents have a key of the kind Agent, or a client name such as mcp, which can be forged.',
    allPrograms: 'All programs',
    agentsOnly: 'Agents only',
    users: 'Users',
    tenants: 'Tenants',
    namesHint: 'Comma-separated, such as ann, test-*; empty means all.',
    keys: 'API keys',
    keysHint: 'Comma-separated prefixes of keys, such as tg_1a2b; empty means all.',
    document: 'Documents',
    documentHint: 'Documents that an app has registered, or all others.',
    allDocuments: 'All documents',
    apps: 'Apps',
    appsHint: 'Comma-separated apps that have registered the document, such as web, mobile-*; empty means all.',
    appVersions: 'App versions',
    appVersionsHint: 'Comma-separated, such as 1.4.0, 2.*; empty means all.',
    description: 'Description',
    limits: 'Limits',
    addLimit: 'Add limit',
    noLimits: 'A rule without limits exempts callers from all rules with the same scope, field and measure.',
    advanced: 'Advanced',
    ifEnforced: 'If you enforce this rule:',
  },

  limitForm: {
    limit: 'Limit',
    kind: 'Type',
    kinds: {
      tokenBucket: 'Token bucket: bursts, steady refill',
      slidingWindowCounter: 'Sliding window',
      fixedWindow: 'Fixed window (clock-aligned)',
      slidingWindowLog: 'Sliding window (exact)',
      leakyBucket: 'Leaky bucket: delays bursts',
      calendarWindow: 'Calendar window: budget per period',
      concurrency: 'Concurrency',
    },
    capacity: 'Capacity',
    refill: 'Refill',
    refillPeriod: 'Refill period (seconds)',
    amount: 'Amount',
    window: 'Window (seconds)',
    concurrent: 'Concurrent operations',
    timeout: 'Slot timeout (seconds)',
    longestWait: 'Longest wait for a slot (seconds, optional)',
    queue: 'Queue size per instance (optional)',
    perConnection: 'Count each WebSocket separately',
  },
} as const;
