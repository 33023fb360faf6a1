import { receiptOf } from './charge/charge-receipt.js';
import type { CheckedRequest } from './charge/checked-request.js';
import { type Decision, type PeekedStates, toDecision, toPeekedStates } from './charge/decision.js';
import { DEFAULT_POOL } from './charge/is-pool-name.js';
import type { MemoryEngine } from './memory/memory-engine.js';
import { limitToWaitFor } from './queue/may-wait.js';
import type { RedisPools } from './redis-pools.js';

interface PlainChargeParts {
  pools: RedisPools;
  memory: MemoryEngine;
  nextChargeId: () => string;
}

/** Creates functions that charge and peek in Redis or in memory, without a wait for slots. */
export function createPlainCharges({ pools, memory, nextChargeId }: PlainChargeParts) {
  function chargeLocally(request: CheckedRequest): Decision {
    // Only entries of lists need a distinct charge id.
    const chargeId = request.hasLists ? nextChargeId() : '';
    const result = memory.charge(request, chargeId, request.impossible);
    return toDecision(request, result, false, receiptOf(request, result, chargeId, DEFAULT_POOL, true));
  }

  function peekLocally(request: CheckedRequest): PeekedStates {
    return toPeekedStates(request, memory.charge(request, nextChargeId(), true), false);
  }

  return {
    charge(request: CheckedRequest, pool: string | undefined): Promise<Decision> {
      const shared = pools.of(pool);
      return shared === undefined ? Promise.resolve(chargeLocally(request)) : shared.charge(request);
    },

    async peek(request: CheckedRequest, pool: string | undefined): Promise<PeekedStates> {
      return pools.of(pool)?.peek(request) ?? peekLocally(request);
    },

    /** Returns whether a charge is known to be denied, and would not wait for a slot. */
    denies(request: CheckedRequest, pool: string | undefined): boolean {
      const shared = pools.of(pool);
      if (shared !== undefined) return shared.denies(request);
      const { decision } = peekLocally(request);
      return !decision.admitted && limitToWaitFor(request, decision) === undefined;
    },
  };
}
