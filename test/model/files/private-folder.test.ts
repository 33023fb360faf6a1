import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makePrivate } from '../../../src/runtime/files/make-private.js';

/**
 * Script that replaces files like a process that stores its rules in a file. It writes a new file
 * and renames it to the name of the old file.
 */
const REPLACES_FILES = `
  const { renameSync, writeFileSync } = require('node:fs');
  process.send('begins');
  for (let n = 0; ; n++) {
    writeFileSync('new-' + n % 20, '', { mode: 0o644 });
    renameSync('new-' + n % 20, 'file-' + n % 20);
  }`;

it('a folder becomes private while another process replaces files in it', async () => {
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
  // On a busy machine, the other process may not run during the first 300 calls.
  for (let i = 0; i < 300 || corrected === 0; i++) {
    if (i % 50 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    const exposed = makePrivate(folder);
    corrected += exposed.corrected;
    expect(exposed.failed).toEqual([]);
  }
  expect(corrected).toBeGreaterThan(0);
});

it('makePrivate changes only files that belong to Tollgate, and the folder only if it contains no other files', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-private-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const paths = { 'own/tool': 0o755, 'own/data': 0o664, own: 0o755, readme: 0o644, '.': 0o755 };
  mkdirSync(join(folder, 'own'));
  for (const path of ['own/tool', 'own/data', 'readme']) writeFileSync(join(folder, path), '');
  for (const [path, mode] of Object.entries(paths)) chmodSync(join(folder, path), mode);
  const modes = () => Object.keys(paths).map((path) => (lstatSync(join(folder, path)).mode & 0o7777).toString(8));

  expect(makePrivate(folder, (name) => name === 'own')).toEqual({ wasOpen: true, corrected: 3, failed: [] });
  expect(modes()).toEqual(['700', '600', '700', '644', '755']);
  rmSync(join(folder, 'readme'));
  writeFileSync(join(folder, 'own', 'late'), '', { mode: 0o644 });
  expect(makePrivate(folder, (name) => name === 'own')).toMatchObject({ corrected: 2 });
  expect(lstatSync(folder).mode & 0o7777).toBe(0o700);
});
