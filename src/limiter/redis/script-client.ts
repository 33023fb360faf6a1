import type { Cluster, Redis } from 'ioredis';
import type { RedisClient } from '../../model/redis-client.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import {
  type Connection,
  type ConnectOptions,
  connect,
  connectionOf,
  GIVEN_CLIENT_WAIT_MS,
  parseRedisUrl,
} from './connect.js';
import { loadScriptCommand, type MakeScriptCommand } from './load-script-command.js';
import { ACROSS_SLOTS, SCRIPTS, type Script, WITHOUT_FLAGS } from './scripts.js';

/**
 * Commands of ioredis that are missing in its types. They resolve to bytes where Redis replies with
 * strings.
 */
export interface BufferCommands {
  evalshaBuffer(sha: string, keyCount: number, ...keysAndArguments: (string | Buffer)[]): Promise<unknown>;
  evalBuffer(text: string, keyCount: number, ...keysAndArguments: (string | Buffer)[]): Promise<unknown>;
}

type ScriptClientOptions = Pick<ConnectOptions, 'reconnectMs'> &
  Required<Pick<ConnectOptions, 'connectWaitMs' | 'onError'>>;

/**
 * A client that was passed in or is opened here. It also records which scripts the server has and
 * supports.
 */
export class ScriptClient {
  /**
   * Resolves after the first attempt to connect, even if it fails. The maximum wait is
   * `connectWaitMs` for a URL, and two seconds for a client that was passed in. Rejects if ioredis
   * is missing.
   */
  readonly opened: Promise<void>;
  readonly isCluster: boolean;
  /** Whether the client adds no prefix to keys. */
  readonly takesKeysAsTheyAre: boolean;
  readonly #isUrl: boolean;
  readonly #connecting: Promise<Connection> | undefined;
  readonly #onConnectionError: (error: unknown) => void;
  #connection: Connection | undefined;
  #makeCommand: MakeScriptCommand | undefined;
  /** Whether the server supports the first line of the scripts, which holds their flags. */
  #knowsFlags = true;

  constructor(redis: Redis | Cluster | string, options: ScriptClientOptions) {
    this.#onConnectionError = options.onError;
    this.#isUrl = typeof redis === 'string';
    if (typeof redis === 'string') {
      this.isCluster = parseRedisUrl(redis).protocol === 'redis-cluster';
      this.takesKeysAsTheyAre = true;
      this.#connecting = connect(redis, options);
      this.#connecting.catch(() => {});
    } else {
      this.isCluster = redis.isCluster;
      this.takesKeysAsTheyAre = !prefixes(redis);
      this.#connection = connectionOf(redis);
    }
    this.opened = this.#openInTime(this.#isUrl ? options.connectWaitMs : GIVEN_CLIENT_WAIT_MS);
    // Each charge rejects by itself; an unhandled rejection would end the process.
    this.opened.catch(() => {});
  }

  /**
   * Primaries of a Cluster by hash slot, as far as the client knows; undefined without a Cluster.
   */
  get slots(): string[][] | undefined {
    return this.isCluster ? (this.#connection?.client as Cluster | undefined)?.slots : undefined;
  }

  /** The client, which may have lost its connection; undefined before it is created. */
  get connected(): RedisClient | undefined {
    return this.#connection?.client;
  }

  /** Resolves to the result of the script, with strings as bytes. */
  async evaluate(script: Script, keys: readonly string[], request: Buffer, argument: string): Promise<unknown> {
    if (this.#connection === undefined) throw new Error('not connected yet');
    const client = this.#connection.client as Connection['client'] & BufferCommands;
    if (this.#isUrl && client.status !== 'ready') throw new Error('Connection is closed.');
    const sent = this.#knowsFlags ? script : WITHOUT_FLAGS.get(script)!;
    try {
      if (client.options.keyPrefix || this.#makeCommand === undefined) {
        return await client.evalshaBuffer(sent.sha, ...argumentsOf(sent, keys, request, argument));
      }
      const command = this.#makeCommand(sent, keys, request, argument);
      client.sendCommand(command);
      return await command.promise;
    } catch (error) {
      // One of the two errors after which a call is repeated: the script has not run.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    }
    try {
      return await client.evalBuffer(sent.text, ...argumentsOf(sent, keys, request, argument));
    } catch (error) {
      if (!rejectsFlags(error)) throw error;
      this.#knowsFlags = false;
      return client.evalBuffer(WITHOUT_FLAGS.get(script)!.text, ...argumentsOf(script, keys, request, argument));
    }
  }

  async close(): Promise<void> {
    // Without a connection there is nothing to close; each charge has reported the failure.
    const connected = await this.#connecting?.catch(() => undefined);
    await connected?.close();
  }

  async #openInTime(waitMs: number): Promise<void> {
    // The time to load ioredis does not count towards the maximum wait. On a busy machine, loading
    // alone could make Redis look unavailable.
    this.#makeCommand = await loadScriptCommand();
    await withTimeout(this.#open(), waitMs, () => undefined);
  }

  async #open(): Promise<void> {
    try {
      this.#connection ??= await this.#connecting;
      await this.#connection?.ready();
    } catch (error) {
      this.#onConnectionError(error);
      return;
    }
    if (this.#connection !== undefined) this.#knowsFlags = await loadScripts(this.#connection.client);
  }
}

function argumentsOf(
  { acrossSlots }: Script,
  keys: readonly string[],
  request: Buffer,
  argument: string,
): [keyCount: number, ...keysAndArguments: (string | Buffer)[]] {
  const declared = acrossSlots ? 1 : keys.length;
  return [declared, ...keys.slice(0, declared), request, argument, ...keys.slice(declared)];
}

function prefixes({ options }: Redis | Cluster): boolean {
  return Boolean(options.keyPrefix || ('redisOptions' in options && options.redisOptions?.keyPrefix));
}

/**
 * Loads the scripts, and resolves to whether every node supports their first line. Without loading,
 * the first settlement would receive NOSCRIPT, and calls sent right after it would be executed
 * before it. If the Redis user may not load scripts, this cannot be avoided.
 */
async function loadScripts(client: Redis | Cluster): Promise<boolean> {
  const nodes = client.isCluster ? (client as Cluster).nodes('master') : [client as Redis];
  const scripts = [...Object.values(SCRIPTS), ...(client.isCluster ? ACROSS_SLOTS.values() : [])];
  const load = (ones: readonly Script[]) =>
    Promise.allSettled(nodes.flatMap((node) => ones.map(({ text }) => node.script('LOAD', text))));
  const loaded = await load(scripts);
  if (!loaded.some((one) => one.status === 'rejected' && rejectsFlags(one.reason))) return true;
  await load(scripts.map((script) => WITHOUT_FLAGS.get(script)!));
  return false;
}

/**
 * Returns whether the server does not support the first line of a script (Redis before 7). It has
 * executed nothing.
 */
function rejectsFlags(error: unknown): boolean {
  return error instanceof Error && error.message.includes("unexpected symbol near '#'");
}
