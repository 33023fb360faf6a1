import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import { modeInRegion } from '../limiter/regions/mode-in-region.js';
import { shareOfRegion } from '../limiter/regions/split-limit.js';
import type { RegionOptions } from '../model/region-mode.js';
import type { Rule } from '../model/rule.js';

/** Regions of a replay. Each has counters of its own, and enforces its configured share. */
export interface SimulatedRegions {
  /** Returns the region of a decision. Decisions without a known one belong to the region of this process. */
  regionOf(recorded: string | null): string;
  /** Returns the option `region` of the limiter of a region. */
  optionOf(name: string): RegionOptions;
  /**
   * Returns a charge for the limiter of a region. A watched limit becomes `CENTRAL`, so that each
   * region enforces the whole limit. The limiter of a replay exchanges no counts, so it would split
   * a limit with `WATCH`.
   */
  chargeOf(charge: LimitCharge): LimitCharge;
  /** Returns the warnings about a draft. */
  warningsOf(draft: Pick<Rule, 'regionMode'>): string[];
}

/** @param region region of this process, with the shares of all regions */
export function createSimulatedRegions(region: RegionOptions): SimulatedRegions {
  const { name: own, shares, tierMode = 'CENTRAL' } = region;
  const limits = { name: own, share: shareOfRegion(region), tierMode, isExchanged: region.redis !== undefined };
  return {
    regionOf: (recorded) => (recorded !== null && Object.hasOwn(shares, recorded) ? recorded : own),
    optionOf: (name) => ({ name, shares }),
    chargeOf(charge) {
      const mode = modeInRegion(limits, charge.regionMode, charge.algorithm);
      return { ...charge, regionMode: mode === 'WATCH' ? 'CENTRAL' : mode };
    },
    warningsOf: ({ regionMode }) =>
      regionMode === 'WATCH' && limits.isExchanged
        ? ['each region counts alone in a simulation: a watched limit does not include the counts of other regions']
        : [],
  };
}
