import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { KeyBudget } from '../../model/limit-parameters.js';
import { KEY_KINDS, type KeyKind } from '../../model/subject.js';
import type { Connections, Queryable } from '../../postgres/db.js';
import type { KnownFields } from '../matching/known-fields.js';
import { differencesOf } from '../policy/difference.js';
import { keyBudgetInput } from '../policy/key-budget-input.js';
import { keyFieldsInput } from '../policy/key-fields-input.js';
import { isStorable, matching, oneOf, text, wholeNumber } from '../policy/validators.js';
import {
  type ApiKeyRecord,
  COLUMNS,
  insertKey,
  type KeyHolderColumns,
  keys,
  type NewApiKey,
  saveKey,
  subjectOfKey,
} from './api-key-record.js';
import type { Actor, ChangeLog } from './create-change-log.js';
import { createOnce } from './create-once.js';
import { type KnownSubject, type StandingColumns, standingOf } from './create-subject-store.js';
import { describeOverlap, expiresAtOption, overlapOption, randomSecret } from './credentials.js';
import { editRow } from './edit-row.js';
import {
  type ChangeOptions,
  type CreateOptions,
  changeOptions,
  createOptions,
  done,
  type Outcome,
  rejected,
  splitOptions,
  toUserErrors,
  type UpdateOptions,
  type UserError,
  updateOptions,
} from './outcome.js';
import { checkIdentified, type SubjectKey, subjectKeyFields } from './subject-key.js';
import { readSubject } from './subject-record.js';
import { unknownFields, warningsOfKey } from './warnings-of-key.js';

export interface ApiKeyCreate extends SubjectKey, CreateOptions {
  /** Label for administrators. @default empty */
  name?: string | undefined;
  /** @default SERVICE */
  kind?: KeyKind | undefined;
  /** Budget that is charged in addition to the limits of the holder. @default none */
  budget?: KeyBudget | undefined;
  /** Fields that operations may select: `Type.field` or `Type.*`. @default all */
  fields?: string[] | undefined;
  scopes?: string[] | undefined;
  /** @default never */
  expiresAt?: Date | undefined;
  /** Prefix and secret agreed in advance, such as the keys of the demo. @default random ones */
  known?: { prefix: string; secret: string } | undefined;
}

export interface ApiKeyReference extends ChangeOptions {
  id: number;
}

/** A change of a key. Undefined members stay as they are. */
export interface ApiKeyUpdate extends UpdateOptions {
  id: number;
  name?: string | undefined;
  kind?: KeyKind | undefined;
  /** Null removes the budget. */
  budget?: KeyBudget | null | undefined;
  /** Null allows all fields. */
  fields?: string[] | null | undefined;
  scopes?: string[] | undefined;
  /** Null: the key never expires. */
  expiresAt?: Date | null | undefined;
}

export interface ApiKeyRotate extends ApiKeyReference {
  /** Time that the old key stays valid, in milliseconds. @default 0 */
  overlapMs?: number | undefined;
}

/**
 * Result of creating, rotating or revoking an API key. Only this result contains the key itself,
 * because Tollgate stores only its hash.
 */
export interface CreatedApiKey {
  /** After a rotation, the new key. */
  apiKey: ApiKeyRecord;
  /**
   * The key itself. Null after a dry run, after a revocation, and if an earlier identical request
   * created the key.
   */
  secret: string | null;
}

/** The user or tenant that holds an API key. */
export interface ApiKeyHolder extends KnownSubject {
  scopes: string[];
  /**
   * Expiry of the key, or null if it never expires. A cache of holders has to check the expiry on
   * each use.
   */
  expiresAt: Date | null;
}

const attributes = {
  name: text(0, 100).optional(),
  kind: oneOf(KEY_KINDS).optional(),
  scopes: z.array(text(1, 100), { error: 'expected a list of strings' }).optional(),
};

