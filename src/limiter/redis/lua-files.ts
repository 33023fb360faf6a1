import { readTextFiles } from '../../runtime/packages/read-text-files.js';

/** Texts of the files in `lua/` by path. The build replaces this call by the texts. */
export const LUA_FILES = readTextFiles(new URL('../../../lua/', import.meta.url), '.lua');
