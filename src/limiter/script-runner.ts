import type { Cluster, Redis } from 'ioredis';
import { type Connection, connect, parseRedisUrl } from './connect.js';
import type { Anomalies } from './engine.js';
import { SCRIPTS, type Script } from './scripts.js';
import type { RequestWriter } from './wire.js';

export interface ScriptRunner {
  /** Runs a script once: what fails with an unknown outcome is not repeated. */
  run(script: Script, writer: RequestWriter): Promise<number[]>;
  readonly isCluster: boolean;
  readonly anomalies: Anomalies;
  close(): Promise<void>;
}

export interface ScriptRunnerOptions {
  redis: Redis | Cluster | string;
  now: (() => number) | undefined;
  commandTimeoutMs: number;
}

/** Sends scripts to a client that was passed in, or to one that is opened with the first call. */
export function createScriptRunner({ redis, now, commandTimeoutMs }: ScriptRunnerOptions): ScriptRunner {
  const anomalies: Anomalies = { repaired: 0, rebased: 0 };
  let connection: Connection | undefined;
  let opening: Promise<Connection> | undefined;
  let isCluster: boolean;
  if (typeof redis === 'string') {
    isCluster = parseRedisUrl(redis).protocol === 'redis-cluster';
  } else {
    isCluster = redis.isCluster;
    connection = { client: redis, ready: () => undefined, close: async () => {} };
  }

  async function open(url: string): Promise<Connection> {
    opening ??= connect(url, commandTimeoutMs);
    connection = await opening;
    return connection;
  }

  return {
    isCluster,
    anomalies,

    async run(script, writer) {
      const { client, ready } = connection ?? (await open(redis as string));
      const connecting = ready();
      if (connecting) await connecting;
      const { keys, request } = writer.finish();
      const time = now === undefined ? '' : String(now());
      let reply: number[];
      try {
        reply = (await client.evalsha(script.sha, keys.length, ...keys, request, time)) as number[];
      } catch (error) {
        if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) throw error;
        reply = (await client.eval(script.text, keys.length, ...keys, request, time)) as number[];
      }
      if (script !== SCRIPTS.peek) {
        anomalies.repaired += reply[2]!;
        anomalies.rebased += reply[3]!;
      }
      return reply;
    },

    async close() {
      if (opening) await (await opening).close();
    },
  };
}
