import type { KeyBudget } from '../../model/limit-parameters.js';
import type { KeyKind, Subject } from '../../model/subject.js';
import type { Queryable } from '../../postgres/db.js';
import { Credentials } from './credentials.js';
import { hashSecret } from './hash-secret.js';

/** The part of a stored API key that can be changed. */
interface ApiKeyState {
  /** Label for administrators. */
  name: string;
  kind: KeyKind;
  /** Budget that is charged in addition to the limits of the holder. Null for none. */
  budget: KeyBudget | null;
  /** Fields that operations may select: `Type.field` or `Type.*`. Null for all. */
  fields: string[] | null;
  scopes: string[];
  expiresAt: Date | null;
}

/** A stored API key, without the key itself. */
export interface ApiKeyRecord extends ApiKeyState {
  id: number;
  /** Public part of the key. It names the key in responses, logs and counters. */
  prefix: string;
  /** Id of the user or tenant that holds the key. */
  subjectId: number;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  /** Number that each change of the key increments by 1. */
  version: number;
  createdAt: Date;
}

export const COLUMNS = `id, prefix, subject_id as "subjectId", name, kind, budget, fields, scopes,
  expires_at as "expiresAt", last_used_at as "lastUsedAt", revoked_at as "revokedAt", version,
  created_at as "createdAt"`;

export const keys = new Credentials<ApiKeyRecord>({ name: 'api_keys', columns: COLUMNS });

export type NewApiKey = Pick<ApiKeyRecord, 'prefix' | 'subjectId' | keyof ApiKeyState>;

/** Columns of a key and of its holder that identify a caller. */
export interface KeyHolderColumns {
  prefix: string;
  kind: KeyKind;
  budget: KeyBudget | null;
  fields: string[] | null;
  user_id: string;
  tenant_id: string;
}

/** Returns the caller of requests with a key. */
export function subjectOfKey({ prefix, kind, budget, fields, ...holder }: KeyHolderColumns): Subject {
  const subject: Subject = { apiKey: prefix, keyKind: kind };
  if (budget) subject.keyBudget = budget;
  if (fields) subject.keyFields = fields;
  if (holder.user_id) subject.user = holder.user_id;
  if (holder.tenant_id) subject.tenant = holder.tenant_id;
  return subject;
}

/** Inserts a key. Returns undefined if the prefix or the secret already exists. */
export async function insertKey(on: Queryable, key: NewApiKey, secret: string): Promise<ApiKeyRecord | undefined> {
  const [made] = await on.query<ApiKeyRecord>(
    `insert into api_keys (name, kind, budget, fields, scopes, expires_at, prefix, secret_hash, subject_id)
     values ($1, $2, $3::jsonb, $4, $5, $6, $7, $8, $9) on conflict do nothing returning ${COLUMNS}`,
    [...parametersOf(key), key.prefix, hashSecret(secret), key.subjectId],
  );
  return made;
}

/** Saves the changeable part of a key and increments its version. */
export async function saveKey(on: Queryable, id: number, state: ApiKeyState): Promise<ApiKeyRecord> {
  const [saved] = await on.query<ApiKeyRecord>(
    `update api_keys set name = $1, kind = $2, budget = $3::jsonb, fields = $4, scopes = $5, expires_at = $6,
       version = version + 1
     where id = $7 returning ${COLUMNS}`,
    [...parametersOf(state), id],
  );
  return saved!;
}

function parametersOf({ name, kind, budget, fields, scopes, expiresAt }: ApiKeyState) {
  return [name, kind, budget && JSON.stringify(budget), fields, scopes, expiresAt];
}
