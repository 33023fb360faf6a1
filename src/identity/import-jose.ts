import { notInstalled } from '../runtime/packages/load-optional.js';

/**
 * Imports the package `jose`. If it is missing, `loadOptional` adds the name of the setting that
 * needs it to the error.
 */
export async function importJose() {
  try {
    return await import('jose');
  } catch (error) {
    throw notInstalled('jose', error);
  }
}
