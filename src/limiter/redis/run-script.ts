import { randomBytes } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import { withGetters } from '../../runtime/with-getters.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import type { Anomalies } from '../charge/charge-request.js';
import {
  CONNECT_WAIT_MS,
  type Connection,
  connect,
  connectionOf,
  GIVEN_CLIENT_WAIT_MS,
  parseRedisUrl,
} from './connect.js';
import { readReply, type ScriptCall, type ScriptReply } from './encode-request.js';
import { loadScriptCommand, type MakeScriptCommand } from './evalsha-command.js';
import type { Heartbeat, Pulse } from './instances.js';
import { ACROSS_SLOTS, SCRIPTS, type Script, WITHOUT_FLAGS } from './scripts.js';
import { slotOf } from './slot-of.js';

export interface ScriptRunner {
  /** Runs a script once, and resolves to its reply: what fails with an unknown outcome is not repeated. */
  run(script: Script, call: ScriptCall): Promise<ScriptReply>;
  /** Records that an instance is alive, or leaves, and resolves to how many are and to its share. */
  beat(heartbeat: Heartbeat): Promise<Pulse>;
  /**
   * Asks whether what a charge needs works: the connection, credentials, scripts, and leave to write. Under keys of its own,
   * so that nothing which lies under another one is taken for a Redis that does not answer.
   *
   * @param nodes of a Cluster, that are asked as well; those that serve no slot any more are not
   */
  probe(nodes: Iterable<string>): Promise<void>;
  /** Resolves once the first attempt to connect has ended, well or not, within a second. Rejects where ioredis is missing. */
  readonly opened: Promise<void>;
  readonly isCluster: boolean;
  /** The primary that serves a slot of a Cluster, as far as the client knows; '' where there is a single one. */
  nodeOf(slot: number): string;
  /** Keys that are sent as arguments are the ones that were meant: nothing is put before keys on their way. */
  readonly takesKeysAsTheyAre: boolean;
  readonly anomalies: Anomalies;
  /** How far the clock of Redis is ahead of that of this process, by the last reply: no further than it is. */
  readonly clockAheadMs: number;
  close(): Promise<void>;
}

interface ScriptRunnerOptions {
  redis: Redis | Cluster | string;
  now: (() => number) | undefined;
  /** Called with why there is no connection. */
  onConnectionError: (error: unknown) => void;
}

/** What ioredis has and its types do not: commands that resolve to bytes where Redis replies with strings. */
export interface BufferCommands {
  evalshaBuffer(sha: string, keyCount: number, ...keysAndArguments: (string | Buffer)[]): Promise<unknown>;
  evalBuffer(text: string, keyCount: number, ...keysAndArguments: (string | Buffer)[]): Promise<unknown>;
}

const PEEK_ACROSS_SLOTS = ACROSS_SLOTS.get(SCRIPTS.peek);

/** What a probe writes is gone after twice as long. */
const PROBE_KEPT_MS = 1000;

/** In one slot, as are those of a probe. */
export const INSTANCES_KEYS = ['tg:instances', '{tg:instances}:shares'] as const;

