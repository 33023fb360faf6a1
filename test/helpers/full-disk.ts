import { execFileSync } from 'node:child_process';

/**
 * Prevents a process from writing any file beyond its first 64 KiB, as if its disk were full.
 * PostgreSQL panics in the same way as on a full disk, and the helper needs no privileges. Node.js
 * ignores SIGXFSZ, the signal of this limit, so its writes fail with EFBIG.
 * @returns the function that removes the limit
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
