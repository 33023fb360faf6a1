import type { Cluster, Redis, RedisOptions } from 'ioredis';
import type { RedisClient } from '../../model/redis-client.js';
import { findCredentialMistake } from '../../options/find-credential-mistake.js';
import { loadOptional } from '../../runtime/packages/load-optional.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { importIoredis } from './import-ioredis.js';

/** A client that runs the scripts. */
export interface Connection {
  readonly client: Redis | Cluster;
  /** Resolves once the client can be written to, and rejects when the first attempt fails or takes too long. */
  ready(): Promise<void> | undefined;
  close(): Promise<void>;
}

interface ConnectOptions {
  /**
   * Gives up a command after this long. Not for charges: the timer of ioredis takes a process that stood still for a Redis
   * that does not answer (see deadlines.ts). @default never, but for dead sockets
   */
  commandTimeoutMs?: number;
  /** So long a first attempt to connect is waited for. @default 1000 */
  connectWaitMs?: number;
  /** Called with why it is not connected. */
  onError?: (error: unknown) => void;
}

export const CONNECT_WAIT_MS = 1000;
const RECONNECT_WITHIN_MS = 500;
const QUIT_WAIT_MS = 1000;

/**
 * ioredis by default resends a command whose reply was lost, which charges twice. These options make every command be
 * sent at most once, and fail rather than wait where it cannot be sent. A socket that is silent while a reply is due is
 * given up, or a half-open one would be waited on for minutes after Redis is back.
 */
function safeOptions(commandTimeoutMs: number | undefined, connectWaitMs: number) {
  return {
    lazyConnect: true,
    autoResendUnfulfilledCommands: false,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: Math.max(2000, connectWaitMs),
    socketTimeout: Math.max(2500, 2 * (commandTimeoutMs ?? 0)),
    maxLoadingRetryTime: 1000,
    // Jitter: a fleet that lost its Redis does not come back in step.
    retryStrategy: (times) => Math.min(RECONNECT_WITHIN_MS, 25 * 2 ** Math.min(times, 10)) * (0.5 + Math.random() / 2),
    // A primary that was demoted: its name leads to another one by now.
    reconnectOnError: ({ message }) => message.startsWith('READONLY'),
    ...(commandTimeoutMs !== undefined && { commandTimeout: commandTimeoutMs }),
  } satisfies RedisOptions;
}

/** Connects to what a URL names. ioredis is loaded here: without Redis it is never loaded. */
export async function connect(
  url: string,
  { commandTimeoutMs, connectWaitMs = CONNECT_WAIT_MS, onError = () => {} }: ConnectOptions = {},
): Promise<Connection> {
  const ioredis = await loadOptional('ioredis', 'redis', importIoredis);
  const { protocol, nodes, rest, database, family, username, password } = parseRedisUrl(url);
  const options = { ...safeOptions(commandTimeoutMs, connectWaitMs), ...(family !== undefined && { family }) };
  const credentials = { ...(username && { username }), ...(password && { password }) };
  let client: Redis | Cluster;
  if (protocol === 'redis-cluster') {
    client = new ioredis.Cluster(nodes, {
      lazyConnect: true,
      // What waits for a node to be connected would be sent after its decision was made without it: it fails instead.
      enableOfflineQueue: false,
      // A slot on the move answers so until its keys are in one place; nothing was executed. Few, so that the last one is
      // not sent when no caller waits any more.
      retryDelayOnTryAgain: 5,
      maxRedirections: 4,
      // By default a command whose connection broke is sent again, to the primary that comes next: charged twice.
      retryDelayOnFailover: 0,
      retryDelayOnClusterDown: 0,
      clusterRetryStrategy: options.retryStrategy,
      redisOptions: { ...options, ...credentials },
    });
  } else if (protocol === 'redis-sentinel') {
    client = new ioredis.Redis({ ...options, ...credentials, sentinels: nodes, name: rest, failoverDetector: true });
  } else {
    // Not by its URL: the parameters of one would take the place of the options that keep a command from being sent twice.
    const tls = protocol === 'rediss' && { tls: {} };
    client = new ioredis.Redis({ ...options, ...credentials, ...nodes[0]!, db: database, ...tls });
  }
  if (client.isCluster) watchNodes(client as Cluster);
  let isRefused = false;
  const wrongDatabase = new Promise<never>((_, reject) => {
    // Without a listener an error event ends the process; what fails is told by each command.
    client.on('error', (error: Error) => {
      if (!isOfSelect(error)) {
        // What ioredis was about to send meets the end that was put to the connection here: that is no reason.
        if (!isRefused || !error.message.startsWith("Stream isn't writeable")) onError(error);
        return;
      }
      isRefused = true;
      // ioredis goes on in database 0, which may be that of others. It tells before the connection is ready: nothing was sent.
      const refused = new DatabaseError(database, error);
      client.disconnect(true);
      onError(refused);
      reject(refused);
    });
  });
  // The promise of a cluster's connect() is left pending where ioredis had to try again.
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
      // After the replies to what was sent; soon, where the server does not answer.
      await withTimeout(client.quit(), QUIT_WAIT_MS, () => undefined).catch(() => {});
      client.disconnect();
    },
  };
}

