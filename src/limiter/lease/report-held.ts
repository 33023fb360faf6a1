import type { LimitState } from '../../model/limit-parameters.js';
import type { EngineTime } from '../algorithms/limit-algorithm.js';
import type { CheckedRequest, EngineResult } from '../charge/checked-request.js';
import { type Lease, readHeld } from '../charge/lease.js';
import { toLimitState } from '../charge/to-limit-states.js';

/** Numbers of one limit. Every call reuses the array. */
const numbersOfOne: number[] = [];

/**
 * Returns the state of limits that were just charged from leases: the state that Redis last
 * reported, as if this instance had returned its remaining tokens. The state includes neither later
 * refills nor later charges and refunds by other instances.
 */
export function reportHeld(
  { limits, costs, numberCount }: CheckedRequest,
  leases: readonly Lease[],
): { result: EngineResult; states: LimitState[] } {
  const numbers = new Array<number>(numberCount);
  const times = new Array<EngineTime>(limits.length);
  const states = new Array<LimitState>(limits.length);
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const lease = leases[i]!;
    const count = limit.algorithm.numberCount;
    states[i] = stateHeld(lease, costs[i]!);
    for (let j = 0; j < count; j++) numbers[offset + j] = numbersOfOne[j]!;
    offset += count;
    // A refund counts in the window in which the tokens were taken.
    times[i] = costs[i]! > 0 ? lease.takenTime : lease.knownTime;
  }
  const { clock, now } = times[0]!;
  return { result: { admitted: true, clock, now, numbers, times, states }, states };
}

/** Returns the state of one limit like `reportHeld`, and stores its numbers in `numbersOfOne`. */
export function stateHeld({ limit, numbers, left, knownTime }: Lease, cost: number): LimitState {
  readHeld(limit, numbers!, left, numbersOfOne);
  return toLimitState(limit, cost, knownTime, numbersOfOne, 0);
}
