import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../docs/documents.js';

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

/** Creates a folder with the scripts of the package, and without any package installed. */
function folderWithoutPackages(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-no-packages-'));
  mkdirSync(join(folder, 'scripts'));
  copyFileSync(join(ROOT, 'scripts/ensure-test-packages.mjs'), join(folder, 'scripts/ensure-test-packages.mjs'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }));
  return folder;
}

it.each([
  'example',
  'build',
  'build:console',
  'check',
  'bench',
  'fix',
  'generate',
])('npm run %s after "npm ci --no-workspaces" names the install that it needs', (name) => {
  const { status, stderr } = spawnSync('npm', ['run', '--silent', name], {
    cwd: folderWithoutPackages(),
    encoding: 'utf8',
  });
  expect(stderr).toBe(
    `npm run ${name} needs packages that "npm ci --no-workspaces" does not install. Run "npm ci" first.\n`,
  );
  expect(status).toBe(1);
});

it('the check passes where the packages are installed', () => {
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/ensure-test-packages.mjs')], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
});
