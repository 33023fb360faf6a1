import type { Cluster, Redis } from 'ioredis';
import { type Connection, connect, parseRedisUrl } from './connect.js';
import { NUMBERS_PER_SHAPE } from './describe.js';
import type { Anomalies, ChargeRecord, Demand, Reading } from './engine.js';
import { keysFor } from './redis-keys.js';
import { SCRIPTS, type Script } from './scripts.js';
import { createRequestWriter, type RequestWriter } from './wire.js';

export interface RedisEngineOptions {
  redis: Redis | Cluster | string;
  now: (() => number) | undefined;
  commandTimeoutMs: number;
}

/** Charges in Redis. Rejects when Redis does not answer; then nothing is known of the outcome. */
export interface RedisEngine {
  charge(demand: Demand, chargeId: string, readOnly: boolean): Promise<Reading>;
  settle(charge: ChargeRecord, actual: Readonly<Record<string, number>>): Promise<void>;
  readonly anomalies: Anomalies;
  close(): Promise<void>;
}

interface WaitingCharge {
  demand: Demand;
  chargeId: string;
  resolve: (reading: Reading) => void;
  reject: (error: unknown) => void;
}

/** Charges of one tick that go into one call; more would let others wait for too long inside Redis. */
const MAX_BATCH = 32;

export function createRedisEngine({ redis, now, commandTimeoutMs }: RedisEngineOptions): RedisEngine {
  const anomalies: Anomalies = { repaired: 0, rebased: 0 };
  if (typeof redis === 'string') parseRedisUrl(redis);
  let connection: Connection | undefined;
  let opening: Promise<Connection> | undefined;
  if (typeof redis !== 'string') connection = passedIn(redis);
  let waiting: WaitingCharge[] = [];
  let waitingPeeks: WaitingCharge[] = [];

  async function open(): Promise<Connection> {
    opening ??= connect(redis as string, commandTimeoutMs).then((opened) => {
      connection = opened;
      return opened;
    });
    return opening;
  }

  /** After this microtask: the settlements of one wave of answers go out together, and before the answers do. */
  function settleSoon(): Promise<void> {
    settling ??= Promise.resolve().then(sendSettlements);
    return settling;
  }

  async function run(script: Script, writer: RequestWriter): Promise<number[]> {
    const { keys, request } = writer.finish();
    const { client, ready } = connection ?? (await open());
    const connecting = ready();
    if (connecting) await connecting;
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
  }

  function enqueue(queue: WaitingCharge[], demand: Demand, chargeId: string): Promise<Reading> {
    return new Promise((resolve, reject) => {
      if (waiting.length + waitingPeeks.length === 0) setImmediate(flush);
      queue.push({ demand, chargeId, resolve, reject });
    });
  }

  function flush(): void {
    const charges = waiting;
    const peeks = waitingPeeks;
    waiting = [];
    waitingPeeks = [];
    sendInBatches(SCRIPTS.charge, charges);
    sendInBatches(SCRIPTS.peek, peeks);
  }

  function sendInBatches(script: Script, charges: WaitingCharge[]): void {
    let writer = createRequestWriter();
    let start = 0;
    for (let i = 0; i < charges.length; i++) {
      const { demand, chargeId } = charges[i]!;
      const keyOf = keysFor(demand.subject);
      if (writer.count < MAX_BATCH && writer.addCharge(demand, chargeId, keyOf)) continue;
      void send(script, writer, charges.slice(start, i));
      writer = createRequestWriter();
      start = i;
      writer.addCharge(demand, chargeId, keyOf);
    }
    if (writer.count > 0) void send(script, writer, charges.slice(start));
  }

  async function send(script: Script, writer: RequestWriter, batch: WaitingCharge[]): Promise<void> {
    try {
      const reply = await run(script, writer);
      let at = 4;
      for (const { demand, resolve } of batch) {
        const admitted = reply[at++] === 1;
        const start = at;
        for (const { shape } of demand.limits) at += NUMBERS_PER_SHAPE[shape];
        resolve({ admitted, clock: reply[0]!, now: reply[1]!, numbers: reply.slice(start, at) });
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  let settlements = createRequestWriter();
  let settling: Promise<void> | undefined;

  async function sendSettlements(): Promise<void> {
    const writer = settlements;
    settlements = createRequestWriter();
    settling = undefined;
    if (writer.count > 0) await run(SCRIPTS.settle, writer);
  }

  return {
    anomalies,

    async charge(demand, chargeId, readOnly) {
      if (demand.limits.length === 0) return { admitted: true, clock: 0, now: 0, numbers: [] };
      return enqueue(readOnly ? waitingPeeks : waiting, demand, chargeId);
    },

    settle(charge, actual) {
      const keyOf = keysFor(charge.subject);
      if (!settlements.addSettlement(charge, actual, keyOf)) {
        void settling?.catch(() => {});
        const earlier = sendSettlements();
        settlements.addSettlement(charge, actual, keyOf);
        return Promise.all([earlier, settleSoon()]).then(() => {});
      }
      return settleSoon();
    },

    async close() {
      if (typeof redis === 'string' && opening) await (await opening).close();
    },
  };
}

function passedIn(client: Redis | Cluster): Connection {
  return { client, isCluster: client.isCluster, ready: () => undefined, close: async () => {} };
}
