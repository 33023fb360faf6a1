import type { Difference } from '../../rules/policy/difference.js';
import { differencesOf } from '../../rules/policy/difference.js';
import type { TierRecord } from '../../rules/store/tier-record.js';
import type { TierInCode } from '../../services/published-policy.js';

/** The tiers in the code of a server. */
export interface TiersInCode {
  /** Its name; null: it has none. */
  service: string | null;
  tiers: readonly TierInCode[];
}

/** What the code of a server says of a stored tier. */
interface TierDeclaration {
  service: string | null;
  /** From what is stored, which is in force, to what the code says. */
  differences: Difference[];
}

/** What the code of the servers says of a tier; empty where none has it. */
export function declarationsOf(stored: TierRecord, servers: readonly TiersInCode[]): TierDeclaration[] {
  return servers.flatMap(({ service, tiers }) => {
    const declared = tiers.find(({ name }) => name === stored.name);
    if (!declared) return [];
    const members = Object.fromEntries(Object.keys(declared).map((name) => [name, stored[name as keyof TierRecord]]));
    return [{ service, differences: differencesOf(members, declared) }];
  });
}
