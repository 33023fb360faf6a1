import type { RedisClient } from '../../model/redis-client.js';
import type { RegionOptions } from '../../model/region-mode.js';
import type { EngineObserver } from '../fallback/engine-observer.js';
import { guardEngineObserver } from '../fallback/guard-engine-observer.js';
import { createRegionExchange, type RegionExchange } from './region-exchange.js';

interface ExchangeOptions {
  region?: RegionOptions;
  redis?: RedisClient | string;
  now?: () => number;
  observer?: EngineObserver;
}

/** Opens the exchange of shares that the options define; undefined if the shares are fixed. */
export function openRegionExchange(
  { region, redis, now, observer = {} }: ExchangeOptions,
  deadlineMs: number,
): RegionExchange | undefined {
  if (region?.redis === undefined || redis === undefined) return undefined;
  return createRegionExchange({
    region: { ...region, redis: region.redis },
    redis,
    deadlineMs,
    now,
    onRegionChanged: guardEngineObserver(observer).regionChanged,
  });
}
