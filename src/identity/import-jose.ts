import { notInstalled } from '../runtime/packages/load-optional.js';

/** The package, for `loadOptional` to say who needs it. */
export async function importJose() {
  try {
    return await import('jose');
  } catch (error) {
    throw notInstalled('jose', error);
  }
}
