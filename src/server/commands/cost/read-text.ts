import { readFileSync } from 'node:fs';

/** A mistake in the command line: said in one line, without a stack. */
export class UsageError extends Error {}

/** @throws UsageError naming the flag */
export function readText(flag: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${flag}: cannot read ${file}: ${reasonOf(error)}`);
  }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
