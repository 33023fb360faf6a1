import { isSlotLimit } from './answer/is-slot-limit.js';
import type { Operation } from './operation.js';

/**
 * Returns the operation with concurrency slots that end after `withinMs` at the latest, and without a
 * wait for a slot. The slots end by themselves, so no process has to remember their release. The
 * server that requested the decision cannot wait.
 */
export function withShortSlots(operation: Operation, withinMs: number): Operation {
  const { bound } = operation;
  if (!bound.limits.some(isSlotLimit)) return operation;
  const charges = bound.charges.map((charge) => {
    if (charge.leaseMs === undefined) return charge;
    // `entries` omits the compiled limit, whose key is a symbol. The compiled limit still contains
    // `leaseMs` of the rule.
    const {
      maxWaitMs: _wait,
      maxQueue: _queue,
      ...kept
    } = Object.fromEntries(Object.entries(charge)) as unknown as typeof charge;
    return { ...kept, leaseMs: Math.min(charge.leaseMs, withinMs) };
  });
  return { ...operation, charges, bound: { ...bound, charges } };
}
