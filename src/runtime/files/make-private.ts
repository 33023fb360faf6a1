import { chmodSync, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from './make-folders.js';

/** Access that other users had to a folder before it was made private. */
export interface Exposed {
  /**
   * Whether other users could access the folder. If not, they could not access the files in it,
   * whatever the permissions of these files were.
   */
  wasOpen: boolean;
  /** Number of files and folders from which the permissions of other users were removed. */
  corrected: number;
  /** Paths that other users can still access, because the paths belong to another user. */
  failed: string[];
}

const OTHERS = 0o077;
const OWNER = 0o7700;

/**
 * Makes a folder accessible only to its owner, and creates it if it is missing. It also removes the
 * permissions of other users on the files in it, which contain hashes of keys and the usage of
 * callers. It changes neither symbolic links nor their targets.
 * @param isOwn returns whether an entry with this name belongs to Tollgate. Other entries, such as
 * a program that other users run, are not changed. If there are any, the permissions of the folder
 * are not changed either.
 * @default all entries belong to Tollgate
 */
export function makePrivate(folder: string, isOwn: (name: string) => boolean = () => true): Exposed {
  makeFolders(folder);
  const wasOpen = (lstatSync(folder).mode & OTHERS) !== 0;
  const exposed: Exposed = { wasOpen, corrected: 0, failed: [] };
  const isWhollyOwn = entriesOf(folder).every((entry) => isOwn(entry.name) || entry.isSymbolicLink());
  // Start with the outer folder. Once it is private, other users can add nothing to it.
  if (isWhollyOwn) close(folder, exposed);
  const walk = (inside: string, entries: Dirent[]) => {
    for (const entry of entries) {
      const path = join(inside, entry.name);
      if (entry.isDirectory()) {
        close(path, exposed);
        walk(path, entriesOf(path));
      } else if (entry.isFile()) close(path, exposed);
    }
  };
  walk(
    folder,
    entriesOf(folder).filter(({ name }) => isOwn(name)),
  );
  return exposed;
}

/**
 * Removes the permissions of other users. Ignores a missing file, because another process that
 * shares the folder may have renamed or removed it.
 */
function close(path: string, exposed: Exposed): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & OTHERS) === 0) return;
  try {
    chmodSync(path, found.mode & OWNER);
    exposed.corrected++;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') exposed.failed.push(path);
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // The folder belongs to another user, and is in `failed` if it was accessible to others.
  }
}