const createSchema = z.strictObject({
  ...subjectKeyFields,
  ...attributes,
  budget: keyBudgetInput.optional(),
  fields: keyFieldsInput.optional(),
  expiresAt: expiresAtOption,
  ...createOptions,
  known: z
    .strictObject({
      prefix: matching(/^[A-Za-z0-9_-]{1,64}$/, 'a prefix of 1 to 64 letters, digits and _ -'),
      // The message does not contain the secret.
      secret: z.custom<string>((value) => typeof value === 'string' && value !== '', {
        error: 'expected a non-empty string',
      }),
    })
    .optional(),
});

const keyId = wholeNumber(0, Number.MAX_SAFE_INTEGER);

const updateSchema = z.strictObject({
  id: keyId,
  ...updateOptions,
  ...attributes,
  budget: keyBudgetInput.nullish(),
  fields: keyFieldsInput.nullish(),
  expiresAt: expiresAtOption.nullable(),
});

const rotateSchema = z.strictObject({
  id: keyId,
  ...changeOptions,
  overlapMs: overlapOption,
});

interface HolderRow extends KeyHolderColumns {
  scopes: string[];
  expires_at: Date | null;
  own: StandingColumns;
  tenants: StandingColumns | null;
}

/** Returns the functions that read API keys and their holders. */
function keyReads(db: Connections) {
  return {
    /** Returns the keys with these ids, in no particular order. */
    apiKeysById: (ids: readonly number[]) => keys.read(db, ids),

    /** Returns the keys with these prefixes, in no particular order. */
    apiKeysByPrefix: (prefixes: readonly string[]) =>
      db.query<ApiKeyRecord>(`select ${COLUMNS} from api_keys where prefix = any($1::text[])`, [prefixes]),

    /** Returns the same page of the keys of several subjects, oldest first, in one statement. */
    apiKeysOf(subjectIds: readonly number[], page: { after: number; limit: number }): Promise<ApiKeyRecord[]> {
      return db.query<ApiKeyRecord>(
        `select k.* from unnest($1::bigint[]) as wanted (subject_id)
         cross join lateral (
           select ${COLUMNS} from api_keys a where a.subject_id = wanted.subject_id and a.id > $2
           order by a.id limit $3
         ) as k
         order by k.id`,
        [subjectIds, page.after, page.limit],
      );
    },

    /**
     * Returns the holder of the key with this hash (see `hashSecret`). Returns null if the key is
     * unknown, revoked or expired.
     */
    findSubjectByApiKeyHash: (hash: string) => readHolder(db, 'secret_hash', hash),

    /** Returns the holder of the key with this prefix, for administrators. */
    findSubjectByApiKeyPrefix: (prefix: string) => readHolder(db, 'prefix', prefix),
  };
}

