import type { Tier } from '../../model/rule.js';
import { differencesOf } from './difference.js';

/**
 * Returns a sentence for each tier that is stored differently from the code. Tiers in code are
 * added once; afterwards the stored tier is in force. Without this report, an edit of the code
 * would have no visible effect.
 */
export function findTierDifferences(inCode: readonly Tier[], stored: readonly Tier[]): string[] {
  return inCode.flatMap(({ version: _version, ...tier }) => {
    const found = stored.find(({ name }) => name === tier.name);
    if (found === undefined) return [`tier ${JSON.stringify(tier.name)} in code is not in force: it was retired`];
    const members = Object.fromEntries(Object.keys(tier).map((name) => [name, found[name as keyof typeof tier]]));
    const different = differencesOf(members, tier);
    if (different.length === 0) return [];
    const description = different
      .map(({ path, before, after }) => `${path} is ${before} (in code: ${after})`)
      .join('; ');
    const instead = 'The stored values are in force; change them through the admin API';
    return [`tier ${JSON.stringify(tier.name)} differs from its declaration in code: ${description}. ${instead}`];
  });
}
