import type { DecisionRecord } from '../model/decision-record.js';
import { findExceededCeiling } from './ceilings.js';
import type { PricedOperation } from './price-operation.js';
import type { Protection } from './protection.js';
import { shadowDenials } from './usage-of-operation.js';

/** What a decision is made by, whatever the context of its server is. */
export type DecidingProtection = Omit<Protection<never>, 'identify' | 'abortSignal' | 'batchPlace'>;

/**
 * Tells those who want to know that an operation was admitted or denied.
 * @param deniedBy the limit that did it
 */
export function recordDecision(
  { mode, minimumCost, operations }: DecidingProtection,
  priced: PricedOperation,
  denial: DecisionRecord['denial'],
  deniedBy: string | undefined,
): void {
  const fullCost = denial ? 0 : priced.requestedCost;
  priced.record = {
    subject: priced.subject,
    tier: priced.tier.name,
    operationType: priced.operationType,
    operationName: priced.operationName,
    requestedCost: priced.requestedCost,
    chargedCost: priced.validateOnly ? Math.min(minimumCost, fullCost) : fullCost,
    denial,
    deniedBy,
    shadowDeniedBy: denial ? [] : shadowDenialsOf(priced, mode),
    degraded: priced.decision?.degraded ?? false,
    durationMs: performance.now() - priced.startedMs,
    mode,
  };
  operations.onDecision(priced.record);
}

/** In `mode: 'SHADOW'` the ceiling of the tier is in shadow too. */
function shadowDenialsOf(
  { bound, states, tier, requested, validateOnly }: PricedOperation,
  mode: DecidingProtection['mode'],
): readonly string[] {
  const denials = shadowDenials(bound.limits, states);
  if (mode !== 'SHADOW' || validateOnly || !findExceededCeiling(tier, requested)) return denials;
  const ofTier = `tier:${tier.name}`;
  return denials.includes(ofTier) ? denials : [ofTier, ...denials];
}
