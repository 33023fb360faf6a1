import type { RedisClient } from '../../model/redis-client.js';
import { type Connection, connect, connectionOf, ioredisClient } from '../redis/connect.js';

/** The ledger of one region in its Redis. */
export interface RegionStore {
  /** Adds to the demand of the region, and resolves to the stored state; `text` is '' if there is none. */
  read(addedDemand: number): Promise<{ text: string; demand: number; timeMs: number }>;
  /** Resolves to whether this instance exchanges ledgers for its region in the next `forMs`. */
  lead(instance: string, forMs: number): Promise<boolean>;
  /** Replaces the ledger. Resolves to false if another instance has replaced it in the meantime. */
  replace(before: string, after: string): Promise<boolean>;
  close(): Promise<void>;
}

/** Maximum time of a call: regions may be far away, and no decision waits for it. */
const PATIENCE_MS = 2000;

/** Replaces the value of a key if it is still the expected one. */
const REPLACE = `local now = redis.call('GET', KEYS[1])
if (now or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1`;

/** Extends the time of the leading instance, or makes this one the leader if there is none. */
const LEAD = `local leader = redis.call('GET', KEYS[1])
if leader and leader ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1`;

/** Opens the ledger of a region. The connection is made in the background, and made again if it breaks. */
export function openRegionStore(redis: RedisClient | string, region: string): RegionStore {
  // The keys are in one hash slot.
  const keyOf = (part: string) => `tg:{region:${region}}:${part}`;
  const connecting: Promise<Connection> =
    typeof redis === 'string'
      ? connect(redis, { commandTimeoutMs: PATIENCE_MS, connectWaitMs: PATIENCE_MS })
      : Promise.resolve(connectionOf(ioredisClient(redis) as Exclude<ReturnType<typeof ioredisClient>, string>));
  connecting.catch(() => {});

  async function client(): Promise<Connection['client']> {
    const connection = await connecting;
    await connection.ready()?.catch(() => {});
    return connection.client;
  }

  return {
    async read(addedDemand) {
      const connected = await client();
      const [text, demand, time] = await Promise.all([
        connected.get(keyOf('ledger')),
        addedDemand > 0 ? connected.incrbyfloat(keyOf('demand'), addedDemand) : connected.get(keyOf('demand')),
        connected.time(),
      ]);
      const [seconds, microseconds] = time as unknown as [number, number];
      const timeMs = Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
      return { text: text ?? '', demand: Number(demand ?? 0), timeMs };
    },
    async lead(instance, forMs) {
      return (await (await client()).eval(LEAD, 1, keyOf('leader'), instance, forMs)) === 1;
    },
    async replace(before, after) {
      return (await (await client()).eval(REPLACE, 1, keyOf('ledger'), before, after)) === 1;
    },
    close: () => connecting.then((connection) => connection.close()).catch(() => {}),
  };
}
