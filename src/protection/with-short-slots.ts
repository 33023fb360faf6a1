import { isSlotLimit } from './answer/is-slot-limit.js';
import type { Operation } from './operation.js';

/**
 * Returns the operation with concurrency slots that end after `withinMs`, unless they end earlier,
 * and without a wait for a slot. The slots end without a release, so no process has to remember
 * them. A router cannot wait.
 */
export function withShortSlots(operation: Operation, withinMs: number): Operation {
  const { bound } = operation;
  if (!bound.limits.some(isSlotLimit)) return operation;
  const charges = bound.charges.map((charge) => {
    if (charge.leaseMs === undefined) return charge;
    // `entries` omits the compiled limit, which is a symbol: its lease is the one of the rule.
    const {
      maxWaitMs: _wait,
      maxQueue: _queue,
      ...kept
    } = Object.fromEntries(Object.entries(charge)) as unknown as typeof charge;
    return { ...kept, leaseMs: Math.min(charge.leaseMs, withinMs) };
  });
  return { ...operation, charges, bound: { ...bound, charges } };
}
