import { LRUCache } from 'lru-cache';
import type { Rule } from '../model/rule.js';
import type { Queryable } from '../postgres/db.js';
import { type PolicyNotice, type PublishedPolicy, readPolicyNotices, readPublishedPolicy } from './published-policy.js';

/** The rules and tiers in the code of services that share a database, each read once for each time that it was changed. */
export interface PolicyCatalog {
  /** By the names of the services. */
  all(): Promise<KnownPolicy[]>;
  /** The rules of a service as they were found last. */
  rulesOf(service: string): readonly Rule[];
}

interface KnownPolicy extends PublishedPolicy {
  publishedAt: Date;
}

const NO_RULES: readonly Rule[] = [];

export function createPolicyCatalog(db: Queryable): PolicyCatalog {
  /** By service and hash: something else is another one. */
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
      // One after the other: at the first time alone there is more than one to read, and they may be large.
      for (const notice of notices) {
        const policy = await policyOf(notice);
        if (policy) policies.push({ ...policy, publishedAt: notice.publishedAt });
      }
      last = policies;
      return policies;
    },
  };
}
