import type { Cluster, Redis } from 'ioredis';

/** What a client has to be told so that it sends each command at most once, and never late. ioredis defaults to none. */
const OF_CONNECTIONS = {
  // Resends a command whose reply was lost: it is charged twice.
  autoResendUnfulfilledCommands: false,
  // Sends a command long after its decision was made without it.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
} as const;

/** The same of a `Cluster`, which passes the first and the last on to its nodes, and keeps a queue of its own. */
const OF_CLUSTERS = {
  // Sends a command whose connection broke to the primary that comes next: it is charged twice.
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  enableOfflineQueue: false,
} as const;

/** The options of a client that was passed in with which it may charge twice: each with what it should be. */
export function findUnsafeOptions(client: Redis | Cluster): string[] {
  if (!client.isCluster) return differing(client.options as object, OF_CONNECTIONS);
  const { options } = client as Cluster;
  const { enableOfflineQueue: _ofNodes, ...ofNodes } = OF_CONNECTIONS;
  return [
    ...differing(options as object, OF_CLUSTERS),
    ...differing((options.redisOptions ?? {}) as object, ofNodes, 'redisOptions.'),
  ];
}

function differing(options: object, wanted: Readonly<Record<string, unknown>>, prefix = ''): string[] {
  const given = options as Readonly<Record<string, unknown>>;
  return Object.entries(wanted)
    .filter(([name, value]) => given[name] !== value)
    .map(
      ([name, value]) =>
        `${prefix}${name}: ${value} (it is ${given[name] === undefined ? 'left to its default' : given[name]})`,
    );
}

/** One line for a log. */
export function unsafeWarning(pool: string, options: readonly string[]): string {
  return `The Redis client that was given (pool ${pool}) may charge an operation twice when a reply is lost, or long after it was decided. Make it with ${options.join(', ')}; or give Tollgate a URL`;
}
