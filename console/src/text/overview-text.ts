/** Texts of the overview. */
export const overviewText = {
  title: 'Overview',
  lead: 'Cost by caller, and denied requests.',
  liveDisconnected: 'Live updates are disconnected. Reconnecting…',

  stat: {
    costPerSecond: 'Cost per second',
    tokens: 'tokens',
    requests: 'Requests',
    denied: 'Denied',
    deniedRequests: (count: string) => `${count} requests`,
    wouldBeDenied: 'Would be denied (shadow)',
    now: (value: string) => `${value} now`,
    perSecondNow: (value: string) => `${value}/s now`,
    noneBefore: 'none in previous period',
    versusPrevious: (change: string) => `${change} vs. previous period`,
  },

  chart: {
    title: 'Tokens per second',
    bucket: { MINUTE: 'per minute', HOUR: 'per hour', DAY: 'per day (UTC)' },
    compare: 'Compare with the period before',
    admitted: (tokens: string) => `Admitted tokens per second over time, ${tokens} tokens in total`,
    denied: (tokens: string) => `Denied tokens per second over time, ${tokens} tokens in total`,
  },

  integrations: { title: 'Decisions for other servers' },
  regions: { title: 'Regions' },
  topCallers: { title: 'Top callers by cost', all: 'All callers' },
  mostDenied: {
    title: 'Most denied',
    all: 'All denials',
    empty: 'No denials in this period',
    emptyHint: 'Callers above a limit appear here.',
  },
  busiest: {
    title: 'Busiest right now',
    hint: 'decisions per second, all processes',
    column: 'Decisions per second',
    perSecond: (value: string) => `${value}/s`,
    empty: 'No traffic right now',
    emptyHint: 'Callers appear here while they send requests.',
    waiting: 'Waiting for live data',
    waitingHint: 'It arrives within seconds.',
  },

  withoutRedis: {
    title: 'Some decisions were made without Redis',
    count: (operations: string) => `${operations} operations in this period were decided without shared counters.`,
    health: 'Health',
  },

  demo: {
    running: 'Demo traffic is running',
    stopped: 'Demo traffic is stopped',
    hint: 'Simulated callers, whose names begin with demo-, use the sample API. They are counted and limited like all others.',
    stop: 'Stop demo traffic',
    start: 'Start demo traffic',
  },
} as const;
