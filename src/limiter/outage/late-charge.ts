import type { ChargeRecord, CheckedRequest, EngineResult } from '../charge-request.js';
import { select } from '../charge-request.js';
import type { Decision } from '../decision.js';
import { type LateSettlement, receiptOf } from '../receipt.js';
import type { RedisEngine } from '../redis/redis-engine.js';

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
}

export interface LateChargeOptions {
  engine: RedisEngine;
  request: CheckedRequest;
  chargeId: string;
  nextChargeId: () => string;
  pool: string;
  /** What was decided here. */
  decision: Decision;
}

export function createLateCharge(options: LateChargeOptions): LateCharge {
  const { engine, request, nextChargeId, pool, decision } = options;
  let { chargeId } = options;
  let charge: ChargeRecord | undefined;
  const settlements: Readonly<Record<string, number>>[] = [];

  // Lost: the estimate stands.
  const correct = (actual: Readonly<Record<string, number>>) => {
    if (charge !== undefined) engine.settle(charge, actual).catch(() => {});
  };

  function learned(result: EngineResult): void {
    if (request.impossible) return;
    if (result.admitted) {
      charge = receiptOf(request, result, chargeId, pool, false);
      if (!decision.admitted) correct(Object.fromEntries(request.limits.map(({ id }) => [id, 0])));
    } else if (decision.admitted) {
      // Shadows are of what they would have let through.
      const counts = (i: number) => !request.limits[i]!.shadow;
      const times = result.times?.filter((_, i) => counts(i));
      charge = { request: select(request, counts), chargeId, time: result, times };
      engine.count(charge);
    }
    for (const actual of settlements.splice(0)) correct(actual);
  }

  return {
    learned,

    async wasNotExecuted() {
      if (request.impossible || !decision.admitted) return;
      chargeId = nextChargeId();
      // Refused again, it counts here alone, as what is decided while Redis is away.
      await engine.charge(request, chargeId, false).then(learned, () => {});
    },

    settle(actual) {
      if (charge === undefined) settlements.push(actual);
      else correct(actual);
    },
  };
}