/** Sends scripts to a client that was passed in, or to one that is opened here and now. */
export function createScriptRunner({ redis, now, onConnectionError }: ScriptRunnerOptions): ScriptRunner {
  const anomalies: Anomalies = { repaired: 0, rebased: 0, forgotten: 0 };
  const isUrl = typeof redis === 'string';
  const isCluster = isUrl ? parseRedisUrl(redis).protocol === 'redis-cluster' : redis.isCluster;
  const connecting = isUrl ? connect(redis, { onError: onConnectionError }) : undefined;
  let connection: Connection | undefined = isUrl ? undefined : connectionOf(redis);
  let makeCommand: MakeScriptCommand | undefined;
  /** The server takes the first line of the scripts. */
  let knowsFlags = true;
  let clockAheadMs = 0;
  const probeId = randomBytes(9).toString('base64url');
  // What loading ioredis takes is not what is waited for: on a busy machine that alone would be taken for a Redis that is away.
  const opened = loadScriptCommand().then((make) => {
    makeCommand = make;
    return withTimeout(open(), isUrl ? CONNECT_WAIT_MS : GIVEN_CLIENT_WAIT_MS, () => undefined);
  });

  async function open(): Promise<void> {
    try {
      connection ??= await connecting;
      await connection?.ready();
    } catch (error) {
      onConnectionError(error);
      return;
    }
    if (connection !== undefined) knowsFlags = await loadScripts(connection.client);
  }

  /** Resolves to what the script returns, strings as bytes. */
  async function evaluate(
    script: Script,
    keys: readonly string[],
    request: Buffer,
    argument: string,
  ): Promise<unknown> {
    if (connection === undefined) throw new Error('not connected yet');
    const client = connection.client as typeof connection.client & BufferCommands;
    if (isUrl && client.status !== 'ready') throw new Error('Connection is closed.');
    const sent = knowsFlags ? script : WITHOUT_FLAGS.get(script)!;
    try {
      if (client.options.keyPrefix || makeCommand === undefined) {
        return await client.evalshaBuffer(sent.sha, ...argumentsOf(sent, keys, request, argument));
      }
      const command = makeCommand(sent, keys, request, argument);
      client.sendCommand(command);
      return await command.promise;
    } catch (error) {
      // One of the two errors after which a call is repeated: nothing has run.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
    }
    try {
      return await client.evalBuffer(sent.text, ...argumentsOf(sent, keys, request, argument));
    } catch (error) {
      if (!refusesFlags(error)) throw error;
      knowsFlags = false;
      return client.evalBuffer(WITHOUT_FLAGS.get(script)!.text, ...argumentsOf(script, keys, request, argument));
    }
  }

  /** A hash tag whose slot this node serves; undefined: it serves none. */
  function tagOn(node: string): string | undefined {
    const { slots } = connection?.client as Cluster;
    if (!slots.some((nodes) => nodes?.[0] === node)) return undefined;
    for (let i = 0; ; i++) if (slots[slotOf(`probe-${i}`)]?.[0] === node) return `probe-${i}`;
  }

  async function probeUnder(prefix: string): Promise<void> {
    const keys = ['alive', 'shares'].map((name) => `${prefix}:probe:${probeId}:${name}`);
    await evaluate(SCRIPTS.heartbeat, keys, Buffer.from(probeId), `${PROBE_KEPT_MS} 1 0`);
  }

  // Each charge rejects by itself; an unhandled rejection would end the process.
  opened.catch(() => {});
  connecting?.catch(() => {});

  return withGetters<ScriptRunner, 'clockAheadMs'>(
    {
      opened,
      isCluster,
      anomalies,

      takesKeysAsTheyAre: isUrl || !prefixes(redis),

      nodeOf(slot) {
        if (!isCluster || connection === undefined) return '';
        return (connection.client as Cluster).slots[slot]?.[0] ?? '';
      },

      async run(script, { keys, request }) {
        const bytes = (await evaluate(script, keys, request, now === undefined ? '' : String(now()))) as Buffer;
        const reply = readReply(bytes);
        clockAheadMs = reply.clock - Date.now();
        if (script !== SCRIPTS.peek && script !== PEEK_ACROSS_SLOTS) {
          anomalies.repaired += reply.repaired;
          anomalies.rebased += reply.rebased;
        }
        return reply;
      },

      async beat({ instance, aliveMs, least, holds }) {
        const numbers = `${aliveMs} ${least} ${holds}`;
        const [count, divisor, repaired] = (await evaluate(
          SCRIPTS.heartbeat,
          INSTANCES_KEYS,
          Buffer.from(instance),
          numbers,
        )) as number[];
        anomalies.repaired += repaired!;
        return { count: count!, divisor: divisor! };
      },

      async probe(nodes) {
        const tags = [...nodes].map(tagOn).filter((tag) => tag !== undefined);
        await Promise.all([probeUnder('{tg:instances}'), ...tags.map((tag) => probeUnder(`tg:{${tag}}`))]);
      },

      async close() {
        // Where there was nothing to connect with, each charge has said so, and there is nothing to end.
        const connected = await connecting?.catch(() => undefined);
        await connected?.close();
      },
    },
    {
      get clockAheadMs() {
        return clockAheadMs;
      },
    },
  );
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
 * Makes the scripts known, and resolves to whether every node takes their first line. Else the first settlement would be
 * told NOSCRIPT, and what was sent right after it would be executed before it. Where this is not allowed, that is how it is.
 */
async function loadScripts(client: Redis | Cluster): Promise<boolean> {
  const nodes = client.isCluster ? (client as Cluster).nodes('master') : [client as Redis];
  const scripts = [...Object.values(SCRIPTS), ...(client.isCluster ? ACROSS_SLOTS.values() : [])];
  const load = (ones: readonly Script[]) =>
    Promise.allSettled(nodes.flatMap((node) => ones.map(({ text }) => node.script('LOAD', text))));
  const loaded = await load(scripts);
  if (!loaded.some((one) => one.status === 'rejected' && refusesFlags(one.reason))) return true;
  await load(scripts.map((script) => WITHOUT_FLAGS.get(script)!));
  return false;
}

/** The server does not know the first line of a script, and has run nothing: Redis before 7. */
function refusesFlags(error: unknown): boolean {
  return error instanceof Error && error.message.includes("unexpected symbol near '#'");
}
