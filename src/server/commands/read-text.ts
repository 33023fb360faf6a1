import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodeText } from '../../runtime/files/decode-text.js';

/** A mistake in the command line. The command prints only its message, without a stack. */
export class UsageError extends Error {}

/** Reads a text file. @throws UsageError naming the flag */
export function readText(flag: string, file: string): string {
  try {
    return decodeText(readFileSync(file));
  } catch (error) {
    throw new UsageError(`${flag}: cannot read ${file}: ${reasonOf(error)}`);
  }
}

/**
 * Expands folders in a list of paths. A folder is replaced by the files in and below it whose name
 * ends in one of `endings`.
 * @throws UsageError naming the flag, for a folder without such a file
 */
export function expandFolders(flag: string, paths: readonly string[], endings: readonly string[]): string[] {
  return paths.flatMap((path) => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [path];
    const names = readdirSync(path, { recursive: true, encoding: 'utf8' });
    const found = names.filter(
      (name) => endings.some((ending) => name.endsWith(ending)) && !name.split(/[\\/]/).includes('node_modules'),
    );
    if (found.length === 0)
      throw new UsageError(`${flag}: the folder ${path} has no file that ends in ${endings.join(', ')}`);
    return found.sort().map((name) => join(path, name));
  });
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
