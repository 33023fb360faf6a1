/**
 * Ways in which the Redis servers of several regions enforce one limit. `CENTRAL`: each Redis
 * enforces the whole limit, so all regions have to use the same Redis. `SPLIT`: the Redis of each
 * region enforces the share of its region.
 */
export const REGION_MODES = ['CENTRAL', 'SPLIT'] as const;
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
}
