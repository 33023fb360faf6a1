import { type LimitState, MAX_LIMITS } from '../../model/limit-parameters.js';
import { SHAPE } from '../algorithms/limit-algorithm.js';
import type { CheckedRequest, EngineResult } from '../charge/checked-request.js';
import type { CallPlaces } from './call-places.js';
import type { Partition } from './partitions.js';
import type { StoredCounter } from './stored-counter.js';
import { secondNumber, tryFastCharge } from './try-fast-charge.js';

/** Number of values saved before a charge, from the counter and from its partition. */
const REMEMBERED = 6;

/**
 * Fast path for several limits. It charges limit by limit, and undoes the charges if a limit needs
 * the general path.
 */
export class FastCharges {
  readonly #places: CallPlaces;
  readonly #remembered = new Float64Array(REMEMBERED * MAX_LIMITS);

  constructor(places: CallPlaces) {
    this.#places = places;
  }

  /**
   * Charges all limits. Returns undefined, and changes nothing, if the general path has to decide.
   */
  tryAll({ limits, costs, numberCount }: CheckedRequest, time: number, now: number): EngineResult | undefined {
    const places = this.#places;
    const states = new Array<LimitState>(limits.length);
    const numbers = new Array<number>(numberCount);
    let offset = 0;
    for (let i = 0; i < limits.length; i++) {
      const limit = limits[i]!;
      const counter = places.findCounter(limit, i);
      if (counter === undefined) return this.#undo(i);
      const { partition } = places.at(i);
      this.#remember(partition!, counter, i);
      const state = tryFastCharge(limit, partition!, counter, costs[i]!, now);
      if (state === undefined) return this.#undo(i);
      states[i] = state;
      numbers[offset++] = counter.used;
      if (limit.shape !== SHAPE.FIXED) numbers[offset++] = secondNumber(limit, counter);
      if (costs[i] === 0) this.#putBack(i);
    }
    return { admitted: true, clock: time, now, numbers, times: undefined, states };
  }

  #remember({ seenAt }: Partition, counter: StoredCounter, i: number): void {
    const remembered = this.#remembered;
    const offset = REMEMBERED * i;
    remembered[offset] = counter.used;
    remembered[offset + 1] = counter.debt;
    remembered[offset + 2] = counter.previousCount;
    remembered[offset + 3] = counter.at;
    remembered[offset + 4] = counter.emptyAtMs;
    remembered[offset + 5] = seenAt;
  }

  #putBack(i: number): void {
    const remembered = this.#remembered;
    const { partition, index } = this.#places.at(i);
    const counter = partition!.counters[index]!;
    const offset = REMEMBERED * i;
    counter.used = remembered[offset]!;
    counter.debt = remembered[offset + 1]!;
    counter.previousCount = remembered[offset + 2]!;
    counter.at = remembered[offset + 3]!;
    counter.emptyAtMs = remembered[offset + 4]!;
    partition!.seenAt = remembered[offset + 5]!;
  }

  /** Undoes charges in reverse order, because several may be in one partition. */
  #undo(count: number): undefined {
    for (let i = count - 1; i >= 0; i--) this.#putBack(i);
  }
}
