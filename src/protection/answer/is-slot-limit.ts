import type { BoundLimit } from '../../rules/matching/ruleset.js';

/** Returns whether a limit is a concurrency limit. */
export function isSlotLimit({ parameters }: BoundLimit): boolean {
  return parameters.algorithm === 'CONCURRENCY';
}

/** Returns whether an operation that lacks a slot of the limit waits for it. */
export function mayWaitForSlot({ parameters, mode }: BoundLimit): boolean {
  return parameters.maxWaitMs !== undefined && mode === 'ENFORCE';
}

/**
 * Returns the actual costs without those of `CONCURRENCY` limits, for a charge that still holds its
 * slots.
 */
export function withoutSlots(
  actual: Readonly<Record<string, number>>,
  limits: readonly BoundLimit[],
): Readonly<Record<string, number>> {
  const others = { ...actual };
  for (const limit of limits) if (isSlotLimit(limit)) delete others[limit.id];
  return others;
}
