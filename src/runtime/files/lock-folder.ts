import { linkSync, readFileSync, readlinkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { StartError } from '../start-error.js';

interface LockOptions {
  /** How often the holder says in its lock that it lives. @default 1000 */
  beatMs?: number;
  /** For how long a lock has to stay as it is until its holder counts as dead, where it cannot be looked for. @default 10000 */
  watchMs?: number;
}

/** What a lock file says, a line each. */
interface Lock {
  pid: number;
  /** Where that process is to be looked for: see `processSpace`. Empty in the lock of an earlier version. */
  space: string;
}

/** The folders that this process holds: its own id in a lock file can also be that of a dead process before it. */
const held = new Set<string>();

/**
 * Claims a folder for this process with a file named `lock`, and resolves with the function that lets go. The lock of a process that
 * no longer runs is taken over. Whether one of another container or machine runs cannot be asked: they all have a process 1. It
 * says so itself, by writing into its lock.
 * @throws StartError when another one holds it
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
    // What is removed has to be what was looked at: another start may have found the same, and be ahead.
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

/** @param found what the lock said when it was read */
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
      ? `${folder} is in use by process ${pid} of another container or machine. Stop that one or use another folder: an embedded database is for one process alone.`
      : `${folder} is in use by process ${pid}. Stop that process or use another folder; if process ${pid} is not Tollgate, remove ${path}.`,
  );
}

function justTaken(folder: string): StartError {
  return new StartError(`${folder} was just taken by another process.`);
}

function tryWrite(path: string): boolean {
  try {
    writeFileSync(path, contentOf(0), { flag: 'wx' });
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    // A full disk takes the file but not its content.
    rmSync(path, { force: true });
    throw error;
  }
}

/**
 * A lock that was removed by hand is not made anew.
 * @throws StartError, which ends the process, where it stood still for so long that another one took the folder: both would write
 */
function beat(folder: string, path: string, beats: number): void {
  const found = readLock(path);
  if (found === undefined) return;
  const { pid, space } = parse(found);
  if (pid !== process.pid || space !== processSpace()) {
    throw new StartError(`${folder} was taken by process ${pid} while this one stood still: this one ends.`);
  }
  try {
    writeFileSync(path, contentOf(beats), { flag: 'r+' });
  } catch {
    // A full or broken disk is told by what the database has to write.
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

/** Equal for processes that can see each other by their ids: on Linux, those of one container since the machine has started. */
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
    // It runs, as another user.
    return isCode(error, 'EPERM');
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
