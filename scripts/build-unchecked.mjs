// Builds dist/ without checking types, unless nothing that it is built from has changed since the last build: the tests,
// the faults and `npm start` each ask for it. Plain JavaScript, so that nothing has to be built or loaded to find out.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const BUILT = join(ROOT, 'dist/.tsbuildinfo');
const SOURCES = ['tsconfig.json', 'tsconfig.build.json', 'package-lock.json', 'src'].map((name) => join(ROOT, name));
const builtMs = existsSync(BUILT) ? statSync(BUILT).mtimeMs : 0;

if (SOURCES.some((path) => changedSince(path, builtMs))) {
  const begun = new Date();
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--noCheck'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
  // The compiler leaves it alone where only times have changed; and what changed while it compiled comes next time.
  utimesSync(BUILT, begun, begun);
}

/** A folder changes when a file is added, renamed or removed, a file when it is written. */
function changedSince(path, timeMs) {
  const stats = statSync(path);
  if (stats.mtimeMs > timeMs) return true;
  return stats.isDirectory() && readdirSync(path).some((name) => changedSince(join(path, name), timeMs));
}
