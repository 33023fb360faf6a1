import { z } from 'zod';
import { isCalendarDate } from '../../options/is-calendar-date.js';
import { bucketInput, tierName } from '../policy/tier-input.js';
import { flag, isStorable, satisfying } from '../policy/validators.js';
import {
  type CreateOptions,
  changeOptions,
  createOptions,
  toUserErrors,
  type UpdateOptions,
  type UserError,
  updateOptions,
} from './outcome.js';

/** Identity of a stored subject: a user (with or without a tenant), or a tenant itself. */
export interface SubjectKey {
  user?: string | undefined;
  tenant?: string | undefined;
}

/** Parameters of a token bucket. */
export interface Bucket {
  capacity: number;
  refillAmount: number;
  refillPeriodMs: number;
}

export interface SubjectUpsert extends SubjectKey, UpdateOptions {
  /** Name of the tier. Null removes the assignment; undefined leaves it unchanged. */
  tier?: string | null | undefined;
}

export interface SubjectOverride extends SubjectKey, UpdateOptions {
  /** Bucket that replaces the tier's. Null restores the tier's bucket. */
  bucket: Bucket | null;
  /** End of the override, when the tier's bucket applies again. @default never */
  expiresAt?: Date | null | undefined;
}

export interface SubjectBillingAnchor extends SubjectKey, UpdateOptions {
  /** First day of a billing period, as `YYYY-MM-DD`. Null removes it. */
  billingAnchor: string | null;
}

export interface SubjectDisable extends SubjectKey, UpdateOptions {
  /** Whether the subject is disabled. False enables it again. @default true */
  disabled?: boolean | undefined;
}

export interface SubjectCreate extends SubjectKey, CreateOptions {
  /** Name of the tier. @default its tenant's, else the default one */
  tier?: string | undefined;
  /** Bucket that replaces the tier's. @default the tier's */
  bucket?: Bucket | undefined;
  /** End of the override, when the tier's bucket applies again. @default never */
  expiresAt?: Date | undefined;
  /** First day of a billing period, as `YYYY-MM-DD`. Not for a user of a tenant. @default none */
  billingAnchor?: string | undefined;
}

const MAX_ID_BYTES = 512;

const id = z.custom<string>((value) => typeof value === 'string' && value !== '' && isSubjectId(value), {
  error: `expected an id of 1 to ${MAX_ID_BYTES} bytes of valid Unicode without NUL`,
});

export const subjectKeyFields = { user: id.optional(), tenant: id.optional() };

const common = { ...subjectKeyFields, ...changeOptions, ...updateOptions };
const upsertSchema = z.strictObject({ ...common, tier: z.nullable(tierName).optional() });
const overrideSchema = z.strictObject({
  ...common,
  bucket: bucketInput.nullable(),
  expiresAt: z.date({ error: 'expected a date' }).nullish(),
});
const billingDay = satisfying(isCalendarDate, 'a day as YYYY-MM-DD, such as 2026-01-31');
const createSchema = z.strictObject({
  ...subjectKeyFields,
  ...createOptions,
  tier: tierName.optional(),
  bucket: bucketInput.optional(),
  expiresAt: z.date({ error: 'expected a date' }).optional(),
  billingAnchor: billingDay.optional(),
});
const deleteSchema = z.strictObject(common);
const billingAnchorSchema = z.strictObject({ ...common, billingAnchor: billingDay.nullable() });
const disableSchema = z.strictObject({ ...common, disabled: flag().optional() });

/** Returns the mistakes that can be found in the input alone. Empty if there are none. */
export function checkSubjectUpsert(input: SubjectUpsert): UserError[] {
  return check(upsertSchema, input);
}

/** Returns the mistakes that can be found in the input alone. Empty if there are none. */
export function checkSubjectOverride(input: SubjectOverride, nowMs: number): UserError[] {
  return [...check(overrideSchema, input), ...checkExpiry(input, nowMs)];
}

/** Returns the mistakes that can be found in the input alone. Empty if there are none. */
export function checkSubjectCreate(input: SubjectCreate, nowMs: number): UserError[] {
  const expiry = checkExpiry({ ...input, bucket: input.bucket ?? null }, nowMs);
  return [...check(createSchema, input), ...expiry, ...checkBillingAnchor(input)];
}

/** Returns the mistakes that can be found in the input alone. Empty if there are none. */
export function checkSubjectDelete(input: SubjectKey & UpdateOptions): UserError[] {
  return check(deleteSchema, input);
}

function checkExpiry(input: Pick<SubjectOverride, 'bucket' | 'expiresAt'>, nowMs: number): UserError[] {
  const issue = (message: string): UserError => ({ code: 'INVALID', field: ['expiresAt'], message });
  if (!(input.expiresAt instanceof Date)) return [];
  if (input.bucket === null) return [issue('omit it, because there is no bucket that could expire')];
  return input.expiresAt.getTime() > nowMs ? [] : [issue('expected a time in the future')];
}

/** Returns the mistakes that can be found in the input alone. Empty if there are none. */
export function checkSubjectBillingAnchor(input: SubjectBillingAnchor): UserError[] {
  const { billingAnchor, ...key } = input;
  const ofUser = billingAnchor === null ? [] : checkBillingAnchor({ ...key, billingAnchor });
  return [...check(billingAnchorSchema, input), ...ofUser];
}

/**
 * Rejects a billing anchor for a user of a tenant, who has that of the tenant. If the users of a
 * tenant had different anchors, the counters that they share would have different periods.
 */
function checkBillingAnchor({ user, tenant, billingAnchor }: Partial<SubjectCreate>): UserError[] {
  if (billingAnchor === undefined || user === undefined || tenant === undefined) return [];
  const message = 'a user of a tenant has the billing anchor of the tenant: set it for the tenant';
  return [{ code: 'INVALID', field: ['billingAnchor'], message }];
}

/** Returns the mistakes that can be found in the input alone. Empty if there are none. */
export function checkSubjectDisable(input: SubjectDisable): UserError[] {
  return check(disableSchema, input);
}

function check(schema: z.ZodType, input: SubjectKey): UserError[] {
  const { error } = schema.safeParse(input);
  return [...(error ? toUserErrors(error) : []), ...checkIdentified(input)];
}

export function checkIdentified({ user, tenant }: SubjectKey): UserError[] {
  if (user !== undefined || tenant !== undefined) return [];
  return [{ code: 'INVALID', field: [], message: 'expected a user, a tenant, or both' }];
}

/** Whether PostgreSQL can store the key. A query with other text would fail. */
export function isSubjectKey({ user = '', tenant = '' }: SubjectKey): boolean {
  return (user !== '' || tenant !== '') && isSubjectId(user) && isSubjectId(tenant);
}

function isSubjectId(value: string): boolean {
  return Buffer.byteLength(value) <= MAX_ID_BYTES && isStorable(value);
}
