import { notInstalled } from '../runtime/packages/load-optional.js';

/**
 * Imports the package `pg`. If it is missing, `loadOptional` adds the name of the setting that
 * needs it to the error.
 */
export async function importPg() {
  try {
    return await import('pg');
  } catch (error) {
    throw notInstalled('pg', error);
  }
}
