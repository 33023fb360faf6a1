import type { Cluster, Redis, RedisOptions } from 'ioredis';
import type { RedisClient } from '../../model/redis-client.js';
import { COUNTER_OPTIONS } from '../../options/counter-options.js';
import { findCredentialMistake } from '../../options/find-credential-mistake.js';
import { loadOptional } from '../../runtime/packages/load-optional.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { importIoredis } from './import-ioredis.js';

/** A connection to Redis whose client runs the scripts. */
export interface Connection {
  readonly client: Redis | Cluster;
  /**
   * Resolves once the client accepts commands; undefined if it already does. If the first attempt
   * fails or takes too long, rejects for a URL, and resolves for a client that was passed in.
   */
  ready(): Promise<void> | undefined;
  close(): Promise<void>;
}

export interface ConnectOptions {
  /**
   * Timeout of a command, in milliseconds. Not for charges: after a pause of the process, the timer
   * of ioredis reports a timeout although Redis was not silent (see deadlines.ts).
   * @default no timeout, except for silent sockets
   */
  commandTimeoutMs?: number;
  /** Maximum wait for the first attempt to connect, in milliseconds. @default 1000 */
  connectWaitMs?: number;
  /** Longest pause between attempts to connect, in milliseconds. @default 500 */
  reconnectMs?: number | undefined;
  /** Receives the reason why the client is not connected. */
  onError?: (error: unknown) => void;
}

const CONNECT_WAIT_MS = 1000;

/**
 * Returns the maximum wait in milliseconds for the first attempt to connect: one second, or
 * `deadlineMs` if that is longer. The same maximum then applies to the first call.
 */
export const firstWaitMs = (deadlineMs: number) => Math.max(CONNECT_WAIT_MS, deadlineMs);

const QUIT_WAIT_MS = 1000;

interface TimesOfConnection {
  commandTimeoutMs: number | undefined;
  connectWaitMs: number;
  reconnectMs: number;
}

/**
 * Returns options with which the client sends every command at most once, and fails instead of
 * waiting if it cannot send. By default ioredis resends a command whose reply was lost, which
 * charges twice. The socket timeout drops a socket that is silent while a reply is due. Without it,
 * calls would wait for a half-open socket for minutes after Redis is back.
 */
function safeOptions({ commandTimeoutMs, connectWaitMs, reconnectMs }: TimesOfConnection) {
  return {
    lazyConnect: true,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: Math.max(2000, connectWaitMs),
    socketTimeout: Math.max(2500, 2 * (commandTimeoutMs ?? 0)),
    maxLoadingRetryTime: 1000,
    // Jitter: instances that lost the same Redis do not reconnect at the same moment.
    retryStrategy: (times) => Math.min(reconnectMs, 25 * 2 ** Math.min(times, 10)) * (0.5 + Math.random() / 2),
    // A demoted primary rejects writes with READONLY. Its host name now resolves to another server.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    ...(commandTimeoutMs !== undefined && { commandTimeout: commandTimeoutMs }),
  } satisfies RedisOptions;
}

/**
 * Connects to the Redis of a URL. ioredis is loaded here, so that a process without Redis never
 * loads it.
 */
export async function connect(
  url: string,
  { onError = () => {}, commandTimeoutMs, ...times }: ConnectOptions = {},
): Promise<Connection> {
  const ioredis = await loadOptional('ioredis', 'redis', importIoredis);
  const { protocol, nodes, rest, database, family, username, password } = parseRedisUrl(url);
  const { connectWaitMs = CONNECT_WAIT_MS, reconnectMs = COUNTER_OPTIONS.reconnectMs.default } = times;
  const options = {
    ...safeOptions({ commandTimeoutMs, connectWaitMs, reconnectMs }),
    ...(family !== undefined && { family }),
  };
  const credentials = { ...(username && { username }), ...(password && { password }) };
  let client: Redis | Cluster;
  if (protocol === 'redis-cluster') {
    client = new ioredis.Cluster(nodes, {
      lazyConnect: true,
      // A queued command would be sent after its decision was made without Redis. Without the
      // queue, the command fails instead.
      enableOfflineQueue: false,
      // While a hash slot moves, Redis replies TRYAGAIN and executes nothing until all keys of the
      // command are on one node. The maximum number of redirections is low, so that no command is
      // sent after the calling code has stopped waiting for it.
      retryDelayOnTryAgain: 5,
      maxRedirections: 4,
      // Otherwise ioredis resends a command to the next primary after its connection broke, which
      // charges twice.
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      clusterRetryStrategy: options.retryStrategy,
      redisOptions: { ...options, ...credentials },
    });
  } else if (protocol === 'redis-sentinel') {
    client = new ioredis.Redis({ ...options, ...credentials, sentinels: nodes, name: rest, failoverDetector: true });
  } else {
    // The URL itself is not passed: its parameters would override the options that prevent commands
    // from being sent twice.
    const tls = protocol === 'rediss' && { tls: {} };
    client = new ioredis.Redis({ ...options, ...credentials, ...nodes[0]!, db: database, ...tls });
  }
  if (client.isCluster) watchNodes(client as Cluster);
  let isRejected = false;
  const wrongDatabase = new Promise<never>((_, reject) => {
    // An error event without a listener ends the process. Each command reports its own failure.
    client.on('error', (error: Error) => {
      if (!isOfSelect(error)) {
        // The commands that ioredis was about to send fail because the code below ended the
        // connection. Their errors do not name the cause.
        if (!isRejected || !error.message.startsWith("Stream isn't writeable")) onError(error);
        return;
      }
      isRejected = true;
      // ioredis continues in database 0, which others may use. The event precedes "ready", so no
      // command was sent yet.
      const rejection = new DatabaseError(database, error);
      client.disconnect(true);
      onError(rejection);
      reject(rejection);
    });
  });
  // The promise of a cluster's connect() stays pending if ioredis had to retry.
  const isReady = new Promise<void>((resolve) => client.once('ready', resolve));
  const opened = Promise.race([wrongDatabase, client.connect(), isReady]);
  const connecting = withTimeout(opened, connectWaitMs, () => {
    throw new Error(`not connected after ${connectWaitMs} ms`);
  });
  connecting.catch(() => {});
  return {
    client,
    ready: () => (client.status === 'ready' ? undefined : connecting),
    async close() {
      // QUIT waits for the replies to commands in flight; the timeout covers a server that does not
      // reply.
      await withTimeout(client.quit(), QUIT_WAIT_MS, () => undefined).catch(() => {});
      client.disconnect();
    },
  };
}

