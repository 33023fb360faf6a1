// Measures the disk space that `npm i tollgate` adds to a server with Apollo and graphql, and the
// time and memory to import each entry point:
//   npm run measure:install
// Packs the built package, and installs it with npm into empty folders. Imports each entry point in
// fresh processes, alternating between the entry points.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packTollgate } from './pack-packages.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ROUNDS = 9;
const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const folder = mkdtempSync(join(tmpdir(), 'tollgate-install-'));

try {
  const tarball = await packTollgate(folder);
  const others = ['@apollo/server', 'graphql'];
  const before = install('without', ...others);
  const after = install('with', tarball, ...others);
  const names = [...packagesOf(after)].filter((name) => !packagesOf(before).has(name));
  const addedMb = sizeMb(after) - sizeMb(before);
  process.stdout.write(`npm i tollgate @apollo/server graphql, beyond npm i @apollo/server graphql\n`);
  process.stdout.write(`  ${names.length} packages, ${addedMb.toFixed(1)} MB: ${names.sort().join(', ')}\n\n`);

  const alone = install('alone', '--legacy-peer-deps', tarball);
  const variants = [
    { name: 'graphql', cwd: after, code: `await import('graphql')` },
    { name: 'graphql, then tollgate', cwd: after, code: `await import('graphql'); await import('tollgate')` },
    { name: 'tollgate/limiter, graphql not installed', cwd: alone, code: `await import('tollgate/limiter')` },
  ];
  const seen = variants.map(() => []);
  // The first round is discarded, because its files are not in the page cache yet.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [index, { cwd, code }] of variants.entries()) {
      const program = `const at = performance.now(); ${code};
        process.stdout.write(JSON.stringify({ ms: performance.now() - at, mb: process.memoryUsage().rss / 1e6 }))`;
      const figures = JSON.parse(run(cwd, process.execPath, '--input-type=module', '-e', program));
      if (round > 0) seen[index].push(figures);
    }
  }
  process.stdout.write(`Importing, median of ${ROUNDS} fresh processes (lowest to highest), Node ${process.version}\n`);
  for (const [index, { name }] of variants.entries()) {
    const [ms, mb] = ['ms', 'mb'].map((key) => range(seen[index].map((one) => one[key])));
    process.stdout.write(`  ${name.padEnd(42)} ${ms} ms  ${mb} MB\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function install(name, ...packages) {
  const cwd = join(folder, name);
  mkdirSync(cwd);
  writeFileSync(join(cwd, 'package.json'), '{ "name": "consumer", "private": true }');
  const wanted = packages.map((one) => (devDependencies[one] ? `${one}@${devDependencies[one]}` : one));
  run(cwd, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', ...wanted);
  return cwd;
}

function run(cwd, command, ...args) {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function packagesOf(cwd) {
  const { packages } = JSON.parse(readFileSync(join(cwd, 'node_modules/.package-lock.json'), 'utf8'));
  return new Set(Object.keys(packages).map((path) => path.replace(/^node_modules\//, '')));
}

function sizeMb(cwd) {
  const files = readdirSync(join(cwd, 'node_modules'), { recursive: true, withFileTypes: true });
  const bytes = files.filter((one) => one.isFile()).map((one) => statSync(join(one.parentPath, one.name)).size);
  return bytes.reduce((sum, size) => sum + size, 0) / 1e6;
}

function range(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, mid, high] = [sorted[0], sorted[sorted.length >> 1], sorted.at(-1)].map((value) => value.toFixed(0));
  return `${mid} (${low} to ${high})`;
}
