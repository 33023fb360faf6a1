import { errorOf } from '../../model/errors.js';
import type { Scope, Subject } from '../../model/subject.js';
import type { QuotaPeriod } from '../../protection/create-quota.js';
import type { KnownSubject } from '../../rules/store/create-subject-store.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import { badQuery } from '../schema/to-client-error.js';
import type { QuotaType, SubjectInput } from '../types/quota-type.js';
import type { AdminLoaders } from './admin-loaders.js';
import { presentTier } from './present-change.js';

/** The state of one limit of a subject, and the rule that defines the limit. */
interface SubjectLimit {
  rule: string;
  /** Name of the pool whose Redis holds the counter. */
  pool: string;
  scope: Scope;
  field: string;
  limit: number;
  /** @default limit */
  wholeLimit?: number;
  /** Region whose part `limit` is. @default the limit is not split */
  region?: string | undefined;
  used: number;
  remaining: number;
  /** Milliseconds since 1970. */
  resetAtMs: number;
  retryAfterMs: number;
  /** Current period of a calendar window, which ends at `resetAtMs`. */
  period?: QuotaPeriod | undefined;
}

/** Reads the limits that apply to a subject with its tier, without charging them. */
export type QuotaOf = (subject: Subject) => Promise<readonly SubjectLimit[]>;

/** Converts the input to a subject. Null, empty and missing values all count as missing. */
export function toSubject(input: SubjectInput): Subject {
  const subject: Subject = Object.fromEntries(Object.entries(input).filter(([, value]) => value));
  if (Object.keys(subject).length > 0) return subject;
  throw badQuery('subject: expected a user, a tenant, an API key or an address');
}

/**
 * Returns the stored data of a subject, or of the holder of its API key. Returns null if the key is
 * not valid.
 */
export async function callerOf(
  subject: Subject,
  store: Pick<RulesStore, 'findSubjectByApiKeyPrefix'>,
  loaders: Pick<AdminLoaders, 'known'>,
): Promise<KnownSubject | null> {
  const { apiKey, ...rest } = subject;
  if (!apiKey) return loaders.known.load(subject);
  if (rest.user || rest.tenant) throw badQuery('subject: an API key implies its user and tenant, so omit them');
  const holder = await store.findSubjectByApiKeyPrefix(apiKey);
  return holder && { ...holder, subject: { ...rest, ...holder.subject } };
}

/**
 * Returns the subject as the limiter expects it: with its own bucket, if any, instead of the tier's
 * bucket.
 */
export function limitedSubject({ subject, override }: KnownSubject): Subject {
  if (!override) return subject;
  const { capacity, refillAmount, refillPeriodMs } = override;
  return { ...subject, bucket: { capacity, refillAmount, refillPeriodMs } };
}

/**
 * Returns the tier of a subject, and the state of each limit that may apply to its operations.
 * @throws GraphQLError UNAVAILABLE if the subject has no tier and there is no default tier
 */
export async function toQuota(
  known: KnownSubject,
  { loaders, quotaOf }: { loaders: Pick<AdminLoaders, 'tiersInUse'>; quotaOf: QuotaOf },
): Promise<QuotaType> {
  const tiers = await loaders.tiersInUse();
  const { subject, disabled } = known;
  const tier = tiers.find(({ name, isDefault }) => (subject.tier ? name === subject.tier : isDefault));
  if (!tier) {
    throw errorOf('UNAVAILABLE', 'There is no default tier: create one');
  }
  const limits = await quotaOf({ ...limitedSubject(known), tier: tier.name });
  const shown = limits.map(({ period, ...one }) => ({
    ...one,
    wholeLimit: one.wholeLimit ?? one.limit,
    region: one.region ?? null,
    resetAt: new Date(one.resetAtMs),
    period: period ? { ...period, startsAt: new Date(one.resetAtMs - period.lengthMs) } : null,
  }));
  return { tier: presentTier(tier), disabled, limits: shown, limitCount: shown.length };
}
