import type { ChargeSubject } from '../../model/subject.js';
import { COUNTER_OPTIONS } from '../../options/counter-options.js';
import type { Clock } from '../../runtime/clock.js';
import { isSameCounter, type Limit } from '../algorithms/limit-algorithm.js';
import type { OneLimitCharge } from '../charge/charge-receipt.js';
import {
  type Anomalies,
  type ChargeRecord,
  type CheckedRequest,
  type EngineResult,
  selectChanged,
  stampMsOf,
} from '../charge/checked-request.js';
import { CallPlaces } from './call-places.js';
import { FastCharges } from './fast-charges.js';
import { keep } from './partitions.js';
import { secondNumber, tryFastCharge } from './try-fast-charge.js';

interface MemoryEngineOptions {
  /** Clock in whole epoch milliseconds. */
  clock: Clock;
  /**
   * Maximum number of users, tenants, addresses and so on. Those that have used least of their
   * limits are evicted. @default 100_000
   */
  maxPartitions?: number;
  /** Called when a counter that still holds usage is evicted. */
  onForgotten?: () => void;
}

export interface MemoryEngine {
  /**
   * Charges the cost to every limit, or to none of them. With `readOnly` it only peeks, and also
   * returns the numbers that a charge would have reported.
   */
  charge(request: CheckedRequest, chargeId: string, readOnly: boolean): EngineResult;
  /**
   * Charges one limit on the fast path. Returns undefined if nothing was done and `charge` has to
   * decide.
   */
  chargeOne(subject: ChargeSubject, limit: Limit, cost: number): OneLimitCharge | undefined;
  settle(charge: ChargeRecord, actual: Readonly<Record<string, number>>): void;
  /** Makes the concurrency slots of a charge end `leaseMs` from now. */
  renew(slots: ChargeRecord): void;
  /** Resets the counters of these limits. */
  reset(request: CheckedRequest): void;
  readonly anomalies: Anomalies;
}

/**
 * Creates an engine that makes the same decisions as the scripts in `lua/`, in the memory of one
 * process. Each call reads all counters, decides, and writes all counters.
 */
export function createMemoryEngine({
  clock,
  maxPartitions = COUNTER_OPTIONS.maxPartitions.default,
  onForgotten = () => {},
}: MemoryEngineOptions): MemoryEngine {
  const anomalies: Anomalies = { repaired: 0, rebased: 0, forgotten: 0 };
  const places = new CallPlaces(maxPartitions, anomalies, onForgotten);
  const { partitions } = places;
  const fastCharges = new FastCharges(places);

  return {
    anomalies,

    chargeOne(subject, limit, cost) {
      // The general path handles a cost of zero, which writes nothing, and limits that may delay,
      // whose wait has to be computed.
      if (cost === 0 || limit.mayDelay) return undefined;
      const now = clock();
      const partition = partitions.find(subject, limit);
      const counter = partition?.first;
      if (counter === undefined || partition!.seenAt > now) return undefined;
      const state = tryFastCharge(limit, partition!, counter, cost, now);
      if (state === undefined) return undefined;
      const { used } = counter;
      return { subject, limit, cost, now, used, second: secondNumber(limit, counter), state, receipt: undefined };
    },

    charge(request, chargeId, readOnly) {
      const time = clock();
      const now = places.readTime(request, time, readOnly);
      if (!readOnly) {
        const result = fastCharges.tryAll(request, time, now);
        if (result !== undefined) return result;
      }
      const admitted = decide(places, request, now);
      if (!readOnly) {
        const numbers = write(places, request, chargeId, now, admitted, true);
        return { admitted, clock: time, now, numbers, times: undefined, states: undefined };
      }
      const found = reportFound(places, request);
      const wouldBe = write(places, request, chargeId, now, admitted, false);
      return { admitted, clock: time, now, numbers: found, times: undefined, wouldBe };
    },

    settle(charge, actual) {
      const changed = selectChanged(charge, actual);
      const { request, chargeId } = changed;
      const { limits, costs, subject } = request;
      const now = places.readTime(request, clock(), false);
      for (let i = 0; i < limits.length; i++) places.load(limits[i]!, i, now);
      for (let i = 0; i < limits.length; i++) {
        const limit = limits[i]!;
        const place = places.at(i);
        limit.algorithm.correct(limit, place.state, stampMsOf(changed, i), chargeId, costs[i]!, actual[limit.id]!);
        places.store(place, limit, subject, now);
      }
    },

    renew({ request, chargeId }) {
      const { limits, costs, subject } = request;
      const now = places.readTime(request, clock(), false);
      for (let i = 0; i < limits.length; i++) {
        const limit = limits[i]!;
        const place = places.load(limit, i, now);
        limit.algorithm.renew?.(limit, place.state, now, costs[i]!, chargeId);
        places.store(place, limit, subject, now);
      }
    },

    reset(request) {
      const now = places.readTime(request, clock(), false);
      request.limits.forEach(({ identity }, i) => {
        const { partition } = places.at(i);
        if (partition === undefined) return;
        keep(
          partition,
          partition.counters.filter(({ limit }) => !isSameCounter(limit.identity, identity)),
        );
        partition.seenAt = now;
        places.forgetIfEmpty(partition, now);
      });
    },
  };
}

/** Loads the counters of a request and returns whether all of them have room. */
function decide(places: CallPlaces, { limits, costs }: CheckedRequest, now: number): boolean {
  let admitted = true;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const cost = costs[i]!;
    const place = places.load(limit, i, now);
    const { state } = place;
    // A full bucket has no used tokens that would refill at another rate.
    const isUsed = state.used + state.debt > 0;
    place.hasMoved = limit.algorithm.adoptRate(limit, state) && cost > 0 && isUsed;
    place.hasRoom = cost === 0 || limit.algorithm.admits(limit, state, now, cost);
    if (!place.hasRoom && !limit.shadow) admitted = false;
  }
  return admitted;
}

/**
 * Applies the decision to the counters, stores them unless the call only peeks, and returns their
 * numbers afterwards.
 */
function write(
  places: CallPlaces,
  { limits, costs, subject, numberCount }: CheckedRequest,
  chargeId: string,
  now: number,
  admitted: boolean,
  isStored: boolean,
): number[] {
  const numbers = new Array<number>(numberCount);
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const cost = costs[i]!;
    const place = places.at(i);
    if (cost > 0) {
      const isCounted = admitted ? place.hasRoom : limit.countDenied && !limit.shadow;
      if (isCounted && admitted) limit.algorithm.take(limit, place.state, now, cost, chargeId);
      else if (isCounted) limit.algorithm.takeDenied(limit, place.state, now, cost, chargeId);
      // After an edit of the rate, the bucket refills at the new rate from now on, so it is stored
      // even if nothing is charged. Otherwise the wait reported below would be wrong.
      if (isStored && (isCounted || place.hasMoved)) places.store(place, limit, subject, now);
    }
    limit.algorithm.report(limit, place.state, cost, place.hasRoom, numbers, offset);
    offset += limit.algorithm.numberCount;
  }
  return numbers;
}

/** Returns the numbers of the limits before the charge. */
function reportFound(places: CallPlaces, { limits, costs, numberCount }: CheckedRequest): number[] {
  const numbers = new Array<number>(numberCount);
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const { state, hasRoom } = places.at(i);
    limits[i]!.algorithm.report(limits[i]!, state, costs[i]!, hasRoom, numbers, offset);
    offset += limits[i]!.algorithm.numberCount;
  }
  return numbers;
}
