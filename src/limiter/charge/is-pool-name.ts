/** Pool of all operations that are assigned to no other. */
export const DEFAULT_POOL = 'default';

/** Form of a pool name. In upper case, the name is part of the name of an environment variable. */
const FORM = /^[a-z][a-z0-9_]{0,31}$/;

/** Returns whether a pool may have this name. */
export function isPoolName(name: string): boolean {
  return FORM.test(name) && name !== DEFAULT_POOL;
}
