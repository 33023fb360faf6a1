import { z } from 'zod';
import { MAX_COST } from '../../model/limit-parameters.js';
import type { Difference } from '../policy/difference.js';
import { flag, text, wholeNumber } from '../policy/validators.js';

/**
 * Why an input was not taken. `STALE_VERSION`: somebody else changed the object since the version that the caller
 * expected. `KEY_REUSED`: another request was made under the same idempotency key.
 */
export type UserErrorCode =
  | 'INVALID'
  | 'NOT_FOUND'
  | 'ALREADY_EXISTS'
  | 'STALE_VERSION'
  | 'IN_USE'
  | 'KEY_REUSED'
  | 'DEFINED_IN_CODE';

export interface UserError {
  code: UserErrorCode;
  /** The path of the input's field that has to change; empty when it is the input as a whole. */
  field: string[];
  message: string;
}

/** What a change did, or would do. */
export interface Effects {
  /** What is different afterwards, member by member. */
  differences: Difference[];
  /** What the admin may not have meant, in words. */
  warnings: string[];
}

/** What became of a request to change something: a refusal is a value, an exception is a failure of the database. */
export type Outcome<T> =
  | ({
      ok: true;
      /** The object as it is now, or as it would be after a dry run. */
      value: T;
    } & Effects)
  | {
      ok: false;
      /** The object as it is, where there is one. */
      current: T | null;
      userErrors: UserError[];
    };

export function refused<T>(userErrors: UserError[], current: T | null = null): Outcome<T> {
  return { ok: false, current, userErrors };
}

export function done<T>(value: T, { differences = [], warnings = [] }: Partial<Effects> = {}): Outcome<T> {
  return { ok: true, value, differences, warnings };
}

/** What every change takes besides its object. */
export interface ChangeOptions {
  /** Why, for the record of changes. */
  comment?: string | null | undefined;
  /** Validate and say what would be, without changing it. @default false */
  dryRun?: boolean | undefined;
}

export interface UpdateOptions extends ChangeOptions {
  /** Refuse with `STALE_VERSION` if the object has another version. */
  expectedVersion?: number | undefined;
}

export interface CreateOptions extends ChangeOptions {
  /** A repeated request with this key creates nothing and answers with what the first one created. Kept for a day. */
  idempotencyKey?: string | undefined;
}

export const changeOptions = { comment: text(0, 1000).nullish(), dryRun: flag().optional() };

export const updateOptions = { ...changeOptions, expectedVersion: wholeNumber(1, MAX_COST).optional() };

export const createOptions = { ...changeOptions, idempotencyKey: text(1, 200).optional() };

const anyOptions = z.object({ ...updateOptions, ...createOptions });

/** What is wrong with the words for the record of changes. */
export function findCommentMistakes(comment: string | undefined): UserError[] {
  const { error } = anyOptions.safeParse({ comment });
  return error ? toUserErrors(error) : [];
}

/** The options of a change, and apart from them what is said about the object itself; undefined is left out. */
export function splitOptions<Input extends UpdateOptions & CreateOptions>(input: Input) {
  const { comment, dryRun = false, expectedVersion, idempotencyKey, ...attributes } = input;
  const given = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
  const { error } = anyOptions.safeParse({ comment, dryRun, expectedVersion, idempotencyKey });
  return { options: { comment, dryRun, expectedVersion, idempotencyKey }, attributes: given, error };
}

/** The way from a zod error to user errors: each with the path of the field that has to change. */
export function toUserErrors(error: z.ZodError): UserError[] {
  return error.issues.map(({ path, message }) => ({ code: 'INVALID', field: path.map(String), message }));
}
