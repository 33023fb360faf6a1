import type { CheckedRequest, EngineResult, OnDecided, OnFailed } from '../charge/checked-request.js';
import type { Watch } from './deadlines.js';
import { SCRIPTS } from './scripts.js';
import { type ChargeQueueOptions, WaitingCharges } from './waiting-charges.js';

/**
 * Queue of charges for Redis. Charges for the same place that are made at the same time share one
 * call. On a Cluster, a place is the node that stores the keys, or a hash slot while calls are sent
 * slot by slot. Otherwise there is only one place.
 */
export interface ChargeQueue {
  charge(request: CheckedRequest, chargeId: string, pendingMs: number, watch?: Watch): Promise<EngineResult>;
  /**
   * Works like `charge`, but calls one of the two callbacks instead of returning a promise, because
   * a second promise would slow every decision.
   */
  decide(request: CheckedRequest, chargeId: string, watch: Watch, decided: OnDecided, failed: OnFailed): void;
  peek(request: CheckedRequest, chargeId: string, watch?: Watch): Promise<EngineResult>;
}

export function createChargeQueue(options: ChargeQueueOptions): ChargeQueue {
  const charges = new WaitingCharges(SCRIPTS.charge, options, flushSoon);
  const peeks = new WaitingCharges(SCRIPTS.peek, options, flushSoon);
  let flushing = false;

  function flushSoon(): void {
    if (flushing) return;
    flushing = true;
    setImmediate(flush);
  }

  function flush(): void {
    flushing = false;
    charges.sendAll();
    peeks.sendAll();
  }

  return {
    charge: (request, chargeId, pendingMs, watch) =>
      new Promise((resolve, reject) => charges.add(request, chargeId, pendingMs, watch, resolve, reject)),
    decide: (request, chargeId, watch, decided, failed) => charges.add(request, chargeId, 0, watch, decided, failed),
    peek: (request, chargeId, watch) =>
      new Promise((resolve, reject) => peeks.add(request, chargeId, 0, watch, resolve, reject)),
  };
}
