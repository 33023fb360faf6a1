import type { Difference } from '../../rules/policy/difference.js';
import { differencesOf } from '../../rules/policy/difference.js';
import type { TierRecord } from '../../rules/store/tier-record.js';
import type { TierInCode } from '../../services/published-policy.js';

/** The tiers in the code of a server. */
export interface TiersInCode {
  /** Name of the service. Null if it has no name. */
  service: string | null;
  tiers: readonly TierInCode[];
}

/** The declaration of a stored tier in the code of a server. */
interface TierDeclaration {
  service: string | null;
  /** Differences from the stored tier, which is in force, to the declaration. */
  differences: Difference[];
}

/** Returns the declarations of a tier in the code of all servers. Empty if none declares it. */
export function declarationsOf(stored: TierRecord, servers: readonly TiersInCode[]): TierDeclaration[] {
  return servers.flatMap(({ service, tiers }) => {
    const declared = tiers.find(({ name }) => name === stored.name);
    if (!declared) return [];
    const members = Object.fromEntries(Object.keys(declared).map((name) => [name, stored[name as keyof TierRecord]]));
    return [{ service, differences: differencesOf(members, declared) }];
  });
}
