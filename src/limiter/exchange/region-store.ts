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
  /**
   * Appends counts of this region, which other regions read. A batch that was sent again, because its
   * reply was lost, is appended once.
   * @param batch number of the batch of the instance, which increases
   */
  publish(instance: string, batch: number, counts: readonly string[]): Promise<void>;
  /**
   * Reads the counts of a region that follow the entry `after`, and the last entry of its own counts
   * that the region has read of `reader`; '' for none.
   */
  readCounts(after: string, reader: string): Promise<{ entries: CountEntry[]; hasRead: string }>;
  /** Resolves to what this region has read of each other region. */
  cursors(): Promise<Record<string, Cursor>>;
  /**
   * Records that the counts of another region are read up to an entry. Resolves to false if another
   * instance has read them in the meantime.
   */
  moveCursor(region: string, before: string, after: string): Promise<boolean>;
  /** Deletes the counts that all other regions have read, and old ones. */
  trim(readByAll: string): Promise<void>;
  close(): Promise<void>;
}

/** Counts that one instance has published together. */
export interface CountEntry {
  readonly id: string;
  readonly text: string;
}

/** The last entry that was read of another region; '' for none. */
interface Cursor {
  readonly id: string;
  /** Time since the last read, in milliseconds. */
  readonly ageMs: number;
}

/** Time for which counts are kept for a region that does not read them. */
const COUNTS_KEPT_MS = 15 * 60_000;
/** Maximum number of entries that are read at once. */
export const ENTRIES_AT_ONCE = 20;

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

const PUBLISH = `if tonumber(ARGV[1]) <= tonumber(redis.call('GET', KEYS[2]) or '0') then return 0 end
for i = 3, #ARGV do redis.call('XADD', KEYS[1], '*', 'counts', ARGV[i]) end
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`;

/** Records the last entry and the time of the read. */
const MOVE = `if (redis.call('HGET', KEYS[1], ARGV[1]) or '') ~= ARGV[2] then return 0 end
local time = redis.call('TIME')
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3], ARGV[1] .. ':at', time[1] * 1000 + math.floor(time[2] / 1000))
return 1`;

/** Redis 6.0 has no XTRIM with an id. */
const TRIM = `local time, deleted = redis.call('TIME'), 0
for _, last in ipairs({ ARGV[1], string.format('%.0f', time[1] * 1000 - ARGV[2]) }) do
  while last ~= '' and deleted < 10000 do
    local ids = {}
    for i, entry in ipairs(redis.call('XRANGE', KEYS[1], '-', last, 'COUNT', 100)) do ids[i] = entry[1] end
    if #ids == 0 then break end
    deleted = deleted + redis.call('XDEL', KEYS[1], unpack(ids))
  end
end
return deleted`;

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
      return { text: text ?? '', demand: Number(demand ?? 0), timeMs: timeMsOf(time) };
    },
    async lead(instance, forMs) {
      return (await (await client()).eval(LEAD, 1, keyOf('leader'), instance, forMs)) === 1;
    },
    async replace(before, after) {
      return (await (await client()).eval(REPLACE, 1, keyOf('ledger'), before, after)) === 1;
    },
    async publish(instance, batch, counts) {
      const keys = [keyOf('counts'), keyOf(`sent:${instance}`)] as const;
      await (await client()).eval(PUBLISH, 2, ...keys, batch, COUNTS_KEPT_MS, ...counts);
    },
    async readCounts(after, reader) {
      const connected = await client();
      const [read, hasRead] = await Promise.all([
        connected.xread('COUNT', ENTRIES_AT_ONCE, 'STREAMS', keyOf('counts'), after === '' ? '0' : after),
        connected.hget(keyOf('cursors'), reader),
      ]);
      const entries = (read?.[0]?.[1] ?? []).map(([id, fields]) => ({ id, text: fields[1] ?? '' }));
      return { entries, hasRead: hasRead ?? '' };
    },
    async cursors() {
      const connected = await client();
      const [stored, time] = await Promise.all([connected.hgetall(keyOf('cursors')), connected.time()]);
      const names = Object.keys(stored).filter((name) => !name.endsWith(':at'));
      return Object.fromEntries(
        names.map((name) => [name, { id: stored[name]!, ageMs: timeMsOf(time) - Number(stored[`${name}:at`]) }]),
      );
    },
    async moveCursor(other, before, after) {
      return (await (await client()).eval(MOVE, 1, keyOf('cursors'), other, before, after)) === 1;
    },
    async trim(readByAll) {
      await (await client()).eval(TRIM, 1, keyOf('counts'), readByAll, COUNTS_KEPT_MS);
    },
    close: () => connecting.then((connection) => connection.close()).catch(() => {}),
  };
}

/** Converts the reply of TIME to epoch milliseconds. */
function timeMsOf(time: unknown): number {
  const [seconds, microseconds] = time as [number, number];
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
}
