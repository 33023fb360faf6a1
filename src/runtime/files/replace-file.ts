import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from './make-folders.js';

/**
 * Replaces a file with a text atomically, accessible only to its owner. A reader gets either the
 * old or the new content, complete.
 *
 * Processes that share the folder may do so at the same time. The name of the temporary file is
 * random, because the ids of processes in containers can be equal.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.new`;
  makeFolders(dirname(path));
  try {
    await writeFile(unfinished, text, { mode: 0o600 });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
