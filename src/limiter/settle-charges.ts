import type { LimitState } from '../model/limit-parameters.js';
import { type ChargeReceipt, chargeBehind, chargedLimits, slotsOf, toSettledStates } from './charge/charge-receipt.js';
import { type ChargeReader, readActual } from './charge/create-charge-reader.js';
import type { Admission, Receipt } from './charge/decision.js';
import { exportCharge, importCharge, type PortableCharge } from './charge/portable-charge.js';
import { endingAll } from './fallback/unsent-releases.js';
import type { MemoryEngine } from './memory/memory-engine.js';
import type { RedisPools } from './redis-pools.js';

type Costs = Readonly<Record<string, number>>;

/** Returns the methods of a limiter that handle a charge after its decision. */
export function settleCharges(pools: RedisPools, memory: MemoryEngine, read: ChargeReader['read']) {
  /** Corrects a charge. Returns undefined if the correction is already complete. */
  function correct(charged: ChargeReceipt, actual: Costs): Promise<unknown> | undefined {
    const shared = pools.of(charged.pool);
    if (shared !== undefined) return shared.settle(charged, actual);
    memory.settle(charged, actual);
    return undefined;
  }

  /** Settles a charge once. Returns undefined if the settlement is already complete. */
  function settle(receipt: Receipt, actual: Costs): Promise<unknown> | undefined {
    const charged = chargeBehind(receipt);
    const costs = readActual(chargedLimits(charged), actual);
    if (charged.settled) return undefined;
    // Set before the settlement is sent, so that a charge is never settled twice. If the settlement
    // is lost, the estimated charge remains.
    charged.settled = true;
    return correct(charged, costs);
  }

  return {
    exportCharge,
    importCharge: (charge: PortableCharge): Receipt[] => importCharge(charge, read),

    async release(receipt: Receipt): Promise<void> {
      const charged = chargeBehind(receipt);
      if (charged.released) return;
      charged.released = true;
      const slots = slotsOf(charged);
      if (slots !== undefined) await correct(slots, endingAll(slots));
    },

    async settle(receipt: Receipt, actual: Costs): Promise<void> {
      const settling = settle(receipt, actual);
      if (settling !== undefined) await settling;
    },

    settleUnawaited(receipt: Receipt, actual: Costs, onError: (error: unknown) => void): void {
      try {
        settle(receipt, actual)?.catch(onError);
      } catch (error) {
        onError(error);
      }
    },

    settledStates: ({ receipt, limits }: Admission, actual: Costs): LimitState[] =>
      toSettledStates(chargeBehind(receipt), actual, limits),
  };
}
