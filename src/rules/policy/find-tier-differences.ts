import type { Tier } from '../../model/rule.js';
import { differencesOf } from './difference.js';

/**
 * Where tiers are stored otherwise than the code has them, a sentence for each: the code's are added once, and from then on what is
 * stored is in force. Someone who edits the code would wait in vain.
 */
export function findTierDifferences(inCode: readonly Tier[], stored: readonly Tier[]): string[] {
  return inCode.flatMap(({ version: _version, ...tier }) => {
    const found = stored.find(({ name }) => name === tier.name);
    if (found === undefined) return [`tier ${JSON.stringify(tier.name)} of the code was retired: it is not in force`];
    const members = Object.fromEntries(Object.keys(tier).map((name) => [name, found[name as keyof typeof tier]]));
    const different = differencesOf(members, tier);
    if (different.length === 0) return [];
    const says = different.map(({ path, before, after }) => `${path} is ${before}, in code ${after}`).join('; ');
    const instead = 'what is stored is in force, and is changed by the admin API';
    return [`tier ${JSON.stringify(tier.name)} is stored otherwise than in code: ${says}: ${instead}`];
  });
}