/**
 * Maximum wait for a client that was passed in, in milliseconds. The client may still be
 * connecting. Without an offline queue, which is the safe setting, commands sent before it is ready
 * fail immediately.
 */
export const GIVEN_CLIENT_WAIT_MS = 2000;

/** Returns a connection for a client that was passed in. Closing it leaves the client open. */
export function connectionOf(client: Redis | Cluster): Connection {
  return {
    client,
    ready: () => (client.status === 'ready' ? undefined : readyOf(client)),
    close: async () => {},
  };
}

/**
 * Resolves once the client is ready, has ended, or has taken too long. The calls that follow report
 * the reason.
 */
async function readyOf(client: Redis | Cluster): Promise<void> {
  if (client.status === 'end') return;
  // A lazy client connects at its first command, which fails without an offline queue.
  if (client.status === 'wait') client.connect().catch(() => {});
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  client.once('ready', settle).once('end', settle);
  await withTimeout(settled, GIVEN_CLIENT_WAIT_MS, () => undefined);
  client.off('ready', settle).off('end', settle);
}

/** The database that a URL names does not exist, or the user may not use it. */
export class DatabaseError extends Error {
  constructor(database: number, cause: Error) {
    super(`cannot use database ${database} of Redis, which the URL names: ${cause.message}`, { cause });
    this.name = 'DatabaseError';
  }
}

/**
 * Returns whether an error is the reply to SELECT. ioredis attaches the command to a reply error.
 * It sends SELECT itself, and only if a database is configured.
 */
function isOfSelect(error: Error): boolean {
  const { command } = error as { command?: { name?: unknown } };
  return error.name === 'ReplyError' && command?.name === 'select';
}

/** Changes a Cluster client so that commands are sent once and immediately, or fail. */
function watchNodes(cluster: Cluster): void {
  // Connects to primaries early: otherwise ioredis delays the first command for a node until that
  // node is connected. Connecting starts when the cluster is ready. Before that, ioredis loads the
  // hash slots from any node, and would fail at a node that is still connecting.
  const connectTo = (node: Redis) => {
    if (node.status === 'wait' && !node.options.readOnly) node.connect().catch(() => {});
  };
  cluster.on('ready', () => cluster.nodes('master').forEach(connectTo));
  cluster.on('+node', (node: Redis) => {
    if (cluster.status === 'ready') connectTo(node);
  });
  // Gives each hash slot its own array of nodes. In ioredis, the hash slots of a range share one
  // array, and a redirection for one of them overwrites the node of all. Commands for the others
  // would then be redirected as well, until their redirections are used up.
  cluster.on('refresh', () => {
    cluster.slots.forEach((nodes, slot) => {
      cluster.slots[slot] = nodes.slice();
    });
  });
}

export interface RedisUrl {
  protocol: 'redis' | 'rediss' | 'redis-cluster' | 'redis-sentinel';
  nodes: { host: string; port: number }[];
  /** Text after the first `/`: for sentinels, the name of the primary. */
  rest: string;
  /** Number of the database on the server; 0 if none is named. */
  database: number;
  /** IP version to which host names are resolved; 0 for both. */
  family: 0 | 4 | 6 | undefined;
  username: string;
  password: string;
}

