import type { InstanceState } from '../generated/graphql.js';

const RULE_SOURCES: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL',
  redis: 'Redis (PostgreSQL is down)',
  snapshot: 'file on disk (PostgreSQL is down)',
};

const BREAKER = {
  CLOSED: { summary: 'healthy', state: 'closed' },
  OPEN: { summary: 'down', state: 'open' },
  HALF_OPEN: { summary: 'recovering', state: 'half-open' },
} as const;

const STATES: Record<InstanceState, string> = { DEGRADED: 'degraded', READY: 'ready' };

/** Texts of the health page. */
export const healthText = {
  title: 'Health',
  lead: 'State of the server that serves this page, and its settings.',
  healthy: 'All systems operational',
  degraded: 'Degraded',

  postgres: {
    title: 'PostgreSQL',
    healthy: 'healthy',
    down: 'down',
    latency: 'Latency',
    milliseconds: (value: number) => `${value} ms`,
    noAnswer: 'no response',
    downSince: 'Down since',
    version: 'Version',
    rules: 'Active rules',
    rulesFrom: (change: string, source: string) => `as of change ${change}, from ${RULE_SOURCES[source] ?? 'unknown'}`,
    latestChange: 'Latest change',
  },

  process: {
    title: 'This process',
    tollgate: 'Tollgate',
    node: 'Node.js',
    started: 'Started',
    withoutRedis: 'Without Redis',
    degraded: (operations: string) => `${operations} operations in the last hour were decided without shared counters`,
  },

  redis: {
    title: 'Redis',
    hint: 'Counters shared by all processes',
    empty: 'Counters are kept in this process',
    emptyHint: 'They are not shared with other processes, and are lost when this process stops.',
    pool: 'Pool',
    breaker: 'Circuit breaker',
    breakerStates: BREAKER,
    reason: 'Reason',
    processes: 'Processes',
  },

  processes: {
    title: 'Processes',
    hint: 'Processes on this PostgreSQL, by last heartbeat',
    empty: 'No processes',
    emptyHint: 'A process appears within a second of its start.',
    process: 'Process',
    current: 'serves this page',
    states: STATES,
    localShare: 'Share if Redis is down',
    percent: (value: number) => `${value} %`,
    lastSeen: 'Last seen',
  },

  apis: {
    title: 'APIs',
    hint: 'Servers that have published a schema',
    empty: 'No published schemas',
    emptyHint: 'Set the option service of createTollgate.',
    api: 'API',
    hash: 'Schema and prices',
    published: 'Published',
  },

  settings: {
    title: 'Settings',
    hint: 'Without secrets. Set when the process starts.',
    empty: 'No settings available here',
    emptyHint: 'The server of this page was started without a list of settings.',
    adminsOnly: 'Only admins can see settings',
    adminsOnlyHint: 'Ask an admin for access.',
    setting: 'Setting',
    value: 'Value',
    notSet: 'not set',
    yes: 'yes',
    no: 'no',
    none: 'none',
  },
} as const;
