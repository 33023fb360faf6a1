import type { RedisClient } from '../../model/redis-client.js';
import type { RegionOptions } from '../../model/region-mode.js';
import { createRegionExchange, type RegionExchange } from './region-exchange.js';

interface ExchangeOptions {
  region?: RegionOptions;
  redis?: RedisClient | string;
  now?: () => number;
}

/** Opens the exchange of shares that the options define; undefined if the shares are fixed. */
export function openRegionExchange(
  { region, redis, now }: ExchangeOptions,
  deadlineMs: number,
): RegionExchange | undefined {
  if (region?.redis === undefined || redis === undefined) return undefined;
  return createRegionExchange({ region: { ...region, redis: region.redis }, redis, deadlineMs, now });
}
