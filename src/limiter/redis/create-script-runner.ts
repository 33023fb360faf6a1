import { randomBytes } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import type { Anomalies } from '../charge/checked-request.js';
import { firstWaitMs } from './connect.js';
import type { Heartbeat, Pulse } from './instances.js';
import { readReply, type ScriptReply } from './read-reply.js';
import { createRedisChannel, type RedisChannel } from './redis-channel.js';
import { ScriptClient } from './script-client.js';
import { ACROSS_SLOTS, SCRIPTS, type Script } from './scripts.js';
import { slotOf } from './slot-of.js';
import { movePeriods, type ScriptCall } from './write-call.js';

export interface ScriptRunner {
  /**
   * Runs a script once and resolves to its reply. A call that fails with an unknown outcome is not
   * repeated.
   */
  run(script: Script, call: ScriptCall): Promise<ScriptReply>;
  /**
   * Records that an instance is alive or shuts down. Resolves to the number of instances and the
   * share of this one.
   */
  beat(heartbeat: Heartbeat): Promise<Pulse>;
  /**
   * Checks everything that a charge needs: the connection, credentials, scripts, and permission to
   * write. It uses keys of its own: foreign data under another key must not make Redis look
   * unavailable.
   *
   * @param nodes nodes of a Cluster that are probed as well; nodes that no longer serve a hash slot
   * are skipped
   */
  probe(nodes: Iterable<string>): Promise<void>;
  /**
   * Resolves when the first attempt to connect has succeeded or failed: within one second for a
   * URL, two for a client that was passed in. Rejects if ioredis is missing.
   */
  readonly opened: Promise<void>;
  readonly isCluster: boolean;
  /**
   * Returns the primary that serves a hash slot of a Cluster, as far as the client knows; ''
   * without a Cluster.
   */
  nodeOf(slot: number): string;
  /** Whether the client adds no prefix to keys. Only then can keys be sent as arguments. */
  readonly takesKeysAsTheyAre: boolean;
  readonly anomalies: Anomalies;
  /** Messages between the processes that share this Redis. */
  readonly channel: RedisChannel;
  /**
   * Milliseconds by which the clock of Redis is ahead of that of this process, from the last reply.
   * The true value is never less.
   */
  clockAheadMs(): number;
  /** Estimated time of Redis in epoch milliseconds, or the time that calls pass to it. */
  timeMs(): number;
  close(): Promise<void>;
}

interface ScriptRunnerOptions {
  redis: Redis | Cluster | string;
  /** Longest pause between attempts to connect to the Redis of a URL, in milliseconds. */
  reconnectMs?: number | undefined;
  /** Maximum wait for the first attempt to connect, in milliseconds. @default 1000 */
  connectWaitMs?: number;
  now: (() => number) | undefined;
  /** Receives the reason why there is no connection. */
  onConnectionError: (error: unknown) => void;
}

const PEEK_ACROSS_SLOTS = ACROSS_SLOTS.get(SCRIPTS.peek);

/** Lifetime of a probe, in milliseconds. Its keys expire after twice as long. */
const PROBE_KEPT_MS = 1000;

/** Keys of the instance register. They share one hash slot, as the keys of a probe do. */
export const INSTANCES_KEYS = ['tg:instances', '{tg:instances}:shares'] as const;

/** Creates a runner that sends scripts to a client that was passed in, or to one that it opens. */
export function createScriptRunner({
  redis,
  reconnectMs,
  connectWaitMs = firstWaitMs(0),
  now,
  onConnectionError,
}: ScriptRunnerOptions): ScriptRunner {
  const anomalies: Anomalies = { repaired: 0, rebased: 0, forgotten: 0 };
  const client = new ScriptClient(redis, { reconnectMs, connectWaitMs, onError: onConnectionError });
  const probeId = randomBytes(9).toString('base64url');
  let clockAheadMs = 0;

  function timeMs(): number {
    return now === undefined ? Date.now() + clockAheadMs : now();
  }

  /** Returns a hash tag whose hash slot this node serves; undefined if it serves none. */
  function tagOn(node: string): string | undefined {
    const slots = client.slots!;
    if (!slots.some((nodes) => nodes?.[0] === node)) return undefined;
    for (let i = 0; ; i++) if (slots[slotOf(`probe-${i}`)]?.[0] === node) return `probe-${i}`;
  }

  async function probeUnder(prefix: string): Promise<void> {
    const keys = ['alive', 'shares'].map((name) => `${prefix}:probe:${probeId}:${name}`);
    await client.evaluate(SCRIPTS.heartbeat, keys, Buffer.from(probeId), `${PROBE_KEPT_MS} 1 0`);
  }

  return {
    opened: client.opened,
    isCluster: client.isCluster,
    anomalies,
    takesKeysAsTheyAre: client.takesKeysAsTheyAre,
    channel: createRedisChannel(client.opened, () => client.connected),
    nodeOf: (slot) => client.slots?.[slot]?.[0] ?? '',

    async run(script, call) {
      const { keys, request } = call;
      const argument = now === undefined ? '' : String(now());
      let bytes: unknown;
      try {
        bytes = await client.evaluate(script, keys, request, argument);
      } catch (error) {
        const clock = clockOutsidePeriods(error);
        if (clock === undefined) throw error;
        // The estimate of the time was wrong by more than a period. The script has not run.
        clockAheadMs = clock - Date.now();
        movePeriods(call, clock);
        bytes = await client.evaluate(script, keys, request, argument);
      }
      const reply = readReply(bytes as Buffer);
      clockAheadMs = reply.clock - Date.now();
      if (script !== SCRIPTS.peek && script !== PEEK_ACROSS_SLOTS) {
        anomalies.repaired += reply.repaired;
        anomalies.rebased += reply.rebased;
      }
      return reply;
    },

    async beat({ instance, aliveMs, least, holds }) {
      const numbers = `${aliveMs} ${least} ${holds}`;
      const reply = await client.evaluate(SCRIPTS.heartbeat, INSTANCES_KEYS, Buffer.from(instance), numbers);
      const [count, divisor, repaired, otherZoneData] = reply as [number, number, number, Buffer];
      anomalies.repaired += repaired;
      return { count, divisor, otherZoneData: otherZoneData.toString() };
    },

    async probe(nodes) {
      const tags = [...nodes].map(tagOn).filter((tag) => tag !== undefined);
      await Promise.all([probeUnder('{tg:instances}'), ...tags.map((tag) => probeUnder(`tg:{${tag}}`))]);
    },

    close: () => client.close(),
    clockAheadMs: () => clockAheadMs,
    timeMs,
  };
}

/**
 * Returns the clock of Redis from the error of a call whose calendar windows do not contain it;
 * undefined for all other errors.
 */
function clockOutsidePeriods(error: unknown): number | undefined {
  const found = error instanceof Error ? /^PERIODS (\d+) /.exec(error.message) : null;
  return found === null ? undefined : Number(found[1]);
}
