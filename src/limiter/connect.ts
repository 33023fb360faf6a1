import type { Cluster, Redis, RedisOptions } from 'ioredis';

/** A client that runs the scripts. `ready` resolves once it can be written to, and rejects when that takes too long. */
export interface Connection {
  readonly client: Redis | Cluster;
  ready(): Promise<void> | undefined;
  close(): Promise<void>;
}

/**
 * ioredis by default resends a command whose reply was lost, which charges twice. These options make every command be
 * sent at most once, and fail rather than wait where it cannot be sent.
 */
function safeOptions(commandTimeoutMs: number) {
  return {
    lazyConnect: true,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 5000,
    commandTimeout: commandTimeoutMs,
    socketTimeout: Math.max(10_000, 2 * commandTimeoutMs),
  } satisfies RedisOptions;
}

/** Connects to what a URL names. ioredis is loaded here: without Redis nobody waits for it. */
export async function connect(url: string, commandTimeoutMs: number): Promise<Connection> {
  const ioredis = await import('ioredis');
  const { protocol, nodes, rest, username, password } = parseRedisUrl(url);
  const options = safeOptions(commandTimeoutMs);
  const credentials = { ...(username && { username }), ...(password && { password }) };
  let client: Redis | Cluster;
  if (protocol === 'redis-cluster') {
    client = new ioredis.Cluster(nodes, {
      lazyConnect: true,
      enableOfflineQueue: false,
      // A slot on the move answers so until its keys are in one place; nothing was executed.
      retryDelayOnTryAgain: 10,
      redisOptions: { ...options, ...credentials },
    });
  } else if (protocol === 'redis-sentinel') {
    client = new ioredis.Redis({ ...options, ...credentials, sentinels: nodes, name: rest, failoverDetector: true });
  } else {
    client = new ioredis.Redis(url, options);
  }
  // Without a listener an error event ends the process; what fails is told by each command.
  client.on('error', () => {});
  const connecting = Promise.race([client.connect(), timeOut(commandTimeoutMs)]);
  connecting.catch(() => {});
  return {
    client,
    ready: () => (client.status === 'ready' ? undefined : connecting),
    async close() {
      // After the replies to what was sent; where nobody answers, at once.
      await client.quit().catch(() => {});
      client.disconnect();
    },
  };
}

/** The first calls wait for the connection as long as for a reply; ioredis goes on trying. */
function timeOut(afterMs: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`not connected after ${afterMs} ms`)), afterMs).unref();
  });
}

export interface RedisUrl {
  protocol: 'redis' | 'rediss' | 'redis-cluster' | 'redis-sentinel';
  nodes: { host: string; port: number }[];
  /** What follows the first `/`: the name of the primary that sentinels watch. */
  rest: string;
  username: string;
  password: string;
}

const URL_FORM = /^(redis|rediss|redis-cluster|redis-sentinel):\/\/(?:([^@/]*)@)?([^/]*)(?:\/(.*))?$/;

/** Reads `scheme://[user:password@]host[:port][,host[:port]...][/name]`. */
export function parseRedisUrl(url: string): RedisUrl {
  const [, protocol, credentials = '', hosts = '', rest = ''] = URL_FORM.exec(url) ?? [];
  if (!protocol) {
    throw new TypeError(
      'redis: expected redis://, rediss://, redis-cluster://a,b,c or redis-sentinel://a,b,c/name, got another URL',
    );
  }
  const sentinel = protocol === 'redis-sentinel';
  if (sentinel && !rest) throw new TypeError('redis: expected redis-sentinel://a,b,c/name, got no name');
  const [username = '', password = ''] = credentials.includes(':')
    ? credentials.split(/:(.*)/s).map(decodeURIComponent)
    : ['', decodeURIComponent(credentials)];
  const nodes = hosts.split(',').map((node) => parseNode(node, sentinel ? 26379 : 6379));
  return { protocol: protocol as RedisUrl['protocol'], nodes, rest, username, password };
}

function parseNode(node: string, defaultPort: number): { host: string; port: number } {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(node) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined) throw new TypeError(`redis: expected host or host:port, got ${JSON.stringify(node)}`);
  return { host: host || '127.0.0.1', port: port === undefined ? defaultPort : Number(port) };
}
