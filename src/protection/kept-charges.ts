import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import type { BoundLimit } from '../rules/matching/ruleset.js';

/** Cached charges of one limit, shared by all cost plans. */
export interface ChargesOfLimit {
  /** Charge of cost 0. */
  readonly ofNothing: LimitCharge;
  /** Cached charges of earlier operations, by cost. */
  readonly byCost: Map<number, LimitCharge>;
}

/**
 * Maximum number of cached charges of one limit, and of all limits. The cache must be bounded,
 * because there may be 10,000 limits, and callers choose the costs.
 */
const MAX_CHARGES = 64;
const MAX_CHARGES_OF_ALL = 10_000;

/** Cache of charges: most requests need a charge that an earlier request has already created. */
export class KeptCharges {
  readonly #chargeOfNothing: (limit: BoundLimit) => LimitCharge;
  readonly #ofLimits = new WeakMap<BoundLimit, ChargesOfLimit>();
  /** The maps `byCost` that contain at least one charge. */
  readonly #holding = new Set<ChargesOfLimit['byCost']>();
  #count = 0;

  constructor(chargeOfNothing: (limit: BoundLimit) => LimitCharge) {
    this.#chargeOfNothing = chargeOfNothing;
  }

  of(limit: BoundLimit): ChargesOfLimit {
    let charges = this.#ofLimits.get(limit);
    if (charges === undefined) {
      charges = { ofNothing: this.#chargeOfNothing(limit), byCost: new Map() };
      this.#ofLimits.set(limit, charges);
    }
    return charges;
  }

  /** Returns the charge of a limit at this cost. */
  chargeAt({ ofNothing, byCost }: ChargesOfLimit, cost: number): LimitCharge {
    let charge = byCost.get(cost);
    if (charge === undefined) {
      charge = { ...ofNothing, cost };
      if (byCost.size >= MAX_CHARGES) this.#drop(byCost);
      if (this.#count >= MAX_CHARGES_OF_ALL) for (const each of this.#holding) this.#drop(each);
      byCost.set(cost, charge);
      this.#holding.add(byCost);
      this.#count++;
    }
    return charge;
  }

  #drop(byCost: ChargesOfLimit['byCost']): void {
    this.#count -= byCost.size;
    byCost.clear();
    this.#holding.delete(byCost);
  }
}
