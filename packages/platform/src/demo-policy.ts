import type { RuleInput, Subject, TierInput } from 'tollgate';

const perMinute = (amount: number) => ({ algorithm: 'SLIDING_WINDOW_COUNTER' as const, amount, windowMs: 60_000 });

/** The tiers of the sample API. */
export const demoTiers: readonly TierInput[] = [
  {
    name: 'free',
    displayName: 'Free',
    capacity: 1000,
    refillAmount: 20,
    refillPeriodMs: 1000,
    maxCostPerOperation: null,
    maxNodesPerOperation: null,
    maxTypeCostPerOperation: null,
    maxFieldCostPerOperation: null,
    isDefault: true,
  },
  {
    name: 'pro',
    displayName: 'Pro',
    capacity: 20_000,
    refillAmount: 500,
    refillPeriodMs: 1000,
    maxCostPerOperation: 10_000,
    maxNodesPerOperation: null,
    maxTypeCostPerOperation: null,
    maxFieldCostPerOperation: null,
    isDefault: false,
  },
];

/** Rules of the sample API, in addition to the buckets of its tiers. */
export const demoRules: readonly RuleInput[] = [
  {
    name: 'search-per-user',
    description: 'A search is expensive, because it reads all names.',
    scope: 'USER',
    field: 'Query.search',
    measure: 'CALLS',
    limits: [perMinute(20)],
  },
  {
    name: 'search-per-pro-user',
    description: 'Replaces search-per-user for callers on the tier pro.',
    scope: 'USER',
    field: 'Query.search',
    measure: 'CALLS',
    priority: 10,
    match: { tiers: ['pro'] },
    limits: [perMinute(200)],
  },
  {
    name: 'borders-per-user',
    description: 'Nested borders multiply the number of countries.',
    scope: 'USER',
    field: 'Country.borders',
    measure: 'CALLS',
    limits: [perMinute(5000)],
  },
  {
    name: 'writes-per-user',
    description: 'Prevents scripts from saving many notes.',
    scope: 'USER',
    field: 'Mutation.*',
    measure: 'CALLS',
    limits: [perMinute(30)],
  },
  {
    name: 'open-subscriptions-per-user',
    description: 'A page needs one subscription. Prevents scripts from opening many.',
    scope: 'USER',
    field: '*',
    measure: 'SUBSCRIPTIONS',
    match: { tiers: ['free'] },
    limits: [{ algorithm: 'CONCURRENCY', capacity: 2, leaseMs: 60_000 }],
  },
  {
    name: 'requests-per-address',
    description: 'Limits each address, regardless of the number of its keys.',
    scope: 'IP',
    field: '*',
    measure: 'REQUESTS',
    limits: [perMinute(6000)],
  },
  {
    name: 'country-lists-trial',
    description: 'In shadow mode: shows which callers a limit on lists of countries would deny.',
    mode: 'SHADOW',
    scope: 'USER',
    field: 'Query.countriesConnection',
    measure: 'CALLS',
    limits: [perMinute(20)],
  },
];

/** A caller of the sample API and its public key. */
export interface DemoKey {
  readonly key: string;
  readonly subject: Subject & { user: string; tier: string };
}

/** Callers of the sample API with their keys. The keys are public: they exist in demo mode only. */
export const demoKeys: readonly DemoKey[] = [
  { key: 'demo-free', subject: { user: 'demo-free-user', tier: 'free' } },
  { key: 'demo-pro', subject: { user: 'demo-pro-user', tenant: 'demo-company', tier: 'pro' } },
];
