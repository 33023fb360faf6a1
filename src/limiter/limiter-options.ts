import type { RedisClient } from '../model/redis-client.js';
import { COUNTER_OPTIONS, type CounterOptions } from '../options/counter-options.js';
import { findMistakes, type OptionTable } from '../options/find-mistakes.js';
import { callback, optionsOf, recordOf } from '../options/option-kinds.js';
import { DEFAULT_POOL, isPoolName } from './charge/is-pool-name.js';
import { type DenialMemoryOptions, denialMemoryOption } from './denials/denial-memory-option.js';
import type { EngineObserver } from './fallback/engine-observer.js';
import { LEASES, type LeaseSettings } from './lease/lease-options.js';
import { redisOption } from './redis/redis-option.js';

export interface LimiterOptions extends CounterOptions {
  /**
   * Where the counters live: an ioredis client, or a URL (`redis://`, `rediss://`, `redis-cluster://a,b,c`,
   * `redis-sentinel://a,b,c/name`). Without it they live in this process.
   */
  redis?: RedisClient | string;
  /**
   * More of them, by name, for charges that name their `pool`: each has connections, a breaker and counters of its own, so
   * that one that hangs slows none of the others. @default none
   */
  pools?: Readonly<Record<string, RedisClient | string>>;
  /** Epoch milliseconds; only for tests: replaces the time of Redis too. */
  now?: () => number;
  /** How tokens are taken ahead for limits whose `precision` is `LEASED`. */
  leases?: LeaseSettings;
  /**
   * With Redis: whom it has denied is denied without asking it again until there is room, or something was refunded here;
   * `{}` for half a second and 4 MiB. @default false: Redis is always asked
   */
  denialMemory?: DenialMemoryOptions | false;
  /** Is notified of failures, and of Redis going away and coming back. */
  observer?: EngineObserver;
}

const OBSERVER: OptionTable<EngineObserver> = {
  failed: callback(),
  fellBehind: callback(),
  changed: callback(),
  unsafe: callback(),
  forgot: callback(),
};

const LIMITER_OPTIONS: OptionTable<LimiterOptions> = {
  redis: redisOption,
  pools: recordOf(redisOption),
  now: callback('() => Date.now()'),
  ...COUNTER_OPTIONS,
  leases: optionsOf<LeaseSettings>(LEASES),
  denialMemory: denialMemoryOption,
  observer: optionsOf(OBSERVER),
};

/** Every mistake in the options, which may be anything. */
export function* findLimiterMistakes(options: LimiterOptions): Iterable<string> {
  const mistakes = [...findMistakes(options, LIMITER_OPTIONS)];
  yield* mistakes;
  if (mistakes.length === 0) yield* findPlaceMistakes(options);
}

/** What only shows when the places of all are known. */
export function* findPlaceMistakes({ redis, pools = {} }: Pick<LimiterOptions, 'redis' | 'pools'>): Iterable<string> {
  const places = new Map<unknown, string>([[redis, DEFAULT_POOL]]);
  for (const [name, where] of Object.entries(pools)) {
    if (redis === undefined) return yield 'pools: expected redis too, for what is in none of them';
    if (!isPoolName(name)) {
      yield `pools: expected names of lower-case letters, digits and _, and not ${DEFAULT_POOL}; got ${JSON.stringify(name)}`;
    }
    // One that two share would be two instances to itself, and hang both.
    const other = places.get(where);
    if (other !== undefined) yield `pools.${name}: expected a Redis of its own, got that of ${other}`;
    else places.set(where, name);
  }
}
