// Bundles the hundreds of modules in dist/ into one file for each entry point, and shared files for
// the code that several entry points use. Importing a bundle takes two thirds of the time that
// importing its modules takes, and a fifth less memory. Only the published package is bundled; a
// checkout runs the modules.
//   `node scripts/bundle-entry-points.mjs [folder of the package]`
import { existsSync, readdirSync, readFileSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Marker files that a build leaves next to its modules, for the next build. */
const MARKS_OF_BUILDS = ['.tsbuildinfo', '.built-to-run'];

/**
 * Bundles `dist/` of the package in place.
 * @throws if `dist/` does not contain the modules of a build; `dist/` then stays unchanged
 */
export async function bundleEntryPoints(folder = ROOT) {
  const dist = join(folder, 'dist');
  // Bundling the bundles again would work, but the names of chunks would be nested.
  if (!MARKS_OF_BUILDS.some((name) => existsSync(join(dist, name)))) {
    throw new Error(`${dist} does not contain the modules of a build, or is bundled already: npm run build:unchecked`);
  }
  const bundled = join(folder, 'dist-bundled');
  const { exports, bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = [...Object.values(exports), ...Object.values(bin)].map((target) => target.default ?? target);
  const entryPoints = new Set(files.map((path) => path.replace(/^\.\//, '')).filter((path) => path.endsWith('.js')));
  const bundle = await rolldown({
    cwd: folder,
    input: Object.fromEntries(
      [...entryPoints].map((path) => [path.slice('dist/'.length, -'.js'.length), join(folder, path)]),
    ),
    platform: 'node',
    external: (id, importer) => importer !== undefined && !id.startsWith('.') && !isAbsolute(id),
    // Each entry point exports exactly the names of its module, and no other file imports an entry
    // point. Importing the entry point of the commands would run a command.
    preserveEntrySignatures: 'strict',
  });
  // Shared code must exist only once, because the entry points exchange instances of its classes.
  await bundle.write({ dir: bundled, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' });
  await bundle.close();
  // Delete the marker files. Otherwise the compiler would treat the bundles in dist/ as its own
  // output.
  for (const name of MARKS_OF_BUILDS) rmSync(join(dist, name), { force: true });
  for (const path of filesBelow(dist, 'console')) if (/\.js(\.map)?$/.test(path)) rmSync(path);
  for (const path of filesBelow(bundled)) renameSync(path, join(dist, path.slice(bundled.length)));
  rmSync(bundled, { recursive: true });
  removeEmpty(dist);
}

function filesBelow(folder, except) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.name === except) return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await bundleEntryPoints(process.argv[2]);
