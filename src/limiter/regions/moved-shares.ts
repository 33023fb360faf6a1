/** Current shares of a region that moves them. */
export interface MovedShares {
  /** Smallest share of a region, in percent. */
  readonly floor: number;
  /**
   * Returns the percents that a limit may use in addition to the configured share of the region;
   * negative if the region has given some.
   * @param memoryMs time for which the limit remembers a charge
   */
  movedPercent(memoryMs: number): number;
}
