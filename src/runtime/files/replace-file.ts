import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from './make-folders.js';

/**
 * Puts a text in place of a file in one step, for its owner alone: who reads it finds the old one or the new one, whole. Processes
 * that share the folder may do so at the same time; in containers their ids may be the same.
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
