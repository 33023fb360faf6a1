import { callerOf } from '../../model/subject.js';
import { type LateSettlement, receiptOf } from '../charge/charge-receipt.js';
import type { ChargeRecord, CheckedRequest, EngineResult } from '../charge/checked-request.js';
import { selectCharged } from '../charge/checked-request.js';
import type { Decision } from '../charge/decision.js';
import type { RedisEngine } from '../redis/redis-engine.js';
import { endingAll } from './unsent-releases.js';

/**
 * A call that was given up, and decided in this process, until Redis says what became of it. An operation that was admitted
 * here counts in the shared counter too, whether there was room for it or not; one that was refused is refunded.
 */
export interface LateCharge extends LateSettlement {
  /** What Redis has decided in the end. */
  learned(result: EngineResult): void;
  /**
   * Redis has refused to execute the call: what was admitted here is charged anew, so that it counts there as well. Resolves
   * when that has ended, well or not.
   */
  wasNotExecuted(): Promise<void>;
  /** Nobody will ever know: the charge stands, but for slots, which end with the operation whether they were taken or not. */
  staysUnknown(): void;
}

interface LateChargeOptions {
  engine: Pick<RedisEngine, 'charge' | 'settle' | 'count'>;
  request: CheckedRequest;
  chargeId: string;
  nextChargeId: () => string;
  pool: string;
  /** What was decided here. */
  decision: Decision;
  /** A correction was not confirmed, or cannot be made. */
  onLost: (charge: ChargeRecord, actual: Readonly<Record<string, number>>) => void;
}

const UNKNOWN = { clock: 0, now: 0 };

export function createLateCharge(options: LateChargeOptions): LateCharge {
  const { engine, nextChargeId, pool, decision, onLost } = options;
  // It may be settled before Redis says what became of it.
  const request = { ...options.request, subject: callerOf(options.request.subject) };
  let { chargeId } = options;
  let charge: ChargeRecord | undefined;
  let isUnknown = false;
  /** What waits until it is known what there is to correct. */
  const corrections: (() => void)[] = [];

  function correct(actual: Readonly<Record<string, number>>, corrected = charge): void {
    if (corrected === undefined) return;
    // Lost: the estimate stands.
    if (isUnknown) onLost(corrected, actual);
    else engine.settle(corrected, actual).catch(() => onLost(corrected, actual));
  }

  function endSlots(): void {
    const slots = charge && selectCharged(charge, (i) => charge!.request.limits[i]!.hasSlots);
    if (slots) correct(endingAll(slots), slots);
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
      // Shadows are of what they would have let through.
      charge = selectCharged(whole, (i) => !isShadow(i));
      // Limits that count what is denied have counted it, where their server was the one that refused.
      const isCounted = (i: number) => request.limits[i]!.countDenied && (result.refusedAt?.[i] ?? true);
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
      // Refused again, it counts here alone, as what is decided while Redis is away.
      await engine.charge(request, chargeId, false).then(learned, staysUnknown);
    },

    settle: (actual) => whenKnown(() => correct(actual)),
    endSlots: () => whenKnown(endSlots),
  };
}
