import type { Db } from '../store/db.js';
import type { Actor, ChangeLog } from './store-changes.js';
import { type Outcome, refused, type UserError } from './store-outcome.js';
import { checkSubjectUpsert, isSubjectKey, type SubjectKey, type SubjectUpsert } from './store-subject-input.js';
import { insertSubject, readSubject, type SubjectRecord, saveSubjectTier } from './store-subject-rows.js';
import { readTier } from './store-tier-rows.js';
import type { Subject } from './types.js';

/** A subject with what is stored about it and its tenant. */
export interface KnownSubject {
  /** Its `tier` is the one assigned to it, else to its tenant; absent: the default tier. */
  subject: Subject;
  /** It, or its tenant, must not use the API. */
  disabled: boolean;
}

export function createSubjectStore(db: Db, changes: ChangeLog) {
  return {
    /** What is stored about exactly this user of this tenant, or about this tenant as a whole. */
    async getSubject(key: SubjectKey): Promise<SubjectRecord | null> {
      return isSubjectKey(key) ? readSubject(db, key) : null;
    },

    /**
     * The subject with the tier that is stored for it: its own, else its tenant's. Users and tenants that are not stored
     * are fine, they have the default tier.
     */
    async resolveSubject(subject: Subject): Promise<KnownSubject> {
      if (!isSubjectKey(subject)) return { subject, disabled: false };
      const user = subject.user ?? '';
      const rows = await db.query<{ user_id: string; tier: string | null; disabled: boolean }>(
        `select user_id, tier, disabled_at is not null as disabled from subjects
         where tenant_id = $1 and user_id in ($2, '')`,
        [subject.tenant ?? '', user],
      );
      const tierOf = (id: string) => rows.find(({ user_id }) => user_id === id)?.tier;
      const tier = tierOf(user) ?? tierOf('');
      return { subject: tier ? { ...subject, tier } : subject, disabled: rows.some(({ disabled }) => disabled) };
    },

    /** Stores a user or a tenant, or assigns another tier to the one that is stored. */
    async upsertSubject(input: SubjectUpsert, actor: Actor): Promise<Outcome<SubjectRecord>> {
      const errors = checkSubjectUpsert(input);
      if (errors.length > 0) return refused(errors);
      return changes.write({ actor, comment: input.comment }, async (tx, record) => {
        const before = await readSubject(tx, input);
        const { expectedVersion } = input;
        if (expectedVersion !== undefined && expectedVersion !== before?.version) {
          return refused([stale(before, expectedVersion)], before);
        }
        const tier = input.tier === undefined ? (before?.tier ?? null) : input.tier;
        if (tier !== null && !(await readTier(tx, tier))) return refused([unknownTier(tier)], before);
        if (before && before.tier === tier) return { ok: true, value: before };
        if (input.dryRun) return { ok: true, value: preview(input, before, tier) };
        const after = before ? await saveSubjectTier(tx, before.id, tier) : await insertSubject(tx, input, tier);
        const action = before ? 'UPDATE' : 'CREATE';
        await record({ entity: 'SUBJECT', key: String(after.id), action, before, after });
        return { ok: true, value: after };
      });
    },
  };
}

function preview({ user, tenant }: SubjectKey, before: SubjectRecord | null, tier: string | null): SubjectRecord {
  const now = new Date();
  if (before) return { ...before, tier, upgradedAt: now, version: before.version + 1, updatedAt: now };
  return {
    id: 0,
    user: user ?? null,
    tenant: tenant ?? null,
    tier,
    upgradedAt: tier === null ? null : now,
    disabledAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

function unknownTier(tier: string): UserError {
  return { code: 'INVALID', field: ['tier'], message: `there is no tier named ${tier}` };
}

function stale(current: SubjectRecord | null, expected: number): UserError {
  const is = current ? `it is at ${current.version}` : 'it is not stored';
  const message = `the subject was changed by somebody else: expected version ${expected}, ${is}`;
  return { code: 'STALE_VERSION', field: ['expectedVersion'], message };
}
