import type { StreamFilter } from '../../model/open-stream.js';
import type { Subject } from '../../model/subject.js';
import type { Connections } from '../../postgres/db.js';
import { differencesOf } from '../policy/difference.js';
import type { Actor, ChangeLog, ChangeRecord } from './create-change-log.js';
import { staleVersion } from './edit-row.js';
import { done, type Outcome, rejected, type UpdateOptions, type UserError } from './outcome.js';
import {
  checkSubjectBillingAnchor,
  checkSubjectDisable,
  checkSubjectOverride,
  checkSubjectUpsert,
  isSubjectKey,
  type SubjectBillingAnchor,
  type SubjectDisable,
  type SubjectKey,
  type SubjectOverride,
  type SubjectUpsert,
} from './subject-key.js';
import {
  type BucketOverride,
  insertSubject,
  type OverrideColumns,
  previewSubject,
  readSubject,
  readSubjectPage,
  readSubjectsById,
  readSubjectsOf,
  type SubjectFilter,
  type SubjectRecord,
  type SubjectState,
  saveSubject,
  toOverride,
} from './subject-record.js';
import { noTierNamed, readTier, readTierNames } from './tier-record.js';

/** A subject together with the stored settings of itself and its tenant. */
export interface KnownSubject {
  /**
   * The subject. Its `tier` is its own, else its tenant's. If both are absent, the default tier
   * applies.
   */
  subject: Subject;
  /** Whether the subject or its tenant is disabled. */
  disabled: boolean;
  /**
   * Bucket that replaces the tier's: the override of the subject or, if the subject has neither an
   * override nor an assigned tier, that of its tenant. It ends at `expiresAt`. A cache must check
   * this time on each use.
   */
  override: BucketOverride | null;
}

const NOTHING: SubjectState = { tier: null, upgradedAt: null, override: null, billingAnchor: null, disabledAt: null };
/** Warning about an id that may be mistyped. */
const UNKNOWN_UNTIL_NOW = 'this user or tenant was not stored before: check the id; subjectDelete deletes it again';
const BOOKKEEPING = ['id', 'version', 'createdAt', 'updatedAt', 'upgradedAt'];

/** Stored settings in the row of a user or of a tenant. */
export interface StandingColumns extends OverrideColumns {
  tier: string | null;
  billing_anchor: string | null;
  disabled: boolean;
}

/** An action on the counters or streams of a caller, for the record of changes. */
export interface CallerAction {
  action: 'RESET_QUOTA' | 'END_STREAMS';
  /** The caller that the administrator specified. An API key is specified by its prefix. */
  key: Pick<Subject, 'user' | 'tenant' | 'apiKey' | 'ip'>;
  /**
   * Data that other instances need to do the same. `counted`: the subject under whose names the
   * counters are stored, with its tier. `ended`: the condition of the streams.
   */
  data: { counted: Subject } | { ended: StreamFilter };
  comment?: string | null | undefined;
  before: object;
  after: object;
}