const URL_FORM = /^(redis|rediss|redis-cluster|redis-sentinel):\/\/(?:([^@]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s;
const FAMILIES = { '0': 0, '4': 4, '6': 6 } as const;

/**
 * Parses `scheme://[user:password@]host[:port][,host[:port]...][/name][?family=0&db=1]`.
 *
 * @throws TypeError whose message contains no part of the user or the password
 */
export function parseRedisUrl(url: string): RedisUrl {
  const mistake = findCredentialMistake(url);
  if (mistake !== undefined) throw new TypeError(`redis: ${mistake}`);
  const [, protocol, credentials = '', hosts = '', rest = '', query = ''] = URL_FORM.exec(url) ?? [];
  if (!protocol) {
    const scheme = /^[a-z][a-z0-9+.-]{0,30}:\/\//i.exec(url)?.[0];
    const got = scheme === undefined ? 'a string with another prefix' : `one that begins with ${scheme}`;
    throw new TypeError(
      `redis: expected a URL such as redis://, rediss://, redis-cluster://a,b,c or redis-sentinel://a,b,c/name, got ${got}`,
    );
  }
  const sentinel = protocol === 'redis-sentinel';
  if (sentinel && !rest) throw new TypeError('redis: expected redis-sentinel://a,b,c/name, got no name');
  const parameters = parseParameters(query);
  const number = sentinel ? '' : rest;
  // The value is not shown, for the reason given in `parseNode`.
  if (!/^\d*$/.test(number)) {
    throw new TypeError('redis: expected a whole number as database after host:port/, got another value');
  }
  if (number !== '' && parameters.database !== undefined && Number(number) !== parameters.database) {
    throw new TypeError(`redis: expected one database, got ${number} after the host and ?db=${parameters.database}`);
  }
  const database = number === '' ? (parameters.database ?? 0) : Number(number);
  if (protocol === 'redis-cluster' && database !== 0) {
    throw new TypeError(
      `redis: expected no database in redis-cluster://a,b,c (a Cluster has only database 0), got ${database}`,
    );
  }
  const [username = '', password = ''] = credentials.includes(':')
    ? credentials.split(/:(.*)/s).map(decodeURIComponent)
    : ['', decodeURIComponent(credentials)];
  const nodes = hosts.split(',').map((node) => parseNode(node, sentinel ? 26379 : 6379));
  if (nodes.length > 1 && (protocol === 'redis' || protocol === 'rediss')) {
    throw new TypeError(
      'redis: expected one host, or redis-cluster://a,b,c or redis-sentinel://a,b,c/name, got several',
    );
  }
  const { family } = parameters;
  return { protocol: protocol as RedisUrl['protocol'], nodes, rest, database, family, username, password };
}

/**
 * Parses the parameters that ioredis users set. Other ioredis parameters could cause a command to
 * be sent twice.
 */
function parseParameters(query: string): { family: RedisUrl['family']; database: number | undefined } {
  let family: RedisUrl['family'];
  let database: number | undefined;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === 'family' && value in FAMILIES) family = FAMILIES[value as keyof typeof FAMILIES];
    else if (name === 'db' && /^\d{1,5}$/.test(value)) database = Number(value);
    // Neither values nor unknown names are shown: a password that contains "?" may have been split
    // here.
    else if (name === 'family') throw new TypeError('redis: family: expected 0, 4 or 6, got another value');
    else if (name === 'db') throw new TypeError('redis: db: expected a whole number, got another value');
    else throw new TypeError('redis: expected family or db after "?", got another parameter');
  }
  return { family, database };
}

function parseNode(node: string, defaultPort: number): { host: string; port: number } {
  const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([\w.-]*))(?::(\d{1,5}))?$/i.exec(node) ?? [];
  const host = bracketed ?? plain;
  // The value is not shown: it is part of the password if the password contains "/" that is not
  // written as %2F.
  if (host === undefined)
    throw new TypeError('redis: expected host or host:port after the credentials, got another value');
  return { host: host || '127.0.0.1', port: port === undefined ? defaultPort : Number(port) };
}

/**
 * Options with which a client sends each command at most once, and never late. None is a default of
 * ioredis.
 */
const OF_CONNECTIONS = {
  // Otherwise ioredis resends a command whose reply was lost, which charges twice.
  autoResendUnfulfilledCommands: false,
  // Otherwise ioredis sends a command long after its decision was made without it.
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
} as const;

/**
 * Options of a `Cluster` with the same effect. A `Cluster` passes the first and the last option of
 * `OF_CONNECTIONS` to its nodes and has a separate queue.
 */
const OF_CLUSTERS = {
  // Otherwise ioredis resends a command to the next primary after its connection broke, which
  // charges twice.
  retryDelayOnFailover: 0,
  retryDelayOnClusterDown: 0,
  enableOfflineQueue: false,
} as const;

/**
 * Returns the options because of which a client that was passed in may charge twice, each with its
 * safe value.
 */
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
      ([name, value]) => `${prefix}${name}: ${value} (now ${given[name] === undefined ? 'the default' : given[name]})`,
    );
}

/** Returns the warning as one line for a log. */
export function unsafeWarning(pool: string, options: readonly string[]): string {
  return `The given Redis client (pool ${pool}) may charge an operation twice after a lost reply, or long after its decision. Create it with ${options.join(', ')}; or give Tollgate a URL`;
}

/** Returns a client that was passed in with the full type of ioredis. */
export function ioredisClient<Given extends RedisClient | string>(
  given: Given,
): Redis | Cluster | Extract<Given, string> {
  return given as unknown as Redis | Cluster | Extract<Given, string>;
}
