import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolders } from './make-folders.js';

/**
 * Replaces the content of a file atomically. A reader gets either the complete old or the complete
 * new content. Only the owner can access the file.
 *
 * Several processes that share the folder may replace the file at the same time. The name of the
 * temporary file is random, because processes in different containers can have the same id.
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
