import { type ChargedCaller, type ChargeSubject, isSameCaller, sharedByAll } from '../../model/subject.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import type { Lease } from '../charge/lease.js';
import { SPACES } from '../memory/partitions.js';

export type Holder = Lease[];

interface Latest extends ChargedCaller {
  readonly holder: Holder;
}

/**
 * Cache of the most recent caller of each space, so that the look-up of a frequent caller builds no
 * key.
 */
interface LatestHolders {
  /**
   * Returns the holder of the caller if the previous request in the space was theirs; otherwise
   * undefined.
   */
  of(space: number, subject: ChargeSubject, limit: Limit): Holder | undefined;
  remember(space: number, subject: ChargeSubject, holder: Holder): void;
  /** Forgets all callers. */
  forget(): void;
}

export function createLatestHolders(): LatestHolders {
  const latest = new Array<Latest | undefined>(SPACES).fill(undefined);

  return {
    of(space, subject, limit) {
      const before = latest[space];
      return before !== undefined && !sharedByAll(limit.scope) && isSameCaller(before, subject)
        ? before.holder
        : undefined;
    },
    remember(space, { user, tenant, apiKey, ip }, holder) {
      latest[space] = { user, tenant, apiKey, ip, holder };
    },
    forget() {
      latest.fill(undefined);
    },
  };
}
