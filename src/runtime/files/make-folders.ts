import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder for its owner alone, and those that it is in, where they are missing. `mkdir` of Node 20 never comes back where no
 * folder can be made and the file system says only that there is none, as below `/proc`: with `recursive` it makes the parents, which
 * are there, and begins again.
 */
export function makeFolders(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolders(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process has made it meanwhile.
    if (!isFolder(folder)) throw error;
  }
}

/** False where it cannot be told as well: then the error of `mkdir` is shown. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
