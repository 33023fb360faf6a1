import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, write } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createLogDestination } from '../../src/observability/create-log-destination.js';
import { temporaryFile } from '../helpers/servers.js';
import { until } from '../helpers/until.js';

describe('the destination of the log', () => {
  it('the log destination writes all lines in their order', async () => {
    const path = temporaryFile('log', '');
    const log = createLogDestination({ fd: openSync(path, 'a') });
    const lines = Array.from({ length: 500 }, (_, i) => `${i} ${'x'.repeat(100)}\n`);
    for (const line of lines) log.write(line);
    await until('all lines are written', () => readFileSync(path, 'utf8') === lines.join(''));
  });

  it('the log destination drops and counts lines above its bound while the disk is full, and never throws', async () => {
    const path = temporaryFile('log', '');
    // The descriptor refers to a full disk, and later to a file with free space.
    const fd = openSync('/dev/full', 'w');
    const log = createLogDestination({ fd, maxWaiting: 40 });
    for (let i = 0; i < 100; i++) log.write(`line ${i % 10} of this log\n`);
    // When 20 later writes to the descriptor have failed, the writes of the log have failed too.
    for (let i = 0; i < 20; i++) await expect(promisify(write)(fd, 'x')).rejects.toThrow('ENOSPC');
    replaceDescriptor(fd, path);
    await until('the loss is in the log', () => readFileSync(path, 'utf8').includes('dropped'));
    const written = readFileSync(path, 'utf8').trimEnd().split('\n');
    const loss = JSON.parse(written.pop()!) as { msg: string; level: number };
    expect(written.every((line) => /^line \d of this log$/.test(line))).toBe(true);
    expect(loss.level).toBe(40);
    expect(loss.msg).toBe(
      `${100 - written.length} lines of this log were dropped, because writing failed: ENOSPC: no space left on device, write`,
    );
    closeSync(fd);
  });

  it('the log destination writes the waiting lines when the process exits', () => {
    const path = temporaryFile('log', '');
    const module = new URL('../../src/observability/create-log-destination.ts', import.meta.url).href;
    const script = temporaryFile(
      'exit.mts',
      `import { openSync } from 'node:fs';
       const { createLogDestination } = await import(${JSON.stringify(module)});
       const log = createLogDestination({ fd: openSync(${JSON.stringify(path)}, 'a') });
       process.once('exit', () => log.flushSync());
       for (let i = 0; i < 3; i++) log.write(\`\${i}\\n\`);
       process.exit(0);`,
    );
    execFileSync(process.execPath, ['--import', 'tsx', script]);
    expect(readFileSync(path, 'utf8').trimEnd().split('\n').sort()).toEqual(['0', '1', '2']);
  });
});

/**
 * Makes a descriptor refer to a file. This works because the system gives the lowest free number to
 * each opened file. Other parts of the process may have freed lower numbers.
 */
function replaceDescriptor(fd: number, path: string): void {
  closeSync(fd);
  const opened = [openSync(path, 'a')];
  while (opened.at(-1)! < fd) opened.push(openSync(path, 'a'));
  if (opened.pop() !== fd) throw new Error(`the descriptor ${fd} is in use`);
  for (const lower of opened) closeSync(lower);
}
