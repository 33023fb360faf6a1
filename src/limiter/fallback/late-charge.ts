import { callerOf } from '../../model/subject.js';
import { type LateSettlement, receiptOf } from '../charge/charge-receipt.js';
import type { ChargeRecord, CheckedRequest, EngineResult } from '../charge/checked-request.js';
import { selectCharged } from '../charge/checked-request.js';
import type { Decision } from '../charge/decision.js';
import type { RedisEngine } from '../redis/redis-engine.js';
import { endingAll } from './unsent-releases.js';

/**
 * A call to Redis that was given up and whose operation this process decided instead. The object
 * exists until Redis reports the outcome of the call. An operation that was admitted here counts in
 * the shared counter too, even without room there. The charge of a denied operation is refunded.
 */
export interface LateCharge extends LateSettlement {
  /** Handles the final decision of Redis. */
  learned(result: EngineResult): void;
  /**
   * Handles a rejection of the call by Redis: an operation that was admitted here is charged again,
   * so that it counts in Redis as well. Resolves when that has succeeded or failed.
   */
  wasNotExecuted(): Promise<void>;
  /**
   * Handles an outcome that stays unknown. The charge is not corrected, except for slots. They are
   * released when the operation ends, whether or not Redis has charged them.
   */
  staysUnknown(): void;
}

interface LateChargeOptions {
  engine: Pick<RedisEngine, 'charge' | 'settle' | 'count' | 'renew'>;
  request: CheckedRequest;
  chargeId: string;
  nextChargeId: () => string;
  pool: string;
  /** Decision that was made in this process. */
  decision: Decision;
  /** Receives a correction that was not confirmed, or cannot be made. */
  onLost: (charge: ChargeRecord, actual: Readonly<Record<string, number>>) => void;
}

const UNKNOWN = { clock: 0, now: 0 };

export function createLateCharge(options: LateChargeOptions): LateCharge {
  const { engine, nextChargeId, pool, decision, onLost } = options;
  // The subject is copied, because the owner of the object may change it after the settlement, and
  // Redis may report the outcome later.
  const request = { ...options.request, subject: callerOf(options.request.subject) };
  let { chargeId } = options;
  let charge: ChargeRecord | undefined;
  let isUnknown = false;
  /** Corrections that wait for the outcome. */
  const corrections: (() => void)[] = [];

  function correct(actual: Readonly<Record<string, number>>, corrected = charge): void {
    if (corrected === undefined) return;
    // If the correction is lost, the estimated charge remains.
    if (isUnknown) onLost(corrected, actual);
    else engine.settle(corrected, actual).catch(() => onLost(corrected, actual));
  }

  function endSlots(): void {
    const slots = charge && selectCharged(charge, (i) => charge!.request.limits[i]!.hasSlots);
    if (slots) correct(endingAll(slots), slots);
  }

  /** Renews nothing until the call has ended, because its slots may not be taken yet. */
  async function renew(): Promise<void> {
    const slots = charge && selectCharged(charge, (i) => charge!.request.limits[i]!.hasSlots);
    if (slots !== undefined) await engine.renew(slots).catch(() => {});
  }

  function whenKnown(correction: () => void): void {
    if (charge === undefined) corrections.push(correction);
    else correction();
  }

  function learned(result: EngineResult): void {
    if (request.impossible) return;
    if (result.admitted) {
      charge = receiptOf(request, result, chargeId, pool, false);
      if (!decision.admitted) correct(endingAll({ request }));
    } else if (decision.admitted) {
      const whole: ChargeRecord = { request, chargeId, time: result, times: result.times };
      const isShadow = (i: number) => request.limits[i]!.shadow;
      // Shadow limits count only operations that they would have admitted.
      charge = selectCharged(whole, (i) => !isShadow(i));
      // Limits with `countDenied` have already counted the operation, if it was their call that was
      // denied.
      const isCounted = (i: number) => request.limits[i]!.countDenied && (result.deniedAt?.[i] ?? true);
      engine.count(selectCharged(whole, (i) => !isShadow(i) && !isCounted(i)));
    }
    for (const correction of corrections.splice(0)) correction();
  }

  function staysUnknown(): void {
    isUnknown = true;
    charge = { request, chargeId, time: UNKNOWN, times: undefined };
    if (!decision.admitted) correct(endingAll({ request }));
    for (const correction of corrections.splice(0)) correction();
  }

  return {
    learned,
    staysUnknown,

    async wasNotExecuted() {
      if (request.impossible || !decision.admitted) return;
      chargeId = nextChargeId();
      // If Redis rejects it again, the operation counts only in this process, as all operations do
      // while Redis is unavailable.
      await engine.charge(request, chargeId, false).then(learned, staysUnknown);
    },

    settle: (actual) => whenKnown(() => correct(actual)),
    endSlots: () => whenKnown(endSlots),
    renew,
  };
}
