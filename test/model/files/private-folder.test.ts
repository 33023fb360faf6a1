import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makePrivate } from '../../../src/model/files/private-folder.js';

/** Replaces files as a process does that keeps its rules in one: it writes a new one and gives it the name of the old. */
const REPLACES_FILES = `
  const { renameSync, writeFileSync } = require('node:fs');
  process.send('begins');
  for (let n = 0; ; n++) {
    writeFileSync('new-' + n % 20, '', { mode: 0o644 });
    renameSync('new-' + n % 20, 'file-' + n % 20);
  }`;

it('a folder is made private while another process replaces files in it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-private-'));
  const other = spawn(process.execPath, ['-e', REPLACES_FILES], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(async () => {
    other.kill('SIGKILL');
    if (other.exitCode === null && other.signalCode === null) await once(other, 'exit');
    rmSync(folder, { recursive: true, force: true });
  });
  await once(other, 'message');
  let corrected = 0;
  for (let i = 0; i < 300; i++) {
    const exposed = makePrivate(folder);
    corrected += exposed.corrected;
    expect(exposed.failed).toEqual([]);
  }
  expect(corrected).toBeGreaterThan(0);
});
