import { isSlotLimit } from './answer/is-slot-limit.js';
import type { Operation } from './operation.js';

/**
 * Returns the operation with concurrency slots that end after `withinMs`, unless they end earlier.
 * The slots end without a release, so no process has to remember them.
 */
export function withShortSlots(operation: Operation, withinMs: number): Operation {
  const { bound } = operation;
  if (!bound.limits.some(isSlotLimit)) return operation;
  const charges = bound.charges.map((charge) => {
    if (charge.leaseMs === undefined || charge.leaseMs <= withinMs) return charge;
    // `entries` omits the compiled limit, which is a symbol: its lease is the one of the rule.
    return { ...(Object.fromEntries(Object.entries(charge)) as unknown as typeof charge), leaseMs: withinMs };
  });
  return { ...operation, charges, bound: { ...bound, charges } };
}
