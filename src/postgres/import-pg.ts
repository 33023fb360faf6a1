import { notInstalled } from '../runtime/packages/optional-package.js';

/** The package, for `loadOptional` to say who needs it. */
export async function importPg() {
  try {
    return await import('pg');
  } catch (error) {
    throw notInstalled('pg', error);
  }
}
