// Builds dist/ without checking types, unless nothing that it is built from has changed since the
// last build: the tests, the faults and `npm start` each ask for it. Plain JavaScript, so that
// nothing has to be built or loaded to find out.
//   --to-run   only what runs, without declarations and source maps: a tenth of the time, for a first start
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** What the compiler remembers of its last build, and when the other one was. */
const BUILT = join(ROOT, 'dist/.tsbuildinfo');
const BUILT_TO_RUN = join(ROOT, 'dist/.built-to-run');
const SOURCES = [
  ...['tsconfig.json', 'tsconfig.build.json', 'package.json', 'package-lock.json', 'src', 'lua', 'migrations'],
  'packages/platform/src',
  'scripts/inline-files.mjs',
].map((name) => join(ROOT, name));
const isToRun = process.argv.includes('--to-run');

const builtMs = Math.max(timeOf(BUILT), isToRun ? timeOf(BUILT_TO_RUN) : 0);
if (SOURCES.some((path) => changedSince(path, builtMs))) {
  const begun = new Date();
  if (isToRun) await buildToRun();
  else compile();
  const { inlineFiles } = await import('./inline-files.mjs');
  await inlineFiles();
  const { buildPlatform } = await import('./build-platform.mjs');
  await buildPlatform();
  // The compiler leaves it alone where only times have changed; and what changed while it compiled comes next time.
  utimesSync(isToRun ? BUILT_TO_RUN : BUILT, begun, begun);
}

const CONSOLE = join(ROOT, 'console');
const CONSOLE_BUILT = join(ROOT, 'dist/console/index.html');
if (
  existsSync(CONSOLE) &&
  [CONSOLE, join(ROOT, 'package-lock.json')].some((path) => changedSince(path, timeOf(CONSOLE_BUILT)))
) {
  const begun = new Date();
  const { build } = await import('vite');
  await build({ configFile: join(CONSOLE, 'vite.config.ts'), logLevel: 'warn' });
  utimesSync(CONSOLE_BUILT, begun, begun);
}

function compile() {
  const compiler = join(ROOT, 'scripts/compile.mjs');
  const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--noCheck'], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}

/** Each file by itself, which `isolatedModules` makes as good as all of them together. */
async function buildToRun() {
  const { build } = await import('esbuild');
  // The compiler must not take for its own what it finds in dist/ afterwards.
  rmSync(BUILT, { force: true });
  await build({
    entryPoints: filesBelow(join(ROOT, 'src')).filter((path) => path.endsWith('.ts')),
    outbase: join(ROOT, 'src'),
    outdir: join(ROOT, 'dist'),
    tsconfig: join(ROOT, 'tsconfig.json'),
    format: 'esm',
    platform: 'node',
    target: 'node20',
  });
  writeFileSync(BUILT_TO_RUN, '');
}

function filesBelow(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)) : [join(folder, entry.name)],
  );
}

function timeOf(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}

/** A folder changes when a file is added, renamed or removed, a file when it is written. */
function changedSince(path, timeMs) {
  const stats = statSync(path);
  if (stats.mtimeMs > timeMs) return true;
  return stats.isDirectory() && readdirSync(path).some((name) => changedSince(join(path, name), timeMs));
}
