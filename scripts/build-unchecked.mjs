// Builds dist/ without checking types, and skips the build if no input has changed since the last
// one. The tests, the fault tests and `npm start` run this script. It is plain JavaScript, so that
// it runs without a build and without a loader.
//   --to-run   builds only the JavaScript files, without declarations and source maps. It takes a
//              tenth of the time, and is meant for a first start
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/**
 * Build state of the compiler, and the marker file whose modification time is the time of the last
 * `--to-run` build.
 */
const BUILT = join(ROOT, 'dist/.tsbuildinfo');
const BUILT_TO_RUN = join(ROOT, 'dist/.built-to-run');
const SOURCES = [
  ...['tsconfig.json', 'tsconfig.build.json', 'package.json', 'package-lock.json', 'src', 'lua', 'migrations'],
  'packages/platform/src',
  'scripts/inline-files.mjs',
].map((name) => join(ROOT, name));
const isToRun = process.argv.includes('--to-run');

const builtMs = Math.max(timeOf(BUILT), isToRun ? timeOf(BUILT_TO_RUN) : 0);
const isComplete = existsSync(join(ROOT, 'packages/platform/dist/sample.js'));
if (!isComplete || SOURCES.some((path) => changedSince(path, builtMs))) {
  const begun = new Date();
  if (isToRun) await buildToRun();
  else compile();
  const { inlineFiles } = await import('./inline-files.mjs');
  await inlineFiles();
  const { buildPlatform } = await import('./build-platform.mjs');
  await buildPlatform();
  // The compiler does not write its state file if only the times of sources have changed, so the
  // script sets the time of the state file. It uses the start of the build, so that the next build
  // includes files that changed during this build.
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

/**
 * Compiles each file separately. Because of `isolatedModules`, the result is the same as if all
 * files were compiled together.
 */
async function buildToRun() {
  const { build } = await import('esbuild');
  // Delete the state of the compiler. Otherwise it would treat these files in dist/ as its own
  // output.
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

/**
 * Returns whether a path changed after `timeMs`. Adding, renaming or removing a file changes the
 * time of its folder; writing a file changes its own.
 */
function changedSince(path, timeMs) {
  const stats = statSync(path);
  if (stats.mtimeMs > timeMs) return true;
  return stats.isDirectory() && readdirSync(path).some((name) => changedSince(join(path, name), timeMs));
}
