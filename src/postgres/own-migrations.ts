import { readTextFiles } from '../runtime/packages/read-text-files.js';

/** The texts of `migrations/` by their names. The build puts them in the place of this call. */
export const OWN_MIGRATIONS = readTextFiles(new URL('../../migrations/', import.meta.url), '.sql');
