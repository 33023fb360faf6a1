import type { AnswerDetail } from '../generated/graphql.js';

const RESPONSE_DETAILS: Record<AnswerDetail, string> = {
  BRIEF: 'Cost and nearest limit',
  FULL: 'All limits, tier and mode',
  NONE: 'No numbers',
};

/** Texts of the pages of tiers. */
export const tiersText = {
  responseDetail: 'Response detail',
  responseDetails: RESPONSE_DETAILS,

  bucket: (capacity: string, rate: string) => `${capacity} tokens, refills ${rate}`,
  unlimited: 'unlimited',
  price: {
    notSet: 'not set',
    perMonth: (amount: string) => `${amount} per month`,
    plain: (amount: number, currency: string) => `${amount} ${currency}`,
  },

  list: {
    title: 'Tiers',
    lead: 'A tier sets the token bucket of its callers. Each caller has one tier.',
    create: 'New tier',
    noRetired: 'No retired tiers',
    noRetiredHint: 'Retired tiers appear here.',
    empty: 'No tiers',
    emptyHint: 'Create a tier, or apply a policy file.',
    emptyHintViewer: 'An admin can create a tier.',
    burst: 'Burst',
    refill: 'Refill',
    timeToRefill: 'Time to refill',
    maxPerOperation: 'Max per operation',
    code: 'code',
    console: 'console',
  },

  page: {
    tier: 'Tier',
    named: (name: string) => `Tier "${name}"`,
    unnamed: 'The URL contains no tier',
    unnamedHint: 'Select a tier in the list.',
    notFound: 'No active tier with this name',
    notFoundHint: 'The tier may be retired.',
    showRetired: 'Show retired tiers',

    tokens: 'Tokens, last 24 h',
    requests: 'Requests, last 24 h',
    denied: 'Denied, last 24 h',
    assignedCount: 'Assigned callers',

    title: 'Definition',
    bucket: 'Bucket',
    timeToRefill: 'Time to refill',
    perDay: 'Sustained per day',
    tokensCount: (tokens: string) => `${tokens} tokens`,
    price: 'Monthly price',
    inCode: 'In code',
    notInCode: 'not defined in code',
    server: 'unnamed server',
    sameInCode: 'same as stored',
    differsInCode: 'differs; the stored values apply:',
    changed: 'Last changed',
    version: (version: number) => `version ${version}`,

    maximum: 'Per-operation maximum',
    cost: 'Cost',
    nodes: 'Nodes',
    typeCost: 'Type cost',
    fieldCost: 'Field cost',
    tokensUnit: 'tokens',
    nodesUnit: 'objects',
    rules: 'Rules',
    noRules: 'no rules for this tier only',

    topCallers: 'Top callers by cost, last 24 h',
    allCallers: 'All callers of this tier',
    noTraffic: 'No requests on this tier',
    noTrafficHint: 'Callers of this tier appear here when they send requests.',

    assigned: 'Assigned callers',
    noneAssigned: 'No assigned callers',
    defaultHint: 'Callers without an assigned tier use this tier.',
    assignHint: 'Assign the tier on the page of a caller.',
    blocked: 'blocked',
    customLimit: (tokens: string) => `custom limit: ${tokens}`,

    history: 'Change history',
    noHistory: 'No changes since it was created',
    noHistoryHint: 'Each change of the tier appears here.',
  },

  retire: {
    title: 'Retire this tier?',
    text: 'This cannot be undone, and the name cannot be used again. A tier with rules or callers cannot be retired.',
  },

  toast: {
    created: (tier: string) => `Tier ${tier} created`,
    updated: (tier: string) => `Tier ${tier} updated`,
    retired: (tier: string) => `Tier ${tier} retired`,
  },

  form: {
    newTitle: 'New tier',
    editTitle: 'Edit tier',
    lead: 'Applies everywhere within 2 s. Current usage is kept.',
    adminsOnly: 'Only admins can edit tiers',
    adminsOnlyHint: 'Your role can view tiers.',
    tier: 'Tier',
    name: 'Name',
    nameHint: 'Cannot be changed later.',
    displayName: 'Display name',
    price: 'Monthly price',
    priceHint: 'Leave empty to hide.',
    currency: 'Currency',
    currencyFormat: 'Three letters, such as USD',
    isDefault: 'Default tier for callers without an assigned tier',
    bucket: 'Bucket',
    summary: (bucket: string, time: string) => `${bucket}, full in ${time}`,
    capacity: 'Capacity (tokens)',
    capacityHint: 'Maximum burst.',
    refill: 'Refill (tokens)',
    refillPeriod: 'Refill period (seconds)',
    maximum: 'Per-operation maximum',
    maximumHint: 'Leave empty for unlimited',
    maxCost: 'Cost (tokens)',
    maxNodes: 'Nodes (objects)',
    maxTypeCost: 'Type cost',
    maxFieldCost: 'Field cost',
  },
} as const;
