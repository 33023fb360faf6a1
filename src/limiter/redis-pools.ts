import type { RedisClient } from '../model/redis-client.js';
import { monotonicClock } from '../runtime/clock.js';
import { schedule } from '../runtime/schedule.js';
import type { Anomalies } from './charge/checked-request.js';
import { DEFAULT_POOL } from './charge/is-pool-name.js';
import type { DenialMemoryTotals } from './denials/denial-memory.js';
import { createRedisWithFallback, type RedisWithFallbackOptions } from './fallback/redis-with-fallback.js';
import type { SlotReleaseTotals } from './fallback/unsent-releases.js';
import type { LeaseSettings, LeaseTotals } from './lease/lease-options.js';
import { createLeasedRedis, type LeasedRedis } from './lease/leased-redis.js';

interface RedisPoolsOptions extends Omit<RedisWithFallbackOptions, 'pool' | 'redis'> {
  /**
   * Default Redis. Without a default Redis, the counters are in the memory of this process, and
   * there are no pools.
   */
  redis?: RedisClient | string;
  pools?: Readonly<Record<string, RedisClient | string>>;
  leases?: LeaseSettings;
}

/** Every Redis of a limiter, by the name of its pool. */
export class RedisPools {
  readonly names: readonly string[];
  /** Redis of the default pool; undefined if the memory of this process decides. */
  readonly default: LeasedRedis | undefined;
  readonly all: readonly LeasedRedis[];
  readonly opened: Promise<void>;
  readonly #named: ReadonlyMap<string, LeasedRedis>;

  constructor({ redis, pools = {}, leases, ...options }: RedisPoolsOptions) {
    const open = (pool: string, where: RedisClient | string): LeasedRedis => {
      const shared = createRedisWithFallback({ ...options, pool, redis: where });
      return createLeasedRedis(shared, { ...leases, clock: options.now ?? monotonicClock, schedule });
    };
    this.default = redis === undefined ? undefined : open(DEFAULT_POOL, redis);
    this.#named = new Map(Object.entries(pools).map(([name, where]) => [name, open(name, where)]));
    this.all = this.default === undefined ? [] : [this.default, ...this.#named.values()];
    this.names = [DEFAULT_POOL, ...this.#named.keys()];
    this.opened = Promise.all(this.all.map((one) => one.opened)).then(() => {});
    this.opened.catch(() => {});
  }

  /**
   * Returns the Redis of the pool that a request names; undefined if the memory of this process
   * decides.
   */
  of(pool: string | undefined): LeasedRedis | undefined {
    if (pool === undefined || pool === DEFAULT_POOL) return this.default;
    const named = this.#named.get(pool);
    if (named) return named;
    throw new TypeError(`pool: expected one of ${this.names.join(', ')}, got ${JSON.stringify(pool)}`);
  }

  /** Resolves when the settlements of all pools are sent; undefined if they already are. */
  sent(): Promise<void> | undefined {
    if (this.all.length < 2) return this.default?.sent();
    let all: Promise<void> | undefined;
    for (const one of this.all) {
      const sent = one.sent();
      if (sent) all = all ? all.then(() => sent) : sent;
    }
    return all;
  }

  slotReleases(): SlotReleaseTotals {
    return sumOf(['waiting', 'dropped'], this.all, (one) => one.slotReleases());
  }

  leases(): LeaseTotals & { held: number } {
    return {
      ...sumOf(['decisions', 'taken', 'returned', 'lost'], this.all, (one) => one.leaseTotals),
      ...sumOf(['held'], this.all, (one) => ({ held: one.held() })),
    };
  }

  anomalies(): Anomalies {
    return sumOf(['repaired', 'rebased', 'forgotten'], this.all, (one) => one.anomalies);
  }

  rememberedDenials(): DenialMemoryTotals {
    return sumOf(['answered', 'kept', 'bytes'], this.all, (one) => one.rememberedDenials());
  }

  /** Returns whether a denial by any Redis is remembered now. */
  remembersDenials(): boolean {
    for (const one of this.all) if (one.rememberedDenials().kept > 0) return true;
    return false;
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((one) => one.close()));
  }
}

/** Returns the sum of each of these numbers over every Redis. */
function sumOf<Name extends string>(
  names: readonly Name[],
  all: readonly LeasedRedis[],
  read: (one: LeasedRedis) => Readonly<Record<Name, number>>,
): Record<Name, number> {
  const sums = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (const numbers of all.map(read)) for (const name of names) sums[name] += numbers[name];
  return sums;
}
