import { chmodSync, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from './make-folders.js';

/** Access that other users had to a folder before it was made private. */
export interface Exposed {
  /**
   * Whether others could look into the folder. If not, the permissions of the files in it were
   * without effect.
   */
  wasOpen: boolean;
  /** Number of files and folders that are accessible only to their owner now. */
  corrected: number;
  /** Paths that stay open to others because they belong to another user. */
  failed: string[];
}

const OTHERS = 0o077;
const OWNER = 0o7700;

/**
 * Makes a folder accessible only to its owner, and creates it if it is missing. It also removes the
 * permissions of others on its content: hashes of keys and the usage of callers. It changes neither
 * links nor their targets.
 * @param isOwn whether an entry of this name belongs to Tollgate. Entries of others, such as a
 * program that other users run, stay as they are, and so does the folder then.
 * @default all of it is
 */
export function makePrivate(folder: string, isOwn: (name: string) => boolean = () => true): Exposed {
  makeFolders(folder);
  const wasOpen = (lstatSync(folder).mode & OTHERS) !== 0;
  const exposed: Exposed = { wasOpen, corrected: 0, failed: [] };
  const isWhollyOwn = entriesOf(folder).every((entry) => isOwn(entry.name) || entry.isSymbolicLink());
  // From the outside in: other users can add nothing to a folder that is closed.
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
 * Removes the permissions of others. Another process that shares the folder may rename or remove
 * the file in the meantime.
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
    return []; // The folder belongs to another user, and is already in `failed`.
  }
}