/** Returns the functions that read users and tenants. */
function subjectReads(db: Connections) {
  return {
    /**
     * Returns the record of a user of this tenant; if the key has no tenant, of a user without a
     * tenant. If the key has no user, returns the record of the tenant itself.
     */
    async getSubject(key: SubjectKey): Promise<SubjectRecord | null> {
      return isSubjectKey(key) ? readSubject(db, key) : null;
    },

    /** Returns a page of users and tenants, in the order in which they were stored. */
    pageSubjects: (filter: SubjectFilter, page: { after: number; limit: number }) => readSubjectPage(db, filter, page),

    /** Returns the records of exactly these users and tenants, in no particular order. */
    subjectsOf: (owners: readonly Pick<SubjectRecord, 'user' | 'tenant'>[]) => readSubjectsOf(db, owners),

    /** Returns the subjects with these ids, in no particular order. */
    subjectsById: (ids: readonly number[]) => readSubjectsById(db, ids),

    /**
     * Returns the subject with its stored tier: its own, else its tenant's. Users and tenants need
     * not be stored. A user that is not stored is on its tenant's tier, else on the default tier.
     */
    async resolveSubject(subject: Subject): Promise<KnownSubject> {
      const [known] = await this.resolveSubjects([subject]);
      return known!;
    },

    /** Returns several subjects with their stored tiers, in the given order, with one statement. */
    async resolveSubjects(subjects: readonly Subject[]): Promise<KnownSubject[]> {
      const asked = subjects.filter(isSubjectKey);
      const rows =
        asked.length === 0
          ? []
          : await db.query<StandingColumns & { user_id: string; tenant_id: string }>(
              `select distinct s.tenant_id, s.user_id, s.tier, s.disabled_at is not null as disabled,
                 s.override_capacity, s.override_refill_amount, s.override_refill_period_ms, s.override_expires_at,
                 s.billing_anchor::text as billing_anchor
               from unnest($1::text[], $2::text[]) as asked (tenant_id, user_id)
               join subjects s on s.tenant_id = asked.tenant_id and s.user_id in (asked.user_id, '')`,
              [asked.map(({ tenant }) => tenant ?? ''), asked.map(({ user }) => user ?? '')],
            );
      const byKey = new Map(rows.map((row) => [JSON.stringify([row.tenant_id, row.user_id]), row]));
      const rowOf = (tenant: string = '', user: string = '') => byKey.get(JSON.stringify([tenant, user]));
      return subjects.map((one) => standingOf(one, rowOf(one.tenant, one.user), rowOf(one.tenant)));
    },
  };
}

