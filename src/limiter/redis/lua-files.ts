import { readTextFiles } from '../../runtime/packages/read-text-files.js';

/** The texts of `lua/` by their paths there. The build puts them in the place of this call. */
export const LUA_FILES = readTextFiles(new URL('../../../lua/', import.meta.url), '.lua');
