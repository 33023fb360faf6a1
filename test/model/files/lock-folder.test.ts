import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFolder } from '../../../src/runtime/files/lock-folder.js';

const QUICK = { beatMs: 20, watchMs: 400 };
const ELSEWHERE = 'process 1 of another container or machine';

describe('lock of a folder', () => {
  let folder: string;
  let lock: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'tollgate-lock-'));
    lock = join(folder, 'lock');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /**
   * Writes a lock file as a process in another container would write it. That process has the id 1.
   * The file is complete whenever it is read.
   */
  function writeAsElsewhere(beats: number): void {
    writeFileSync(`${lock}.new`, `1\nanother space\n${beats}\n`);
    renameSync(`${lock}.new`, lock);
  }

  it('a second lock of a folder by the same process fails, and unlocking removes the lock file', async () => {
    const unlock = await lockFolder(folder, QUICK);
    await expect(lockFolder(folder, QUICK)).rejects.toThrow(`in use by process ${process.pid}.`);
    unlock();
    expect(existsSync(lock)).toBe(false);
    (await lockFolder(folder, QUICK))();
  });

  it('the lock of an ended process is taken over immediately, even if an earlier version wrote it', async () => {
    const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
    await once(child, 'exit');
    const unlock = await lockFolder(folder, QUICK);
    const [, space] = readFileSync(lock, 'utf8').split('\n');
    unlock();
    for (const left of [`${child.pid}\n${space}\n7\n`, `${child.pid}`, '', `${process.pid}\n${space}\n7\n`]) {
      writeFileSync(lock, left);
      // The watch time is an hour, so the call succeeds only if it does not wait for that time.
      (await lockFolder(folder, { watchMs: 3_600_000 }))();
    }
  });

  it('the lock of a process in another container stays valid while that process updates it', async () => {
    let beats = 0;
    writeAsElsewhere(beats);
    const beating = setInterval(() => writeAsElsewhere(++beats), QUICK.beatMs);
    try {
      await expect(lockFolder(folder, QUICK)).rejects.toThrow(ELSEWHERE);
      expect(readFileSync(lock, 'utf8')).toContain('another space');
    } finally {
      clearInterval(beating);
    }
  });

  it('the lock of an ended container is taken over after it has not been updated for the watch time', async () => {
    writeAsElsewhere(7);
    const beganMs = performance.now();
    const unlock = await lockFolder(folder, QUICK);
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(QUICK.watchMs);
    expect(readFileSync(lock, 'utf8')).not.toContain('another space');
    unlock();
  });

  it('a held lock is updated regularly', async () => {
    const unlock = await lockFolder(folder, QUICK);
    const first = readFileSync(lock, 'utf8');
    await expect.poll(() => readFileSync(lock, 'utf8')).not.toBe(first);
    unlock();
    await sleep(3 * QUICK.beatMs);
    expect(existsSync(lock)).toBe(false);
  });

  it('exactly one of many waiting processes takes over an abandoned lock', async () => {
    writeAsElsewhere(7);
    const starts = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder, QUICK)));
    const taken = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
    expect(taken).toHaveLength(1);
    taken[0]!();
  });

  it('a process exits if it was suspended so long that another process took its lock', async () => {
    const module = JSON.stringify(new URL('../../../src/runtime/files/lock-folder.ts', import.meta.url).href);
    const script = join(folder, 'holder.mts');
    writeFileSync(
      script,
      `import { lockFolder } from ${module};
      await lockFolder(${JSON.stringify(folder)}, ${JSON.stringify(QUICK)});
      console.log('locked');
      setTimeout(() => {}, 60_000);`,
    );
    const holder = spawn(process.execPath, ['--import', 'tsx', script]);
    let output = '';
    holder.stderr.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
    await once(holder.stdout, 'data');
    // The holder may just write to the lock itself, and replace the first one of these.
    const taking = setInterval(() => writeAsElsewhere(0), QUICK.beatMs);
    try {
      writeAsElsewhere(0);
      await once(holder, 'close');
    } finally {
      clearInterval(taking);
    }
    expect(holder.exitCode).not.toBe(0);
    expect(output).toContain('was taken over by process 1 while this process was suspended');
  });
});
