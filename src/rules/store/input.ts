import type { z } from 'zod';
import type { UserError } from './outcome.js';

/** The way from a zod error to user errors: each with the path of the field that has to change. */
export function toUserErrors(error: z.ZodError): UserError[] {
  return error.issues.map(({ path, message }) => ({ code: 'INVALID', field: path.map(String), message }));
}
