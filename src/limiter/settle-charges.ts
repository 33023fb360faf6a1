import type { LimitState } from '../model/limit-parameters.js';
import { type ChargeReceipt, chargeBehind, chargedLimits, slotsOf, toSettledStates } from './charge/charge-receipt.js';
import { selectCharged } from './charge/checked-request.js';
import { type ChargeReader, readActual } from './charge/create-charge-reader.js';
import type { Admission, Receipt } from './charge/decision.js';
import { exportCharge, importCharge, type PortableCharge } from './charge/portable-charge.js';
import { endingAll } from './fallback/unsent-releases.js';
import type { MemoryEngine } from './memory/memory-engine.js';
import type { SlotQueues } from './queue/slot-queues.js';
import type { RedisPools } from './redis-pools.js';

type Costs = Readonly<Record<string, number>>;

interface SettlingParts {
  pools: RedisPools;
  memory: MemoryEngine;
  queues: Pick<SlotQueues, 'freed' | 'isIdle'>;
  read: ChargeReader['read'];
}

/** Returns the methods of a limiter that handle a charge after its decision. */
export function settleCharges({ pools, memory, queues, read }: SettlingParts) {
  /** Corrects a charge, and notifies the operations that wait for its slots. */
  function correctAndFree(charged: ChargeReceipt, actual: Costs): Promise<unknown> | undefined {
    const correcting = correct(charged, actual);
    if (queues.isIdle) return correcting;
    const slots = charged.unleased?.receipt.request ?? charged.request;
    if (!slots.hasLists) return correcting;
    const freed = () => queues.freed(slots, charged.pool, (id) => actual[id] !== undefined);
    if (correcting === undefined) freed();
    return correcting?.then(freed);
  }

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
    if (holdsSlots(charged)) charged.settledTo = costs;
    return correctAndFree(charged, costs);
  }

  return {
    exportCharge,
    importCharge: (charge: PortableCharge): Receipt[] => importCharge(charge, read),

    async release(receipt: Receipt): Promise<void> {
      const charged = chargeBehind(receipt);
      if (charged.released) return;
      charged.released = true;
      const slots = slotsOf(charged);
      if (slots !== undefined) await correctAndFree(slots, endingAll(slots));
    },

    async renew(receipt: Receipt): Promise<void> {
      const charged = chargeBehind(receipt);
      if (charged.released || !holdsSlots(charged)) return;
      const { settledTo = {} } = charged;
      const owner = charged.unleased?.receipt ?? charged;
      const { limits } = owner.request;
      const slots = selectCharged(owner, (i) => limits[i]!.hasSlots && settledTo[limits[i]!.id] === undefined);
      if (slots.request.limits.length === 0) return;
      const shared = pools.of(charged.pool);
      if (shared === undefined) memory.renew(slots);
      else await shared.renew(owner, slots);
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

function holdsSlots(charged: ChargeReceipt): boolean {
  return (charged.unleased?.receipt ?? charged).request.hasLists;
}
