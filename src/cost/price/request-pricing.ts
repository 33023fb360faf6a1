import type { Tariff } from '../settings/cost-profile.js';
import type { ProgramInput } from './algebra.js';
import { createPricing, type Pricing } from './create-pricing.js';
import { NumberAlgebra } from './number-algebra.js';

/**
 * Pricing with the variables of one request, by tariff. It is a class, because allocating closures
 * for every counted response would take time.
 */
export class RequestPricing {
  readonly input: ProgramInput;
  readonly numbers: NumberAlgebra;
  readonly #pricings: Pricing<never>[] = [];

  constructor(input: ProgramInput) {
    this.input = input;
    this.numbers = new NumberAlgebra(input);
  }

  of(tariff: Tariff): Pricing<never> {
    for (const pricing of this.#pricings) if (pricing.tariff === tariff) return pricing;
    const pricing = createPricing<never>(this.numbers, tariff, true);
    this.#pricings.push(pricing);
    return pricing;
  }

  ofAll(tariffs: readonly Tariff[]): readonly Pricing<never>[] {
    return tariffs.map((tariff) => this.of(tariff));
  }
}
