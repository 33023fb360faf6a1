import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { StartError } from '../model/start-error.js';

/** The folders that this process holds: its own id in a lock file can also be that of a dead process before it. */
const held = new Set<string>();

/**
 * Claims a folder for this process with a file named `lock` that holds its process id, and returns the function that
 * lets go. The lock of a process that no longer runs is taken over. Throws a `StartError` when another one
 * holds it.
 */
export function lockFolder(folder: string): () => void {
  const path = resolve(folder, 'lock');
  if (!tryWrite(path)) {
    const pid = Number(readFileSync(path, 'utf8'));
    if (held.has(path) || (pid !== process.pid && isRunning(pid))) {
      throw new StartError(
        `${folder} is in use by process ${pid}. Stop that process or use another folder; if process ${pid} is not Tollgate, remove ${path}.`,
      );
    }
    rmSync(path, { force: true });
    if (!tryWrite(path)) throw new StartError(`${folder} was just taken by another process.`);
  }
  held.add(path);
  return () => {
    held.delete(path);
    rmSync(path, { force: true });
  };
}

function tryWrite(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
