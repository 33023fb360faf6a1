import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../start-error.js';

interface LockOptions {
  /** Interval at which the holder writes to its lock, in milliseconds. @default 1000 */
  beatMs?: number;
  /**
   * Time after which an unchanged lock of another process space counts as abandoned, in
   * milliseconds.
   * @default 10000
   */
  watchMs?: number;
}

/** Content of a lock file, with one line per property. */
interface Lock {
  pid: number;
  /**
   * Process space in which the process id is valid: see `processSpace`. Empty in a lock file of an
   * earlier version.
   */
  space: string;
}

/**
 * Paths of the locks that this process holds. The process id in a lock file does not show this,
 * because a process that has ended may have had the same id.
 */
const held = new Set<string>();

/**
 * Locks a folder for this process with a file named `lock`, and resolves to a function that
 * releases the lock. It takes over the lock of a process that no longer runs.
 *
 * A process id of another container or machine is not sufficient to check whether the holder runs,
 * because each of them has a process 1. Every holder therefore writes to its lock periodically.
 * @throws StartError if another process holds the lock
 */
export async function lockFolder(
  folder: string,
  { beatMs = 1000, watchMs = 10_000 }: LockOptions = {},
): Promise<() => void> {
  const path = resolve(folder, 'lock');
  if (held.has(path)) throw inUse(folder, path, { pid: process.pid, space: processSpace() });
  if (!tryWrite(path)) await takeOver(folder, path, watchMs);
  held.add(path);
  let beats = 0;
  const timer = setInterval(() => beat(folder, path, ++beats), beatMs);
  timer.unref();
  return () => {
    clearInterval(timer);
    held.delete(path);
    rmSync(path, { force: true });
  };
}

async function takeOver(folder: string, path: string, watchMs: number): Promise<void> {
  const found = readLock(path);
  if (found !== undefined) {
    const holder = parse(found);
    if (await isAlive(path, found, holder, watchMs)) throw inUse(folder, path, holder);
    // Make sure that the removed file is the one that was read, because another starting process
    // may have taken over the lock in the meantime.
    const aside = `${path}.${process.pid}.${Date.now()}`;
    try {
      renameSync(path, aside);
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
    }
    const removed = readLock(aside);
    const isAnother = removed !== undefined && removed !== found;
    if (isAnother) linkSync(aside, path);
    rmSync(aside, { force: true });
    if (isAnother) throw justTaken(folder);
  }
  if (!tryWrite(path)) throw justTaken(folder);
}

/**
 * Returns whether the holder of a lock runs.
 * @param found content of the lock when it was read
 */
async function isAlive(path: string, found: string, { pid, space }: Lock, watchMs: number): Promise<boolean> {
  if (space === '' || space === processSpace()) return pid !== process.pid && isRunning(pid);
  const endsAtMs = performance.now() + watchMs;
  while (performance.now() < endsAtMs) {
    await sleep(watchMs / 50);
    const now = readLock(path);
    if (now === undefined) return false;
    if (now !== found) return true;
  }
  return false;
}

function inUse(folder: string, path: string, { pid, space }: Lock): StartError {
  const isElsewhere = space !== '' && space !== processSpace();
  return new StartError(
    isElsewhere
      ? `${folder} is in use by process ${pid} of another container or machine. Stop that process or use another folder, because only one process can use an embedded database.`
      : `${folder} is in use by process ${pid}. Stop that process or use another folder; if process ${pid} is not Tollgate, remove ${path}.`,
  );
}

function justTaken(folder: string): StartError {
  return new StartError(`${folder} is in use by another process, which started at the same time.`);
}

function tryWrite(path: string): boolean {
  try {
    writeFileSync(path, contentOf(0), { flag: 'wx' });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    // On a full disk, the file is created without its content.
    rmSync(path, { force: true });
    throw error;
  }
}

/**
 * Writes to the lock. Does not create the lock again if a user has removed it.
 * @throws StartError if this process was suspended for so long that another process took over the
 * lock. The error ends this process, because otherwise both would write to the folder
 */
function beat(folder: string, path: string, beats: number): void {
  const found = readLock(path);
  if (found === undefined) return;
  const { pid, space } = parse(found);
  if (pid !== process.pid || space !== processSpace()) {
    throw new StartError(
      `${folder} was taken over by process ${pid} while this process was suspended: this process exits.`,
    );
  }
  try {
    writeFileSync(path, contentOf(beats), { flag: 'r+' });
  } catch {
    // Do not report a full or broken disk here, because the next write of the database fails and
    // reports it.
  }
}

function contentOf(beats: number): string {
  return `${process.pid}\n${processSpace()}\n${beats}\n`;
}

function readLock(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function parse(text: string): Lock {
  const [pid = '', space = ''] = text.split('\n');
  return { pid: Number(pid), space };
}

let space: string | undefined;

/**
 * Returns a string that is the same for processes that can check each other's ids. On Linux, these
 * are the processes of one container since the start of the machine. On other systems, the string
 * is the host name.
 */
function processSpace(): string {
  space ??= readSpace();
  return space;
}

function readSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function isRunning(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process runs as another user.
    return isCode(error, 'EPERM');
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
