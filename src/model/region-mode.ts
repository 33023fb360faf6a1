import type { RedisClient } from './redis-client.js';

/**
 * Ways in which the Redis servers of several regions enforce one limit. `CENTRAL`: each Redis
 * enforces the whole limit, so all regions have to use the same Redis. `SPLIT`: the Redis of each
 * region enforces the share of its region. `WATCH`: the Redis of each region enforces the whole
 * limit, and adds what the other regions have reported.
 */
export const REGION_MODES = ['CENTRAL', 'SPLIT', 'WATCH'] as const;
export type RegionMode = (typeof REGION_MODES)[number];

/** Region of a server, and the shares of all regions in limits with the mode `SPLIT`. */
export interface RegionOptions {
  /** Name of the region of this server. */
  name: string;
  /** Share of each region in percent: whole numbers that sum to 100, such as `{ eu: 60, us: 40 }`. */
  shares: Readonly<Record<string, number>>;
  /**
   * Mode of limits that are not those of rules: of tiers and API keys. Rules have a `regionMode` of
   * their own.
   * @default 'CENTRAL'
   */
  tierMode?: RegionMode;
  /**
   * Redis of each other region, by its name. With it, the regions move their shares by demand, and
   * exchange the counts of limits with the mode `WATCH`: see
   * [regions](regions.md#shares-that-follow-the-demand).
   * @default none: the shares are fixed, and `WATCH` has the effect of `SPLIT`
   */
  redis?: Readonly<Record<string, RedisClient | string>>;
  /** Smallest share of a region that moves its shares, in percent. @default 5 */
  floor?: number;
  /** Interval at which the regions exchange shares and counts, in milliseconds. @default 2000 */
  exchangeMs?: number;
}

export const DEFAULT_FLOOR = 5;
export const DEFAULT_EXCHANGE_MS = 2000;
