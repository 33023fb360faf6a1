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
}

export interface LateChargeOptions {
  engine: RedisEngine;
  request: CheckedRequest;
  chargeId: string;
  pool: string;
  /** What was decided here. */
  decision: Decision;
}

export function createLateCharge({ engine, request, chargeId, pool, decision }: LateChargeOptions): LateCharge {
  let charge: ChargeRecord | undefined;
  const settlements: Readonly<Record<string, number>>[] = [];

  // Lost: the estimate stands.
  const correct = (actual: Readonly<Record<string, number>>) => {
    if (charge !== undefined) engine.settle(charge, actual).catch(() => {});
  };

  return {
    learned(result) {
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
    },

    settle(actual) {
      if (charge === undefined) settlements.push(actual);
      else correct(actual);
    },
  };
}
