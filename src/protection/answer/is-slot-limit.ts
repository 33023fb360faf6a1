import type { BoundLimit } from '../../rules/matching/ruleset.js';

/** Whether a limit is on what runs at a time. */
export function isSlotLimit({ parameters }: BoundLimit): boolean {
  return parameters.algorithm === 'CONCURRENCY';
}

/** What is known of a charge while it holds its slots. */
export function withoutSlots(
  actual: Readonly<Record<string, number>>,
  limits: readonly BoundLimit[],
): Readonly<Record<string, number>> {
  const others = { ...actual };
  for (const limit of limits) if (isSlotLimit(limit)) delete others[limit.id];
  return others;
}
