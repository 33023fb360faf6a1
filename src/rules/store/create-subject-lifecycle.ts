import type { Tx } from '../../postgres/db.js';
import { differencesOf } from '../policy/difference.js';
import type { Actor, ChangeLog } from './create-change-log.js';
import { createOnce } from './create-once.js';
import { unknownTier } from './create-subject-store.js';
import { editRow } from './edit-row.js';
import { done, type Outcome, rejected, splitOptions, type UpdateOptions, type UserError } from './outcome.js';
import { checkSubjectCreate, checkSubjectDelete, type SubjectCreate, type SubjectKey } from './subject-key.js';
import {
  deleteStoredSubject,
  insertSubject,
  previewSubject,
  readSubject,
  readSubjectsById,
  type SubjectRecord,
} from './subject-record.js';
import { readTier, readTierNames } from './tier-record.js';

const BOOKKEEPING = ['id', 'version', 'createdAt', 'updatedAt', 'upgradedAt'];

/** Creates the functions that store and delete users and tenants. */
export function createSubjectLifecycle(changes: Pick<ChangeLog, 'write'>) {
  return {
    /**
     * Stores a user or a tenant that is not stored yet, with an optional tier and an optional
     * bucket that replaces the tier's.
     */
    async createSubject(input: SubjectCreate, actor: Actor): Promise<Outcome<SubjectRecord>> {
      const errors = checkSubjectCreate(input, Date.now());
      if (errors.length > 0) return rejected(errors);
      const { options, attributes } = splitOptions(input);
      const { dryRun, idempotencyKey } = options;
      const { tier = null, bucket = null, expiresAt = null, billingAnchor = null } = input;
      const override = bucket && { ...bucket, expiresAt };
      const upgradedAt = tier === null ? null : new Date();
      const state = { tier, upgradedAt, override, billingAnchor, disabledAt: null };
      return changes.write({ actor, comment: options.comment }, (tx, record) =>
        createOnce<SubjectRecord>(
          tx,
          { actor, idempotencyKey, dryRun, operation: 'subject', attributes },
          async (id) => (await readSubjectsById(tx, [Number(id)]))[0] ?? null,
          ({ id }) => String(id),
          async () => {
            const stored = await readSubject(tx, input);
            if (stored) return rejected([alreadyStored()], stored);
            if (tier !== null && !(await readTier(tx, tier)))
              return rejected([unknownTier(tier, await readTierNames(tx))]);
            const next = previewSubject(input, null, state);
            const effects = { differences: differencesOf(null, next, BOOKKEEPING) };
            if (dryRun) return done(next, effects);
            const after = await insertSubject(tx, input, state);
            await record({ entity: 'SUBJECT', key: String(after.id), action: 'CREATE', before: null, after });
            return done(after, effects);
          },
        ),
      );
    },

    /**
     * Deletes a stored user or tenant together with its revoked and expired API keys. The record of
     * changes keeps all of their entries. Valid keys have to be revoked first, because a valid key
     * must have a holder.
     */
    async deleteSubject(input: SubjectKey & UpdateOptions, actor: Actor): Promise<Outcome<SubjectRecord>> {
      const errors = checkSubjectDelete(input);
      if (errors.length > 0) return rejected(errors);
      const { comment, expectedVersion } = input;
      const target = { kind: 'subject', actor, comment, expectedVersion, missing: notStored } as const;
      return editRow(changes, { ...target, read: (tx) => readSubject(tx, input) }, async (before, tx, record) => {
        const keys = await goodKeysOf(tx, before.id);
        if (keys > 0) return rejected([hasKeys(keys)], before);
        const effects = { differences: differencesOf(before, null, BOOKKEEPING), warnings: warningsOf(before) };
        if (input.dryRun) return done(before, effects);
        await deleteStoredSubject(tx, before.id);
        await record({ entity: 'SUBJECT', key: String(before.id), action: 'DELETE', before, after: null });
        return done(before, effects);
      });
    },
  };
}

function warningsOf({ user, tier, override, billingAnchor, disabledAt }: SubjectRecord): string[] {
  const warnings: string[] = [];
  if (disabledAt) warnings.push('this user or tenant was disabled, and can use the API again after the deletion');
  if (user === null && (tier !== null || override !== null)) {
    warnings.push('users of this tenant who have no tier of their own now have the default tier and its bucket');
  }
  if (billingAnchor !== null) warnings.push('the billing anchor is deleted too: billing periods begin at the calendar');
  return warnings;
}

async function goodKeysOf(tx: Tx, id: number): Promise<number> {
  const [row] = await tx.query<{ keys: number }>(
    `select count(*)::integer as keys from api_keys
     where subject_id = $1 and revoked_at is null and (expires_at is null or expires_at > now())`,
    [id],
  );
  return row!.keys;
}

function alreadyStored(): UserError {
  return { code: 'ALREADY_EXISTS', field: [], message: 'this user or tenant is already stored' };
}

function notStored(): UserError {
  return { code: 'NOT_FOUND', field: [], message: 'this user or tenant is not stored' };
}

function hasKeys(keys: number): UserError {
  const message =
    keys === 1
      ? 'this user or tenant has one valid API key: revoke the key first'
      : `this user or tenant has ${keys} valid API keys: revoke them first`;
  return { code: 'IN_USE', field: [], message };
}
