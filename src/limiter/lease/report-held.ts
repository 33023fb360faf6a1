import type { LimitState } from '../../model/limit-parameters.js';
import type { EngineTime } from '../algorithms/limit-algorithm.js';
import type { CheckedRequest, EngineResult } from '../charge/checked-request.js';
import { type Lease, readHeld } from '../charge/lease.js';
import { toLimitState } from '../charge/to-limit-states.js';

/** Reused by every call: the numbers of one limit. */
const numbersOfOne: number[] = [];

/**
 * What this process knows of limits whose charge was just paid from leases: as Redis last reported them, with what is left here
 * returned. What others have taken or returned since is not in it, nor what was refilled.
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
    // A refund goes to the window in which the tokens were taken.
    times[i] = costs[i]! > 0 ? lease.takenTime : lease.knownTime;
  }
  const { clock, now } = times[0]!;
  return { result: { admitted: true, clock, now, numbers, times, states }, states };
}

/** The same of one limit; leaves the numbers that it was worked out from in `numbersOfOne`. */
export function stateHeld({ limit, numbers, left, knownTime }: Lease, cost: number): LimitState {
  readHeld(limit, numbers!, left, numbersOfOne);
  return toLimitState(limit, cost, knownTime, numbersOfOne, 0);
}
