import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Puts a text in place of a file in one step, for its owner alone: who reads it finds the old one or the new one, whole. Processes
 * that share the folder may do so at the same time; in containers their ids may be the same.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.new`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await writeFile(unfinished, text, { mode: 0o600 });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}
