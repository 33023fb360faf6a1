import { readTextFiles } from '../runtime/packages/read-text-files.js';

/** Texts in `migrations/` by file name. The build replaces this call with the texts. */
export const OWN_MIGRATIONS = readTextFiles(new URL('../../migrations/', import.meta.url), '.sql');
