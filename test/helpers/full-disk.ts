import { execFileSync } from 'node:child_process';

/**
 * Lets a process write no file beyond its first 64 KiB, as if its disk were full: PostgreSQL panics
 * alike, and no privileges are needed. Node ignores the signal of the limit, so writes fail with
 * EFBIG.
 * @returns the function that makes room again
 */
export function fillDiskOf(pid: number): () => void {
  const limit = (bytes: string) => {
    try {
      execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:unlimited`]);
    } catch (cause) {
      throw new Error('This test needs prlimit of util-linux, which every Linux has', { cause });
    }
  };
  limit('65536');
  return () => limit('unlimited');
}
