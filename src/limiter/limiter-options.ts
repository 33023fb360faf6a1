import type { RedisClient } from '../model/redis-client.js';
import type { RegionOptions } from '../model/region-mode.js';
import { COUNTER_OPTIONS, type CounterOptions } from '../options/counter-options.js';
import { findMistakes, type OptionTable } from '../options/find-mistakes.js';
import { callback, optionsOf, recordOf } from '../options/option-kinds.js';
import { regionOption } from '../options/region-option.js';
import { DEFAULT_POOL, isPoolName } from './charge/is-pool-name.js';
import { type DenialMemoryOptions, denialMemoryOption } from './denials/denial-memory-option.js';
import type { EngineObserver } from './fallback/engine-observer.js';
import { LEASES, type LeaseSettings } from './lease/lease-options.js';
import { redisOption } from './redis/redis-option.js';

export interface LimiterOptions extends CounterOptions {
  /**
   * Redis that stores the counters: an ioredis client, or a URL (`redis://`, `rediss://`,
   * `redis-cluster://a,b,c`, `redis-sentinel://a,b,c/name`). Without it, the memory of this process
   * stores them.
   */
  redis?: RedisClient | string;
  /**
   * Further Redis servers by name, for charges with a `pool`. Each has its own connections, circuit
   * breaker and counters, so that a server that hangs does not slow the others. @default none
   */
  pools?: Readonly<Record<string, RedisClient | string>>;
  /** Clock in epoch milliseconds, for tests only. It replaces the time of Redis too. */
  now?: () => number;
  /** Settings of leases, for limits whose `precision` is `LEASED`. */
  leases?: LeaseSettings;
  /**
   * Settings of the denial memory. With Redis, repeat denials are answered from memory without
   * calling Redis, until tokens are available again or this process refunds some. `{}` remembers
   * for half a second, in 4 MiB.
   * @default false: Redis decides every charge
   */
  denialMemory?: DenialMemoryOptions | false;
  /**
   * Region of this process and the shares of all regions, for limits with `regionMode: 'SPLIT'`:
   * see [regions](regions.md). @default none: every limit is enforced whole
   */
  region?: RegionOptions;
  /** Receives failures of Redis, and changes of its state. */
  observer?: EngineObserver;
}

const OBSERVER: OptionTable<EngineObserver> = {
  failed: callback(),
  fellBehind: callback(),
  changed: callback(),
  unsafe: callback(),
  zoneDataDiffers: callback(),
  forgot: callback(),
};

const LIMITER_OPTIONS: OptionTable<LimiterOptions> = {
  redis: redisOption,
  pools: recordOf(redisOption),
  now: callback('() => Date.now()'),
  ...COUNTER_OPTIONS,
  leases: optionsOf<LeaseSettings>(LEASES),
  denialMemory: denialMemoryOption,
  region: regionOption,
  observer: optionsOf(OBSERVER),
};

/** Yields every mistake in the options, which may be any value. */
export function* findLimiterMistakes(options: LimiterOptions): Iterable<string> {
  const mistakes = [...findMistakes(options, LIMITER_OPTIONS)];
  yield* mistakes;
  if (mistakes.length === 0) yield* findPlaceMistakes(options);
}

/** Yields mistakes in the combination of `redis` and `pools`. */
export function* findPlaceMistakes({ redis, pools = {} }: Pick<LimiterOptions, 'redis' | 'pools'>): Iterable<string> {
  const places = new Map<unknown, string>([[redis, DEFAULT_POOL]]);
  for (const [name, where] of Object.entries(pools)) {
    if (redis === undefined) return yield 'pools: expected redis too, for operations that are in no pool';
    if (!isPoolName(name)) {
      yield `pools: expected names of lower-case letters, digits and _, and not ${DEFAULT_POOL}; got ${JSON.stringify(name)}`;
    }
    // If two pools shared a Redis, this process would count as two instances, and both pools would
    // hang together.
    const other = places.get(where);
    if (other !== undefined) yield `pools.${name}: expected a separate Redis, got that of ${other}`;
    else places.set(where, name);
  }
}
