import { LRUCache } from 'lru-cache';
import type { Rule } from '../model/rule.js';
import type { Queryable } from '../postgres/db.js';
import { type PolicyNotice, type PublishedPolicy, readPolicyNotices, readPublishedPolicy } from './published-policy.js';

/**
 * The rules and tiers in the code of services that share a database. Each policy is read once per
 * change.
 */
export interface PolicyCatalog {
  /** Returns the policies, ordered by the names of the services. */
  all(): Promise<KnownPolicy[]>;
  /** Returns the rules of a service as of the last call of `all`. */
  rulesOf(service: string): readonly Rule[];
}

interface KnownPolicy extends PublishedPolicy {
  publishedAt: Date;
}

const NO_RULES: readonly Rule[] = [];

export function createPolicyCatalog(db: Queryable): PolicyCatalog {
  /** Policies by service and hash. A changed policy has another hash. */
  const read = new LRUCache<string, PublishedPolicy>({ max: 100 });

  async function policyOf({ service, hash }: PolicyNotice): Promise<PublishedPolicy | null> {
    const known = read.get(`${service} ${hash}`);
    if (known) return known;
    const policy = await readPublishedPolicy(db, service);
    if (policy) read.set(`${service} ${policy.hash}`, policy);
    return policy;
  }

  let last: readonly KnownPolicy[] = [];

  return {
    rulesOf: (service) => last.find((one) => one.service === service)?.rules ?? NO_RULES,
    async all() {
      const notices = await readPolicyNotices(db);
      const policies: KnownPolicy[] = [];
      // The policies are read one after the other, because they may be large. After the first call,
      // only changed policies are read.
      for (const notice of notices) {
        const policy = await policyOf(notice);
        if (policy) policies.push({ ...policy, publishedAt: notice.publishedAt });
      }
      last = policies;
      return policies;
    },
  };
}
