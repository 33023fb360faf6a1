import { randomBytes } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import type { Anomalies } from '../charge/checked-request.js';
import type { Heartbeat, Pulse } from './instances.js';
import { readReply, type ScriptReply } from './read-reply.js';
import { ScriptClient } from './script-client.js';
import { ACROSS_SLOTS, SCRIPTS, type Script } from './scripts.js';
import { slotOf } from './slot-of.js';
import type { ScriptCall } from './write-call.js';

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

const PEEK_ACROSS_SLOTS = ACROSS_SLOTS.get(SCRIPTS.peek);

/** What a probe writes is gone after twice as long. */
const PROBE_KEPT_MS = 1000;

/** In one slot, as are those of a probe. */
export const INSTANCES_KEYS = ['tg:instances', '{tg:instances}:shares'] as const;

/** Sends scripts to a client that was passed in, or to one that is opened here and now. */
export function createScriptRunner({ redis, now, onConnectionError }: ScriptRunnerOptions): ScriptRunner {
  const anomalies: Anomalies = { repaired: 0, rebased: 0, forgotten: 0 };
  const client = new ScriptClient(redis, onConnectionError);
  const probeId = randomBytes(9).toString('base64url');
  let clockAheadMs = 0;

  /** A hash tag whose slot this node serves; undefined: it serves none. */
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
    nodeOf: (slot) => client.slots?.[slot]?.[0] ?? '',

    async run(script, { keys, request }) {
      const argument = now === undefined ? '' : String(now());
      const reply = readReply((await client.evaluate(script, keys, request, argument)) as Buffer);
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
      const [count, divisor, repaired] = reply as number[];
      anomalies.repaired += repaired!;
      return { count: count!, divisor: divisor! };
    },

    async probe(nodes) {
      const tags = [...nodes].map(tagOn).filter((tag) => tag !== undefined);
      await Promise.all([probeUnder('{tg:instances}'), ...tags.map((tag) => probeUnder(`tg:{${tag}}`))]);
    },

    close: () => client.close(),
    get clockAheadMs() {
      return clockAheadMs;
    },
  };
}
