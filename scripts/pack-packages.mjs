// Packs Tollgate, its client and its platform in the same way as for publishing, for the examples
// and the tests.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleEntryPoints } from './bundle-entry-points.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLIENT = join(ROOT, 'packages/client');
const PLATFORM = join(ROOT, 'packages/platform');

/**
 * Packs the packages into the folder and returns their tarballs by name. Needs `dist/` of Tollgate
 * and of its platform. Builds `dist/` of the client, which takes seconds.
 */
export async function packPackages(folder) {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'packages/client'], { cwd: ROOT, stdio: 'inherit' });
  return {
    tollgate: await packTollgate(folder),
    'tollgate-client': pack(CLIENT, folder),
    'tollgate-platform': pack(PLATFORM, folder),
  };
}

/** Packs Tollgate into the folder and returns the tarball. Needs `dist/` and does not change it. */
export async function packTollgate(folder) {
  const copy = mkdtempSync(join(folder, 'packed-'));
  await layOutTollgate(copy);
  const tarball = pack(copy, folder);
  rmSync(copy, { recursive: true });
  return tarball;
}

/** Copies the files of the tarball and the manifest into the folder, and bundles `dist/` there. */
export async function layOutTollgate(folder) {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const published = files.filter((path) => !path.startsWith('!'));
  for (const path of ['package.json', 'README.md', 'LICENSE', ...published])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  await bundleEntryPoints(folder);
}

function pack(cwd, folder) {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  return join(folder, execFileSync('npm', args, { cwd, encoding: 'utf8' }).trim());
}

/**
 * Changes the manifest of a project so that it installs these packages from their tarballs, if it
 * depends on them. Returns the changed manifest.
 */
export function withPacked(manifestPath, tarballs) {
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
  for (const names of [manifest.dependencies, manifest.devDependencies]) {
    for (const [name, tarball] of Object.entries(tarballs)) if (names?.[name]) names[name] = `file:${tarball}`;
  }
  writeFileSync(manifestPath, JSON.stringify(manifest, null, 2));
  return manifest;
}
