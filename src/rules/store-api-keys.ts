import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { Db } from '../store/db.js';
import type { Actor, ChangeLog } from './store-changes.js';
import { toUserErrors } from './store-input.js';
import { done, type Outcome, refused, type UserError } from './store-outcome.js';
import { checkIdentified, type SubjectKey, subjectKeyFields } from './store-subject-input.js';
import { readSubject } from './store-subject-rows.js';
import { type KnownSubject, type StandingColumns, standingOf } from './store-subjects.js';
import type { Subject } from './types.js';
import { isStorable, matching, text } from './values.js';

/** What is stored about a key: everything but the key. */
export interface ApiKeyRecord {
  id: number;
  /** The public part: names the key in answers, logs and counters. */
  prefix: string;
  name: string;
  scopes: string[];
  expiresAt: Date | null;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  createdAt: Date;
}

export interface ApiKeyCreate extends SubjectKey {
  /** For the people who administer it. @default empty */
  name?: string | undefined;
  scopes?: string[] | undefined;
  /** @default never */
  expiresAt?: Date | undefined;
  comment?: string | null | undefined;
  /** A key that is agreed beforehand, as those of the demo. @default a random one */
  known?: { prefix: string; secret: string } | undefined;
}

/** The only time that the key itself is seen: it cannot be read again. */
export interface CreatedApiKey {
  apiKey: ApiKeyRecord;
  secret: string;
}

/** Who a key speaks for. */
export interface ApiKeyHolder extends KnownSubject {
  scopes: string[];
  /** Null: never. Whoever keeps the holder for a while has to look at it again. */
  expiresAt: Date | null;
}

const createSchema = z.strictObject({
  ...subjectKeyFields,
  name: text(0, 100).optional(),
  scopes: z.array(text(1, 100), { error: 'expected a list of texts' }).optional(),
  expiresAt: z.date({ error: 'expected a date' }).optional(),
  comment: text(0, 1000).nullish(),
  known: z
    .strictObject({
      prefix: matching(/^[A-Za-z0-9_-]{1,64}$/, 'a prefix of 1 to 64 letters, digits and _ -'),
      // What is wrong with a secret is said without the secret.
      secret: z.custom<string>((value) => typeof value === 'string' && value !== '', { error: 'expected a text' }),
    })
    .optional(),
});

interface ApiKeyRow {
  id: number;
  prefix: string;
  name: string;
  scopes: string[];
  expires_at: Date | null;
  last_used_at: Date | null;
  revoked_at: Date | null;
  created_at: Date;
}

interface HolderRow {
  prefix: string;
  scopes: string[];
  expires_at: Date | null;
  user_id: string;
  tenant_id: string;
  own: StandingColumns;
  tenants: StandingColumns | null;
}

/** What is stored of a key and what it is looked up by: SHA-256 of all of it, in hexadecimal. */
export function hashApiKey(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function createApiKeyStore(db: Db, changes: ChangeLog) {
  return {
    /** Makes a key for a user or tenant that is stored. */
    async createApiKey(input: ApiKeyCreate, actor: Actor): Promise<Outcome<CreatedApiKey>> {
      const { error } = createSchema.safeParse(input);
      const errors = [...(error ? toUserErrors(error) : []), ...checkIdentified(input)];
      if (errors.length > 0) return refused(errors);
      const { prefix, secret } = input.known ?? randomKey();
      return changes.write({ actor, comment: input.comment }, async (tx, record) => {
        const subject = await readSubject(tx, input);
        if (!subject) return refused([unknownSubject()]);
        const [row] = await tx.query<ApiKeyRow>(
          `insert into api_keys (prefix, secret_hash, subject_id, name, scopes, expires_at)
           values ($1, $2, $3, $4, $5, $6) on conflict do nothing
           returning id, prefix, name, scopes, expires_at, last_used_at, revoked_at, created_at`,
          [prefix, hashApiKey(secret), subject.id, input.name ?? '', input.scopes ?? [], input.expiresAt ?? null],
        );
        if (!row) return refused([alreadyExists(prefix)]);
        const apiKey = toApiKey(row);
        const after = { ...apiKey, subjectId: subject.id };
        await record({ entity: 'API_KEY', key: prefix, action: 'CREATE', before: null, after });
        return done({ apiKey, secret });
      });
    },

    /** The holder of the key with this `hashApiKey`; null when there is none, or when it is revoked or has expired. */
    findSubjectByApiKeyHash: (hash: string) => readHolder(db, 'secret_hash', hash),

    /** The same by the key's public part, for those who administer it. */
    findSubjectByApiKeyPrefix: (prefix: string) => readHolder(db, 'prefix', prefix),
  };
}

async function readHolder(db: Db, column: 'secret_hash' | 'prefix', value: string): Promise<ApiKeyHolder | null> {
  if (!isStorable(value)) return null;
  const [row] = await db.query<HolderRow>(
    `select k.prefix, k.scopes, k.expires_at, s.user_id, s.tenant_id, ${standing('s')} as own,
       case when t.id is not null then ${standing('t')} end as tenants
     from api_keys k
     join subjects s on s.id = k.subject_id
     left join subjects t on t.tenant_id = s.tenant_id and t.user_id = '' and s.user_id <> ''
     where k.${column} = $1 and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())`,
    [value],
  );
  return row ? toHolder(row) : null;
}

/** What decides of a subject, as one JSON value. */
function standing(alias: 's' | 't'): string {
  return `jsonb_build_object('tier', ${alias}.tier, 'disabled', ${alias}.disabled_at is not null,
    'override_capacity', ${alias}.override_capacity, 'override_refill_amount', ${alias}.override_refill_amount,
    'override_refill_period_ms', ${alias}.override_refill_period_ms,
    'override_expires_at', ${alias}.override_expires_at)`;
}

/** JSON has no dates. */
function standingColumns(value: StandingColumns): StandingColumns {
  const expiresAt: unknown = value.override_expires_at;
  return { ...value, override_expires_at: typeof expiresAt === 'string' ? new Date(expiresAt) : null };
}

/** 48 random bits to be named by, 192 to be known by. */
function randomKey(): { prefix: string; secret: string } {
  const prefix = `tg_${randomBytes(6).toString('hex')}`;
  return { prefix, secret: `${prefix}_${randomBytes(24).toString('base64url')}` };
}

function toApiKey(row: ApiKeyRow): ApiKeyRecord {
  return {
    id: row.id,
    prefix: row.prefix,
    name: row.name,
    scopes: row.scopes,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
    createdAt: row.created_at,
  };
}

function toHolder(row: HolderRow): ApiKeyHolder {
  const subject: Subject = { apiKey: row.prefix };
  if (row.user_id) subject.user = row.user_id;
  if (row.tenant_id) subject.tenant = row.tenant_id;
  const tenants = row.tenants ? standingColumns(row.tenants) : undefined;
  return { ...standingOf(subject, standingColumns(row.own), tenants), scopes: row.scopes, expiresAt: row.expires_at };
}

function unknownSubject(): UserError {
  return { code: 'NOT_FOUND', field: [], message: 'the user or tenant of the key is not stored: store it first' };
}

function alreadyExists(prefix: string): UserError {
  return { code: 'ALREADY_EXISTS', field: ['known'], message: `there is a key with the prefix ${prefix}, or this key` };
}
