import { z } from 'zod';
import { MAX_COST } from '../../model/limit-parameters.js';
import type { Difference } from '../policy/difference.js';
import { flag, text, wholeNumber } from '../policy/validators.js';

/**
 * Reason why an input is invalid or a change fails. `STALE_VERSION`: the object does not have the
 * version that the caller expected. `KEY_REUSED`: a different request has already used the same
 * idempotency key.
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
  /** Path of the input field that has to change. Empty if the error is about the entire input. */
  field: string[];
  message: string;
}

/** The effects of a change, made or planned by a dry run. */
interface Effects {
  /** Differences between the object before and after, field by field. */
  differences: Difference[];
  /** Messages about effects that the admin may not have intended. */
  warnings: string[];
}

/**
 * The result of a request to change something. An invalid request is a value (`ok: false`); only a
 * failure of the database throws.
 */
export type Outcome<T> =
  | ({
      ok: true;
      /** The object in its new state, or in the state that a dry run predicts. */
      value: T;
    } & Effects)
  | {
      ok: false;
      /** The object in its stored state. Null if there is none. */
      current: T | null;
      userErrors: UserError[];
    };

export function rejected<T>(userErrors: UserError[], current: T | null = null): Outcome<T> {
  return { ok: false, current, userErrors };
}

export function done<T>(value: T, { differences = [], warnings = [] }: Partial<Effects> = {}): Outcome<T> {
  return { ok: true, value, differences, warnings };
}

/** Options that every change accepts. */
export interface ChangeOptions {
  /** Reason for the change, for the record of changes. */
  comment?: string | null | undefined;
  /** Whether to validate and return the effects without changing anything. @default false */
  dryRun?: boolean | undefined;
}

export interface UpdateOptions extends ChangeOptions {
  /** Version that the object must have. Otherwise the change fails with `STALE_VERSION`. */
  expectedVersion?: number | undefined;
}

export interface CreateOptions extends ChangeOptions {
  /**
   * Idempotency key. A repeated request with this key creates nothing and returns the object of the
   * first request. The key is kept for a day.
   */
  idempotencyKey?: string | undefined;
}

export const changeOptions = { comment: text(0, 1000).nullish(), dryRun: flag().optional() };

export const updateOptions = { ...changeOptions, expectedVersion: wholeNumber(1, MAX_COST).optional() };

export const createOptions = { ...changeOptions, idempotencyKey: text(1, 200).optional() };

const anyOptions = z.object({ ...updateOptions, ...createOptions });

/** Returns the mistakes in a comment for the record of changes. */
export function findCommentMistakes(comment: string | undefined): UserError[] {
  const { error } = anyOptions.safeParse({ comment });
  return error ? toUserErrors(error) : [];
}

/**
 * Splits an input into the options of the change and the attributes of the object. Undefined
 * attributes are omitted.
 */
export function splitOptions<Input extends UpdateOptions & CreateOptions>(input: Input) {
  const { comment, dryRun = false, expectedVersion, idempotencyKey, ...attributes } = input;
  const given = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
  const { error } = anyOptions.safeParse({ comment, dryRun, expectedVersion, idempotencyKey });
  return { options: { comment, dryRun, expectedVersion, idempotencyKey }, attributes: given, error };
}

/** Converts a zod error to user errors, each with the path of the field that has to change. */
export function toUserErrors(error: z.ZodError): UserError[] {
  return error.issues.map(({ path, message }) => ({ code: 'INVALID', field: path.map(String), message }));
}
