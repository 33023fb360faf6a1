import { z } from 'zod';
import { ownScopes, type Subject } from '../../model/subject.js';
import { differencesOf } from '../../rules/policy/difference.js';
import { text } from '../../rules/policy/validators.js';
import {
  changeOptions,
  done,
  type Outcome,
  rejected,
  toUserErrors,
  type UserError,
} from '../../rules/store/outcome.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import { subjectKeyFields } from '../../rules/store/subject-key.js';
import { countersUnavailable } from '../schema/to-client-error.js';
import type { LimitQuotaType, QuotaType, SubjectResetQuotaInput } from '../types/quota-type.js';
import type { AdminContext } from './admin-context.js';
import { callerOf, limitedSubject, type QuotaOf, toQuota } from './to-quota.js';

/**
 * Resets the counters that belong to this subject alone, of all limits that can apply to it.
 * Resolves to false if Redis did not confirm the reset.
 */
export type ResetQuota = (subject: Subject) => Promise<boolean>;

interface QuotaResetSources {
  store: RulesStore;
  quotaOf: QuotaOf;
  resetQuota: ResetQuota;
}

const inputSchema = z.strictObject({
  ...subjectKeyFields,
  apiKey: text(1, 100).optional(),
  ip: text(1, 100).optional(),
  ...changeOptions,
});

/**
 * Creates the function that resets quotas and records who did it. The counters are reset inside the
 * transaction that records the actor. Neither happens without the other, unless the process ends
 * between the two.
 */
export function createQuotaReset({ store, quotaOf, resetQuota }: QuotaResetSources) {
  return async (input: SubjectResetQuotaInput, { actor, loaders }: AdminContext): Promise<Outcome<QuotaType>> => {
    const { comment, dryRun, ...names } = input;
    const named = Object.fromEntries(Object.entries(names).filter(([, value]) => (value ?? null) !== null)) as Subject;
    const errors = check({ ...named, comment, dryRun });
    if (errors.length > 0) return rejected(errors);
    const known = await callerOf(named, store, loaders);
    if (!known) return rejected([unknownKey()]);

    const quota = () => toQuota(known, { loaders, quotaOf });
    const before = await quota();
    const own = ownScopes(known.subject);
    const full = {
      ...before,
      limits: before.limits.map((limit) => (own.includes(limit.scope) ? emptied(limit) : limit)),
    };
    const effects = {
      differences: differencesOf(shown(before), shown(full)),
      warnings: full.limits.filter(({ remaining }) => remaining <= 0).map(isShared),
    };
    if (dryRun) return done(full, effects);
    const subject = { ...limitedSubject(known), tier: before.tier.name };
    await store.recordCallerAction(
      {
        action: 'RESET_QUOTA',
        key: named,
        data: { counted: subject },
        comment,
        before: { ...named, ...shown(before) },
        after: { ...named, ...shown(full) },
      },
      actor,
      async () => {
        if (!(await resetQuota(subject))) throw countersUnavailable();
      },
    );
    return done(await quota(), effects);
  };
}

function check(input: Subject & { comment?: string | null | undefined; dryRun?: boolean }): UserError[] {
  const { error } = inputSchema.safeParse(input);
  if (error) return toUserErrors(error);
  const { user, tenant, apiKey, ip } = input;
  if (apiKey !== undefined && (user !== undefined || tenant !== undefined)) {
    const message = 'an API key implies its user and tenant, so omit them';
    return [{ code: 'INVALID', field: ['apiKey'], message }];
  }
  if (user !== undefined || tenant !== undefined || apiKey !== undefined || ip !== undefined) return [];
  return [{ code: 'INVALID', field: [], message: 'expected a user, a tenant, an API key or an address' }];
}

function unknownKey(): UserError {
  return { code: 'NOT_FOUND', field: ['apiKey'], message: 'this API key is unknown, revoked or expired' };
}

function emptied(limit: LimitQuotaType): LimitQuotaType {
  return { ...limit, used: 0, remaining: limit.limit, retryAfterMs: 0 };
}

/**
 * Returns the part of a quota for the record of changes. Times are omitted, because they would be
 * outdated when the record is read.
 */
function shown({ limits }: Pick<QuotaType, 'limits'>) {
  return { limits: limits.map(({ rule, scope, field, limit, used }) => ({ rule, scope, field, limit, used })) };
}

function isShared({ rule, scope }: LimitQuotaType): string {
  return `${rule} stays used up, because other callers share its counter (${scope})`;
}
