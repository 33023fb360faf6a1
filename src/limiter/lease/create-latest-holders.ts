import { type ChargedCaller, type ChargeSubject, isSameCaller, sharedByAll } from '../../model/subject.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import type { Lease } from '../charge/lease.js';
import { SPACES } from '../memory/partitions.js';

export type Holder = Lease[];

interface Latest extends ChargedCaller {
  readonly holder: Holder;
}

/** Who came last, by space: a caller at full rate is found without a name being made for them. */
interface LatestHolders {
  /** Their holder if they came last; undefined: somebody else did. */
  of(space: number, subject: ChargeSubject, limit: Limit): Holder | undefined;
  remember(space: number, subject: ChargeSubject, holder: Holder): void;
  /** Forgets all of them. */
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
