// Packs Tollgate and its client as they would be published, for the examples.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = { tollgate: ROOT, 'tollgate-client': join(ROOT, 'packages/client') };

/** The tarballs of the packages by their names, in that folder. Needs `dist/` of Tollgate; builds the client's, which takes seconds. */
export function packPackages(folder) {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [compiler, '-p', 'packages/client'], { cwd: ROOT, stdio: 'inherit' });
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  const pack = (cwd) => join(folder, execFileSync('npm', args, { cwd, encoding: 'utf8' }).trim());
  return Object.fromEntries(Object.entries(FOLDERS).map(([name, cwd]) => [name, pack(cwd)]));
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
