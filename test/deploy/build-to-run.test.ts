import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tollgate-build-'));
const at = (path: string) => join(folder, path);
beforeAll(() => {
  for (const name of ['src', 'scripts', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json']) {
    cpSync(join(ROOT, name), at(name), { recursive: true, preserveTimestamps: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), at('node_modules'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What `npm start` does first. */
function buildToRun(): number {
  const { status, stderr } = spawnSync(process.execPath, [at('scripts/build-unchecked.mjs'), '--to-run'], {
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return statSync(at('dist/cli.js')).mtimeMs;
}

describe('a build to run', () => {
  it('makes what can be started, once, and again where a source has changed', () => {
    const built = buildToRun();
    const { status, stdout } = spawnSync(process.execPath, [at('dist/cli.js'), '--version'], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, '0.1.0\n']);
    expect(buildToRun()).toBe(built);
    const later = new Date(Date.now() + 1000);
    utimesSync(at('src/cli.ts'), later, later);
    expect(buildToRun()).toBeGreaterThan(built);
  });

  it('does not count as the compiler’s: that one begins from nothing then', () => {
    const later = new Date(Date.now() + 2000);
    writeFileSync(at('dist/.tsbuildinfo'), '{}');
    utimesSync(at('dist/.tsbuildinfo'), new Date(0), new Date(0));
    utimesSync(at('src/cli.ts'), later, later);
    buildToRun();
    expect(existsSync(at('dist/.tsbuildinfo'))).toBe(false);
  });
});
