import { z } from 'zod';
import { flag, isStorable, text, toUserErrors, wholeNumber } from './store-input.js';
import type { UserError } from './store-outcome.js';
import { MAX_AMOUNT } from './store-tier-input.js';

/** Whom a row is about: a user (of a tenant, or of none), or a tenant as a whole. */
export interface SubjectKey {
  user?: string | undefined;
  tenant?: string | undefined;
}

export interface SubjectUpsert extends SubjectKey {
  /** Null takes the assignment away; left out it stays as it is. */
  tier?: string | null | undefined;
  /** Refuse with `STALE_VERSION` if the subject has another version. */
  expectedVersion?: number | undefined;
  /** Why, for the record of changes. */
  comment?: string | null | undefined;
  /** Validate and say what would be, without changing it. @default false */
  dryRun?: boolean | undefined;
}

const MAX_ID_BYTES = 512;

const id = z.custom<string>((value) => typeof value === 'string' && value !== '' && isSubjectId(value), {
  error: `expected an id of 1 to ${MAX_ID_BYTES} bytes of valid Unicode without NUL`,
});

export const subjectKeyFields = { user: id.optional(), tenant: id.optional() };

const upsertSchema = z.strictObject({
  ...subjectKeyFields,
  tier: z.nullable(text(1, 64)).optional(),
  expectedVersion: wholeNumber(1, MAX_AMOUNT).optional(),
  comment: text(0, 1000).nullish(),
  dryRun: flag().optional(),
});

/** Everything that is wrong with the input by itself; empty when it can be tried. */
export function checkSubjectUpsert(input: SubjectUpsert): UserError[] {
  const { error } = upsertSchema.safeParse(input);
  return [...(error ? toUserErrors(error) : []), ...checkIdentified(input)];
}

export function checkIdentified({ user, tenant }: SubjectKey): UserError[] {
  if (user !== undefined || tenant !== undefined) return [];
  return [{ code: 'INVALID', field: [], message: 'expected a user, a tenant, or both' }];
}

/** Whether it can be stored at all: to ask the database about text that it cannot hold is an error. */
export function isSubjectKey({ user = '', tenant = '' }: SubjectKey): boolean {
  return (user !== '' || tenant !== '') && isSubjectId(user) && isSubjectId(tenant);
}

function isSubjectId(value: string): boolean {
  return Buffer.byteLength(value) <= MAX_ID_BYTES && isStorable(value);
}