export function createApiKeyStore(db: Connections, changes: ChangeLog) {
  return {
    /**
     * Creates a key for a stored user or tenant.
     * @param known fields of the schemas in use; undefined if no schema is known
     */
    async createApiKey(input: ApiKeyCreate, actor: Actor, known?: KnownFields): Promise<Outcome<CreatedApiKey>> {
      const errors = mistakesIn(input, known);
      if (errors.length > 0) return rejected(errors);
      const { options, attributes } = splitOptions(input);
      const { dryRun, idempotencyKey } = options;
      return changes.write({ actor, comment: options.comment }, (tx, record) =>
        createOnce<CreatedApiKey>(
          tx,
          { actor, idempotencyKey, dryRun, operation: 'apiKey', attributes },
          async (id) => {
            const [apiKey] = await keys.read(tx, [Number(id)]);
            return apiKey ? { apiKey, secret: null } : null;
          },
          ({ apiKey }) => String(apiKey.id),
          async () => {
            const subject = await readSubject(tx, input);
            if (!subject) return rejected([unknownSubject(input)]);
            const { prefix, secret } = input.known ?? randomKey();
            const { name = '', kind = 'SERVICE', budget = null, fields = null, scopes = [], expiresAt = null } = input;
            const key = { prefix, subjectId: subject.id, name, kind, budget, fields, scopes, expiresAt };
            const warnings = await warningsOfKey(tx, null, { budget, fields }, known);
            if (dryRun) return done(unmade(key), { warnings });
            const made = await insertKey(tx, key, secret);
            if (!made) return rejected([alreadyExists(prefix)]);
            await record({ entity: 'API_KEY', key: prefix, action: 'CREATE', before: null, after: made });
            return done({ apiKey: made, secret }, { warnings });
          },
        ),
      );
    },

    /**
     * Creates a new key with the rights of an old one. The old key stays valid for `overlapMs` from
     * now on.
     */
    async rotateApiKey(input: ApiKeyRotate, actor: Actor): Promise<Outcome<CreatedApiKey>> {
      const { error } = rotateSchema.safeParse(input);
      if (error) return rejected(toUserErrors(error));
      const { id, overlapMs = 0, dryRun, comment } = input;
      return changes.write({ actor, comment }, async (tx, record) => {
        const [before] = await keys.read(tx, [id]);
        if (!before) return rejected([unknownKey()]);
        if (before.revokedAt) return rejected([revoked(before)], { apiKey: before, secret: null });
        const { prefix, secret } = randomKey();
        const key = { ...before, prefix };
        const warnings = [describeOverlap(`key ${before.prefix}`, overlapMs)];
        if (before.budget)
          warnings.push('the new key begins with a full budget, because each key has its own counters');
        if (dryRun) return done(unmade(key), { warnings });
        const made = await insertKey(tx, key, secret);
        if (!made) throw new Error('two random keys were the same');
        const after = await keys.replace(tx, id, overlapMs);
        await record({ entity: 'API_KEY', key: prefix, action: 'CREATE', before: null, after: made });
        await record({ entity: 'API_KEY', key: before.prefix, action: 'ROTATE', before, after });
        return done({ apiKey: made, secret }, { warnings });
      });
    },

    /**
     * Changes the name, the kind, the limits or the expiry of a key.
     * @param known fields of the schemas in use; undefined if no schema is known
     */
    async updateApiKey(
      { id, ...input }: ApiKeyUpdate,
      actor: Actor,
      known?: KnownFields,
    ): Promise<Outcome<CreatedApiKey>> {
      const { error } = updateSchema.safeParse({ id, ...input });
      if (error) return rejected(toUserErrors(error));
      const { options, attributes: changed } = splitOptions(input);
      const { comment, dryRun, expectedVersion } = options;
      const read = async (tx: Queryable) => (await keys.read(tx, [id]))[0] ?? null;
      const edited = await editRow<ApiKeyRecord>(
        changes,
        { kind: 'API key', actor, comment, expectedVersion, read, missing: unknownKey },
        async (before, tx, record) => {
          if (before.revokedAt) return rejected([revoked(before)], before);
          const wrong = unknownFields(input.fields, known, before.fields ?? []);
          if (wrong.length > 0) return rejected(wrong, before);
          const next = { ...before, ...changed, version: before.version + 1 };
          const differences = differencesOf(before, next, ['version']);
          if (differences.length === 0) return done(before);
          const effects = { differences, warnings: await warningsOfKey(tx, before, next, known) };
          if (dryRun) return done(next, effects);
          const after = await saveKey(tx, id, next);
          await record({ entity: 'API_KEY', key: before.prefix, action: 'UPDATE', before, after });
          return done(after, effects);
        },
      );
      return edited.ok
        ? { ...edited, value: { apiKey: edited.value, secret: null } }
        : { ...edited, current: edited.current && { apiKey: edited.current, secret: null } };
    },

    /** Revokes a key permanently. */
    async revokeApiKey({ id, dryRun, comment }: ApiKeyReference, actor: Actor): Promise<Outcome<CreatedApiKey>> {
      const { error } = rotateSchema.safeParse({ id, dryRun, comment });
      if (error) return rejected(toUserErrors(error));
      return changes.write({ actor, comment }, async (tx, record) => {
        const [before] = await keys.read(tx, [id]);
        if (!before) return rejected([unknownKey()]);
        if (before.revokedAt) return done({ apiKey: before, secret: null });
        const next = { ...before, revokedAt: new Date() };
        const effects = { differences: differencesOf(before, next) };
        if (dryRun) return done({ apiKey: next, secret: null }, effects);
        const [after] = await keys.revoke(tx, [id]);
        await record({ entity: 'API_KEY', key: before.prefix, action: 'REVOKE', before, after: after! });
        return done({ apiKey: after!, secret: null }, effects);
      });
    },

    ...keyReads(db),
  };
}

