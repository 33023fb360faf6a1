import type { Difference } from '../difference.js';

/**
 * Why an input was not taken. `STALE_VERSION`: somebody else changed the object since the version that the caller
 * expected. `KEY_REUSED`: another request was made under the same idempotency key.
 */
export type UserErrorCode = 'INVALID' | 'NOT_FOUND' | 'ALREADY_EXISTS' | 'STALE_VERSION' | 'IN_USE' | 'KEY_REUSED';

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
