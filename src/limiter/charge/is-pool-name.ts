/** The pool of what is in no other. */
export const DEFAULT_POOL = 'default';

/** As the names of environment variables, in lower case. */
const FORM = /^[a-z][a-z0-9_]{0,31}$/;

/** Whether a pool may be called that. */
export function isPoolName(name: string): boolean {
  return FORM.test(name) && name !== DEFAULT_POOL;
}