/** Returns the mistakes in the input of a new key that can be found without the database. */
function mistakesIn(input: ApiKeyCreate, known: KnownFields | undefined): UserError[] {
  const { error } = createSchema.safeParse(input);
  return [...(error ? toUserErrors(error) : unknownFields(input.fields, known)), ...checkIdentified(input)];
}

async function readHolder(
  db: Connections,
  column: 'secret_hash' | 'prefix',
  value: string,
): Promise<ApiKeyHolder | null> {
  if (!isStorable(value)) return null;
  const [row] = await db.query<HolderRow>(
    `select k.prefix, k.kind, k.budget, k.fields, k.scopes, k.expires_at, s.user_id, s.tenant_id, ${standing('s')} as own,
       case when t.id is not null then ${standing('t')} end as tenants
     from api_keys k
     join subjects s on s.id = k.subject_id
     left join subjects t on t.tenant_id = s.tenant_id and t.user_id = '' and s.user_id <> ''
     where k.${column} = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
    [value],
  );
  return row ? toHolder(row) : null;
}

/** Returns the result of a dry run. If its prefix is random, the stored key would have another. */
function unmade(key: NewApiKey): CreatedApiKey {
  const apiKey = { ...key, id: 0, lastUsedAt: null, revokedAt: null, version: 1, createdAt: new Date() };
  return { apiKey, secret: null };
}

/**
 * Returns an SQL expression for the columns of a subject that affect its requests, as one JSON
 * value.
 */
function standing(alias: 's' | 't'): string {
  return `jsonb_build_object('tier', ${alias}.tier, 'billing_anchor', ${alias}.billing_anchor,
    'disabled', ${alias}.disabled_at is not null,
    'override_capacity', ${alias}.override_capacity, 'override_refill_amount', ${alias}.override_refill_amount,
    'override_refill_period_ms', ${alias}.override_refill_period_ms,
    'override_expires_at', ${alias}.override_expires_at)`;
}

/** Converts the expiry, which is a string in JSON, to a date again. */
function standingColumns(value: StandingColumns): StandingColumns {
  const expiresAt: unknown = value.override_expires_at;
  return { ...value, override_expires_at: typeof expiresAt === 'string' ? new Date(expiresAt) : null };
}

/** Returns a key with a public prefix of 48 random bits and a secret part of 192 random bits. */
function randomKey(): { prefix: string; secret: string } {
  const prefix = `tg_${randomBytes(6).toString('hex')}`;
  return { prefix, secret: randomSecret(`${prefix}_`, 24) };
}

function toHolder(row: HolderRow): ApiKeyHolder {
  const tenants = row.tenants ? standingColumns(row.tenants) : undefined;
  const known = standingOf(subjectOfKey(row), standingColumns(row.own), tenants);
  return { ...known, scopes: row.scopes, expiresAt: row.expires_at };
}

function unknownSubject({ user }: SubjectKey): UserError {
  const code = 'NOT_FOUND';
  const remedy = 'store it with subjectCreate first';
  if (user === undefined) return { code, field: ['tenant'], message: `this tenant is not stored: ${remedy}` };
  const message = `this user is not stored, or it has a tenant: set its tenant too, or ${remedy}`;
  return { code, field: ['user'], message };
}

function alreadyExists(prefix: string): UserError {
  return {
    code: 'ALREADY_EXISTS',
    field: ['known'],
    message: `this key, or a key with the prefix ${prefix}, already exists`,
  };
}

function unknownKey(): UserError {
  return { code: 'NOT_FOUND', field: ['id'], message: 'there is no API key with this id' };
}

function revoked({ prefix }: ApiKeyRecord): UserError {
  return { code: 'INVALID', field: ['id'], message: `${prefix} is revoked: create a new key instead` };
}
