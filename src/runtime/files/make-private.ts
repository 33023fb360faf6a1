import { chmodSync, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from './make-folders.js';

/** What others than its owner could do with a folder before. */
export interface Exposed {
  /** They could look into it: else it does not matter what they might do with the files in it. */
  wasOpen: boolean;
  /** Files and folders that are for their owner alone now. */
  corrected: number;
  /** They belong to another user: what stays open to others. */
  failed: string[];
}

const OTHERS = 0o077;
const OWNER = 0o7700;

/**
 * Makes a folder, where it is missing, that only its owner can look into, and takes from others what they may do with
 * what is in it: hashes of keys, the use that callers make of the API. Links are left alone, as is what they lead to.
 * @param isOwn of what is in it, by its name: where there is anything else, such as a program that others run, that and the folder stay
 * as they are. @default all of it is
 */
export function makePrivate(folder: string, isOwn: (name: string) => boolean = () => true): Exposed {
  makeFolders(folder);
  const wasOpen = (lstatSync(folder).mode & OTHERS) !== 0;
  const exposed: Exposed = { wasOpen, corrected: 0, failed: [] };
  const isWhollyOwn = entriesOf(folder).every((entry) => isOwn(entry.name) || entry.isSymbolicLink());
  // From the outside in: once the folder is closed no other user can put anything into it meanwhile.
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

/** Another process that shares the folder may rename or remove a file meanwhile. */
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
    return []; // Another user's, which stands among those that failed.
  }
}
