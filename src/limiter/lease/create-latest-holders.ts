import { type ChargedCaller, type ChargeSubject, isSameCaller, sharedByAll } from '../../model/subject.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import type { Lease } from '../charge/lease.js';
import { SPACES } from '../memory/partitions.js';

/** Leases of one caller. Limits of one scope share a holder; each GLOBAL limit has its own. */
export type Holder = Lease[];

interface Latest extends ChargedCaller {
  readonly holder: Holder;
}

/**
 * Cache of the most recent caller of each space (a class of partitions, see `spaceOf`). The look-up
 * of a frequent caller then builds no key.
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
