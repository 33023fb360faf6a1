import type { LimitState } from '../../model/limit-parameters.js';
import type { EngineTime, Limit } from '../algorithms/limit-algorithm.js';
import type { CheckedRequest, EngineResult } from './checked-request.js';

/** Returns the states of all limits of a charge, in the requested order. */
export function toLimitStates({ limits, costs }: CheckedRequest, result: EngineResult): LimitState[] {
  if (result.states !== undefined) return result.states;
  const states: LimitState[] = new Array(limits.length);
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    states[i] = toLimitState(limit, costs[i]!, result.times?.[i] ?? result, result.numbers, offset);
    offset += limit.algorithm.numberCount;
  }
  return states;
}

/** Returns the state of the limit whose numbers start at `offset` in `numbers`. */
export function toLimitState(
  limit: Limit,
  cost: number,
  time: EngineTime,
  numbers: readonly number[],
  offset: number,
): LimitState {
  return limit.algorithm.state(limit, cost, time, numbers, offset);
}
