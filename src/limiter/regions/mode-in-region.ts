import type { Algorithm } from '../../model/limit-parameters.js';
import type { RegionMode } from '../../model/region-mode.js';
import type { RegionShare } from './split-limit.js';

/**
 * Returns the mode in which a region enforces a limit. `WATCH` becomes `SPLIT` for slots, which have
 * no counts to exchange, and if the regions exchange no counts. They would otherwise admit the limit
 * once in each region.
 */
export function modeInRegion(
  { tierMode, isExchanged }: RegionLimits,
  given: RegionMode | undefined,
  algorithm: Algorithm,
): RegionMode {
  const mode = given ?? tierMode;
  return mode === 'WATCH' && (!isExchanged || algorithm === 'CONCURRENCY') ? 'SPLIT' : mode;
}

/** Ways in which a region enforces its limits. */
export interface RegionLimits {
  /** Name of the region. */
  readonly name: string;
  /** Share of the region, for limits with `regionMode: 'SPLIT'`. */
  readonly share: RegionShare;
  /** Mode of limits without a `regionMode`. */
  readonly tierMode: RegionMode;
  /** Whether the regions exchange counts. */
  readonly isExchanged: boolean;
}
