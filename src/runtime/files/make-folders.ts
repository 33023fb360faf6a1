import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder for its owner alone, with its missing parents. It does not use `recursive`.
 * Where no folder can be created and the file system reports only ENOENT, as below `/proc`, `mkdir`
 * of Node 20 then never returns. It creates the parents, which exist, and starts over.
 */
export function makeFolders(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolders(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process has created it in the meantime.
    if (!isFolder(folder)) throw error;
  }
}

/**
 * Returns whether the path is a folder. If that is unknown, it returns false, and `mkdir` reports
 * its error.
 */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
