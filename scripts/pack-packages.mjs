// Packs Tollgate and its client as they would be published, for the examples and the tests.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleDoors } from './bundle-doors.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CLIENT = join(ROOT, 'packages/client');

/**
 * The tarballs of the packages by their names, in that folder. Needs `dist/` of Tollgate; builds
 * the client's, which takes seconds.
 */
export async function packPackages(folder) {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'packages/client'], { cwd: ROOT, stdio: 'inherit' });
  return { tollgate: await packTollgate(folder), 'tollgate-client': pack(CLIENT, folder) };
}

/** The tarball of Tollgate, in that folder. Needs `dist/`, and leaves it as it is. */
export async function packTollgate(folder) {
  const copy = mkdtempSync(join(folder, 'packed-'));
  await layOutTollgate(copy);
  const tarball = pack(copy, folder);
  rmSync(copy, { recursive: true });
  return tarball;
}

/** In that folder what is in the tarball, and its manifest. */
export async function layOutTollgate(folder) {
  const { files } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const published = files.filter((path) => !path.startsWith('!'));
  for (const path of ['package.json', 'README.md', 'LICENSE', ...published])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  await bundleDoors(folder);
}

function pack(cwd, folder) {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  return join(folder, execFileSync('npm', args, { cwd, encoding: 'utf8' }).trim());
}

/** Has a project take these packages from their tarballs, where it names them. */
export function withPacked(manifestPath, tarballs) {
  const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));
  for (const names of [manifest.dependencies, manifest.devDependencies]) {
    for (const [name, tarball] of Object.entries(tarballs)) if (names?.[name]) names[name] = `file:${tarball}`;
  }
  writeFileSync(manifestPath, JSON.stringify(manifest, null, 2));
  return manifest;
}
