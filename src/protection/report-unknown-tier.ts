import type { Subject } from '../model/subject.js';
import type { Protection } from './protection.js';

/** Reports a caller whose tier does not exist, so that another tier applies. */
export function reportUnknownTier(
  { ruleset, onUnknownTier }: Pick<Protection<never>, 'ruleset' | 'onUnknownTier'>,
  { tier: named }: Subject,
): void {
  const tier = ruleset().tier(named);
  if (named !== undefined && tier.name !== named) onUnknownTier(named, tier);
}
