import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder that only its owner can access, and its missing parents. It does not use the
 * option `recursive` of `mkdir`. With it, Node 20 retries forever if the file system reports ENOENT
 * although the parents exist, as in `/proc`.
 */
export function makeFolders(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolders(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have created the folder in the meantime.
    if (!isFolder(folder)) throw error;
  }
}

/**
 * Returns whether the path is a folder. If this cannot be determined, returns false. `mkdir` then
 * reports the error.
 */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
