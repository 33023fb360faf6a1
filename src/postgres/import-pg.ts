import { notInstalled } from '../runtime/packages/load-optional.js';

/** The package, for `loadOptional` to say who needs it. */
export async function importPg() {
  try {
    return await import('pg');
  } catch (error) {
    throw notInstalled('pg', error);
  }
}