/** The client may be new: what it is sent before it is ready fails at once where it has no queue, as is safe. */
export const GIVEN_CLIENT_WAIT_MS = 2000;

/** A connection of a client that was passed in, which stays open. */
export function connectionOf(client: Redis | Cluster): Connection {
  return {
    client,
    ready: () => (client.status === 'ready' ? undefined : readyOf(client)),
    close: async () => {},
  };
}

/** Resolves once the client is ready, has ended, or has taken too long: the calls that follow tell why. */
async function readyOf(client: Redis | Cluster): Promise<void> {
  if (client.status === 'end') return;
  // A lazy client connects when the first command is sent, which fails where it has no queue.
  if (client.status === 'wait') client.connect().catch(() => {});
  let settle = () => {};
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  client.once('ready', settle).once('end', settle);
  await withTimeout(settled, GIVEN_CLIENT_WAIT_MS, () => undefined);
  client.off('ready', settle).off('end', settle);
}

/** The database that a URL names is not there, or not for this user. */
export class DatabaseError extends Error {
  constructor(database: number, cause: Error) {
    super(`cannot use database ${database} of Redis, which its URL names: ${cause.message}`, { cause });
    this.name = 'DatabaseError';
  }
}

/** A reply of Redis, beside which ioredis puts the command. It sends this one by itself, and where a database is named alone. */
function isOfSelect(error: Error): boolean {
  const { command } = error as { command?: { name?: unknown } };
  return error.name === 'ReplyError' && command?.name === 'select';
}

/** What ioredis leaves undone where commands are to be sent once, at once, or fail. */
function watchNodes(cluster: Cluster): void {
  // Primaries are connected to at once: ioredis would keep the first command for one until it is. Not before the cluster
  // is ready: to find out, it asks any node, and one that is being connected fails that look.
  const connectTo = (node: Redis) => {
    if (node.status === 'wait' && !node.options.readOnly) node.connect().catch(() => {});
  };
  cluster.on('ready', () => cluster.nodes('master').forEach(connectTo));
  cluster.on('+node', (node: Redis) => {
    if (cluster.status === 'ready') connectTo(node);
  });
  // Slots of a range share one list of nodes, in which ioredis notes where one of them has moved: all of them would be
  // asked for there, sent back, and noted again, until the redirections are used up.
  cluster.on('refresh', () => {
    cluster.slots.forEach((nodes, slot) => {
      cluster.slots[slot] = nodes.slice();
    });
  });
}

export interface RedisUrl {
  protocol: 'redis' | 'rediss' | 'redis-cluster' | 'redis-sentinel';
  nodes: { host: string; port: number }[];
  /** What follows the first `/`: the name of the primary that sentinels watch. */
  rest: string;
  /** Which of the databases of a server; 0 where none is named. */
  database: number;
  /** IP version to which host names are resolved; 0: both. */
  family: 0 | 4 | 6 | undefined;
  username: string;
  password: string;
}

