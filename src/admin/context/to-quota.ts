import { errorOf } from '../../model/errors.js';
import type { Scope, Subject } from '../../model/subject.js';
import type { KnownSubject } from '../../rules/store/create-subject-store.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import { badQuery } from '../schema/to-client-error.js';
import type { QuotaType, SubjectInput } from '../types/quota-type.js';
import type { AdminLoaders } from './admin-loaders.js';
import { presentTier } from './present-change.js';

/** The state of one limit of a subject, and where the limit comes from. */
interface SubjectLimit {
  rule: string;
  /** Whose Redis holds the counter. */
  pool: string;
  scope: Scope;
  field: string;
  limit: number;
  used: number;
  remaining: number;
  /** Milliseconds since 1970. */
  resetAtMs: number;
  retryAfterMs: number;
}

/** Looks at the limits that apply to a subject on its tier, without charging them. */
export type QuotaOf = (subject: Subject) => Promise<readonly SubjectLimit[]>;

/** Null, empty and left out are the same: not said. */
export function toSubject(input: SubjectInput): Subject {
  const subject: Subject = Object.fromEntries(Object.entries(input).filter(([, value]) => value));
  if (Object.keys(subject).length > 0) return subject;
  throw badQuery('subject: expected a user, a tenant, an API key or an address');
}

/** What is stored about a subject, or about the holder of its API key; null for a key that is not good. */
export async function callerOf(
  subject: Subject,
  store: Pick<RulesStore, 'findSubjectByApiKeyPrefix'>,
  loaders: Pick<AdminLoaders, 'known'>,
): Promise<KnownSubject | null> {
  const { apiKey, ...rest } = subject;
  if (!apiKey) return loaders.known.load(subject);
  if (rest.user || rest.tenant) throw badQuery('subject: an API key stands for its user and tenant, leave them out');
  const holder = await store.findSubjectByApiKeyPrefix(apiKey);
  return holder && { ...holder, subject: { ...rest, ...holder.subject } };
}

/** The subject as the limiter's side takes it: on its tier, with the bucket it has in place of the tier's. */
export function limitedSubject({ subject, override }: KnownSubject): Subject {
  if (!override) return subject;
  const { capacity, refillAmount, refillPeriodMs } = override;
  return { ...subject, bucket: { capacity, refillAmount, refillPeriodMs } };
}

export async function toQuota(
  known: KnownSubject,
  { loaders, quotaOf }: { loaders: Pick<AdminLoaders, 'tiersInUse'>; quotaOf: QuotaOf },
): Promise<QuotaType> {
  const tiers = await loaders.tiersInUse();
  const { subject, disabled } = known;
  const tier = tiers.find(({ name, isDefault }) => (subject.tier ? name === subject.tier : isDefault));
  if (!tier) {
    throw errorOf('UNAVAILABLE', 'No tier is the default: create one');
  }
  const limits = await quotaOf({ ...limitedSubject(known), tier: tier.name });
  const shown = limits.map((one) => ({ ...one, resetAt: new Date(one.resetAtMs) }));
  return { tier: presentTier(tier), disabled, limits: shown, limitCount: shown.length };
}