export function createSubjectStore(db: Connections, changes: ChangeLog) {
  const reads = subjectReads(db);

  /**
   * Stores or changes one user or tenant. `edit` receives the stored state and returns the new one.
   */
  function change(
    input: SubjectKey & UpdateOptions,
    actor: Actor,
    action: ChangeRecord['action'],
    edit: (before: SubjectState) => SubjectState,
    warnings: readonly string[] = [],
  ): Promise<Outcome<SubjectRecord>> {
    return changes.write({ actor, comment: input.comment }, async (tx, record) => {
      const before = await readSubject(tx, input);
      const { expectedVersion } = input;
      const stale = staleVersion('subject', before, expectedVersion);
      if (stale) return rejected([stale], before);
      const state = edit(before ?? NOTHING);
      if (state.tier !== null && !(await readTier(tx, state.tier)))
        return rejected([unknownTier(state.tier, await readTierNames(tx))], before);
      const next = previewSubject(input, before, state);
      const differences = differencesOf(before, next, BOOKKEEPING);
      if (before && differences.length === 0) return done(before);
      const effects = { differences, warnings: before ? [...warnings] : [...warnings, UNKNOWN_UNTIL_NOW] };
      if (input.dryRun) return done(next, effects);
      const after = before ? await saveSubject(tx, before.id, state) : await insertSubject(tx, input, state);
      await record({ entity: 'SUBJECT', key: String(after.id), action: before ? action : 'CREATE', before, after });
      return done(after, effects);
    });
  }

  return {
    ...reads,

    /** Stores a user or tenant, or assigns another tier to a stored one. */
    async upsertSubject(input: SubjectUpsert, actor: Actor): Promise<Outcome<SubjectRecord>> {
      const errors = checkSubjectUpsert(input);
      if (errors.length > 0) return rejected(errors, await reads.getSubject(input));
      return change(input, actor, 'UPDATE', (before) => {
        if (input.tier === undefined || input.tier === before.tier) return before;
        return { ...before, tier: input.tier, upgradedAt: new Date() };
      });
    },

    /** Sets or removes the bucket that replaces the tier's for one user or tenant. */
    async setSubjectOverride(input: SubjectOverride, actor: Actor): Promise<Outcome<SubjectRecord>> {
      const errors = checkSubjectOverride(input, Date.now());
      if (errors.length > 0) return rejected(errors, await reads.getSubject(input));
      const { bucket, expiresAt = null } = input;
      const override = bucket && { ...bucket, expiresAt };
      const warnings = ['spent tokens stay spent, because only the size of the bucket changes'];
      return change(input, actor, 'OVERRIDE', (before) => ({ ...before, override }), warnings);
    },

    /** Sets or removes the first day of a billing period of one user or tenant. */
    async setSubjectBillingAnchor(input: SubjectBillingAnchor, actor: Actor): Promise<Outcome<SubjectRecord>> {
      const errors = checkSubjectBillingAnchor(input);
      if (errors.length > 0) return rejected(errors, await reads.getSubject(input));
      const { billingAnchor } = input;
      const warnings = ['the current period may end at another time now; the usage so far stays until then'];
      return change(input, actor, 'UPDATE', (before) => ({ ...before, billingAnchor }), warnings);
    },

    /**
     * Runs an action on a caller and records it in the same transaction. If `run` rejects, nothing is
     * recorded. For a subject that is not stored, the entry contains its names instead of an id.
     */
    async recordCallerAction(
      { action, key, data, comment, before, after }: CallerAction,
      actor: Actor,
      run: () => Promise<void> = async () => {},
    ) {
      await changes.write({ actor, comment }, async (tx, record) => {
        const stored = key.apiKey === undefined && isSubjectKey(key) ? await readSubject(tx, key) : null;
        const entity = key.apiKey === undefined ? ('SUBJECT' as const) : ('API_KEY' as const);
        const name = key.apiKey ?? (stored ? String(stored.id) : JSON.stringify(key));
        // The history of the key's holder finds the entry by this `subjectId`.
        const [holder] =
          key.apiKey === undefined
            ? []
            : await tx.query<{ subjectId: number }>(
                `select subject_id as "subjectId" from api_keys where prefix = $1`,
                [key.apiKey],
              );
        await record({
          entity,
          key: name,
          action,
          before: { ...before, ...data, ...holder },
          after: {
            ...after,
            ...data,
            ...holder,
            // Instances of an earlier version read this member in each entry of a subject.
            ...(action === 'END_STREAMS' && stored && { disabledAt: stored.disabledAt }),
          },
        });
        await run();
      });
    },

    /** Disables a user, or a tenant with all its users, or enables them again. */
    async disableSubject(input: SubjectDisable, actor: Actor): Promise<Outcome<SubjectRecord>> {
      const errors = checkSubjectDisable(input);
      if (errors.length > 0) return rejected(errors, await reads.getSubject(input));
      const { disabled = true } = input;
      const warnings = disabled && input.user === undefined ? ['this disables all users of the tenant'] : [];
      return change(
        input,
        actor,
        disabled ? 'DISABLE' : 'ENABLE',
        (before) => ({ ...before, disabledAt: disabled ? (before.disabledAt ?? new Date()) : null }),
        warnings,
      );
    },
  };
}

/**
 * Returns the settings in force for a subject, derived from its own row and the row of its tenant.
 */
export function standingOf(
  subject: Subject,
  own: StandingColumns | undefined,
  tenants: StandingColumns | undefined,
): KnownSubject {
  const tier = own?.tier ?? tenants?.tier;
  const override = alive(own) ?? (own?.tier ? null : alive(tenants));
  const disabled = (own?.disabled ?? false) || (tenants?.disabled ?? false);
  // Only the row of the tenant, or of a user without a tenant, has a billing anchor.
  const billingAnchor = tenants?.billing_anchor ?? own?.billing_anchor;
  return {
    subject: { ...subject, ...(tier && { tier }), ...(billingAnchor && { billingAnchor }) },
    disabled,
    override,
  };
}

function alive(row: StandingColumns | undefined): BucketOverride | null {
  const override = row ? toOverride(row) : null;
  return override?.expiresAt && override.expiresAt.getTime() <= Date.now() ? null : override;
}

export function unknownTier(tier: string, known: ReadonlySet<string>): UserError {
  return { code: 'INVALID', field: ['tier'], message: noTierNamed(tier, known) };
}