const URL_FORM = /^(redis|rediss|redis-cluster|redis-sentinel):\/\/(?:([^@]*)@)?([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s;
const FAMILIES = { '0': 0, '4': 4, '6': 6 } as const;

/**
 * Reads `scheme://[user:password@]host[:port][,host[:port]...][/name][?family=0&db=1]`.
 *
 * @throws TypeError that holds no part of the user or the password
 */
export function parseRedisUrl(url: string): RedisUrl {
  const mistake = findCredentialMistake(url);
  if (mistake !== undefined) throw new TypeError(`redis: ${mistake}`);
  const [, protocol, credentials = '', hosts = '', rest = '', query = ''] = URL_FORM.exec(url) ?? [];
  if (!protocol) {
    const scheme = /^[a-z][a-z0-9+.-]{0,30}:\/\//i.exec(url)?.[0];
    const got = scheme === undefined ? 'a text that begins otherwise' : `one that begins with ${scheme}`;
    throw new TypeError(
      `redis: expected a URL as redis://, rediss://, redis-cluster://a,b,c or redis-sentinel://a,b,c/name, got ${got}`,
    );
  }
  const sentinel = protocol === 'redis-sentinel';
  if (sentinel && !rest) throw new TypeError('redis: expected redis-sentinel://a,b,c/name, got no name');
  const parameters = parseParameters(query);
  const number = sentinel ? '' : rest;
  // Not shown, as below.
  if (!/^\d*$/.test(number)) {
    throw new TypeError('redis: expected a whole number after host:port/, the database, got something else');
  }
  if (number !== '' && parameters.database !== undefined && Number(number) !== parameters.database) {
    throw new TypeError(`redis: expected one database, got ${number} after the host and ?db=${parameters.database}`);
  }
  const database = number === '' ? (parameters.database ?? 0) : Number(number);
  if (protocol === 'redis-cluster' && database !== 0) {
    throw new TypeError(
      `redis: expected no database in redis-cluster://a,b,c, as a Cluster has one alone, got ${database}`,
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

/** Reads the parameters that ioredis users give. Others of ioredis could make a command be sent twice. */
function parseParameters(query: string): { family: RedisUrl['family']; database: number | undefined } {
  let family: RedisUrl['family'];
  let database: number | undefined;
  for (const [name, value] of new URLSearchParams(query)) {
    if (name === 'family' && value in FAMILIES) family = FAMILIES[value as keyof typeof FAMILIES];
    else if (name === 'db' && /^\d{1,5}$/.test(value)) database = Number(value);
    // Values are not shown, nor names that are none: a password with a "?" may have come apart.
    else if (name === 'family') throw new TypeError('redis: family: expected 0, 4 or 6, got something else');
    else if (name === 'db') throw new TypeError('redis: db: expected a whole number, got something else');
    else throw new TypeError('redis: expected family or db after "?", got another parameter');
  }
  return { family, database };
}

function parseNode(node: string, defaultPort: number): { host: string; port: number } {
  const [, bracketed, plain, port] = /^(?:\[([\da-f:.]+)\]|([\w.-]*))(?::(\d{1,5}))?$/i.exec(node) ?? [];
  const host = bracketed ?? plain;
  // Not shown: where a password has a "/" in it that is not written as %2F, this is the password.
  if (host === undefined)
    throw new TypeError('redis: expected host or host:port after the credentials, got something else');
  return { host: host || '127.0.0.1', port: port === undefined ? defaultPort : Number(port) };
}

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

/** A client that was given, as ioredis types it: with all that it can do. */
export function ioredisClient<Given extends RedisClient | string>(
  given: Given,
): Redis | Cluster | Extract<Given, string> {
  return given as unknown as Redis | Cluster | Extract<Given, string>;
}
