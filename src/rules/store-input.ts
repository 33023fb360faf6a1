import { z } from 'zod';
import type { UserError } from './store-outcome.js';

/** Checks of single values, each saying what was expected and what came; and the way from a zod error to user errors. */

export function wholeNumber(min: number, max: number) {
  const fits = (value: unknown) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
  return z.custom<number>(fits, { error: expected(`a whole number from ${min} to ${max}`) });
}

export function wholeNumberOrNull(min: number, max: number) {
  const one = wholeNumber(min, max);
  const fits = (value: unknown) => value === null || one.safeParse(value).success;
  return z.custom<number | null>(fits, { error: expected(`a whole number from ${min} to ${max}, or null`) });
}

export function text(minLength: number, maxLength: number) {
  const fits = (value: unknown) =>
    typeof value === 'string' && isStorable(value) && [...value].length >= minLength && [...value].length <= maxLength;
  return z.custom<string>(fits, { error: expected(`a text of ${minLength} to ${maxLength} characters`) });
}

export function matching(pattern: RegExp, description: string) {
  const fits = (value: unknown) => typeof value === 'string' && pattern.test(value);
  return z.custom<string>(fits, { error: expected(description) });
}

export function flag() {
  return z.boolean({ error: expected('true or false') });
}

/**
 * Whether PostgreSQL can keep the text as it is: it has no NUL, and half a surrogate pair would be replaced, so that two
 * texts became one.
 */
export function isStorable(value: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(value);
}

export function toUserErrors(error: z.ZodError): UserError[] {
  return error.issues.map(({ path, message }) => ({ code: 'INVALID', field: path.map(String), message }));
}

function expected(what: string) {
  return ({ input }: { input?: unknown }) => `expected ${what}, got ${show(input)}`;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  const shown = JSON.stringify(value) ?? typeof value;
  return shown.length <= 80 ? shown : `${shown.slice(0, 79)}…`;
}
