import type { LimitState } from '../../model/limit-parameters.js';
import { monotonicClock } from '../../runtime/clock.js';
import { type ChargeRecord, type CheckedRequest, changes } from './checked-request.js';

/**
 * Time after a decision for which its limits are assumed to have room, in milliseconds. The wait of a
 * refund changes a decision of another process only if half of a limit is used up in this time.
 */
const ROOM_IS_KNOWN_MS = 50;

/**
 * Returns the time until which a refund of a charge may wait for a moment, in monotonic
 * milliseconds; 0 if it may not. It may wait if every charged limit has at least half of its amount
 * and the cost of the charge left, and has no slots. No decision then depends on the refund.
 * @param states the states of the limits after the charge
 */
export function settleLaterUntilMs({ limits, costs }: CheckedRequest, states: readonly LimitState[]): number {
  for (let i = 0; i < limits.length; i++) {
    const cost = costs[i]!;
    if (cost === 0) continue;
    const { limit, remaining } = states[i]!;
    if (limits[i]!.hasSlots || remaining < cost || remaining * 2 < limit) return 0;
  }
  return monotonicClock() + ROOM_IS_KNOWN_MS;
}

/** Returns whether the settlement to `actual` only refunds, and may wait for a moment. */
export function maySettleLater(charge: ChargeRecord, actual: Readonly<Record<string, number>>): boolean {
  const { request, settleLaterUntilMs: untilMs = 0 } = charge;
  if (untilMs === 0 || untilMs < monotonicClock()) return false;
  const { limits, costs } = request;
  for (let i = 0; i < limits.length; i++) {
    if (changes(request, i, actual) && actual[limits[i]!.id]! > costs[i]!) return false;
  }
  return true;
}
