import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isNotFound } from './load-optional.js';

/**
 * Major versions that the entry points require of some packages. They are not ranges of peer
 * dependencies. Otherwise `npm install tollgate` would fail in projects that use another version of
 * such a package but not the entry point.
 */
const NEEDED_MAJORS: Readonly<Record<string, number>> = {
  express: 5,
  'graphql-ws': 6,
  'type-graphql': 2,
  undici: 7,
  ws: 8,
};

/**
 * Loads the module of an entry point whose packages are optional peer dependencies. Throws an
 * `Error` if packages are missing or have another major version. The message lists all of them, and
 * the command that installs them.
 */
export async function loadEntryPoint<Module>(
  entryPoint: string,
  packages: readonly string[],
  load: () => Promise<Module>,
): Promise<Module> {
  rejectOtherMajors(entryPoint, packages);
  try {
    return await load();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const found = await Promise.all(packages.map((name) => import(name).then(() => true, isThere)));
    const missing = packages.filter((_, index) => !found[index]);
    if (missing.length === 0) throw error;
    const what = missing.length === 1 ? 'a package that is' : 'packages that are';
    throw forUser(`${entryPoint} needs ${what} not installed: npm install ${missing.join(' ')}`, error);
  }
}

/**
 * Returns whether a package is installed, although its import failed with this error. Any error
 * other than a missing module comes from the package itself.
 */
function isThere(error: unknown): boolean {
  return !isNotFound(error);
}

function rejectOtherMajors(entryPoint: string, packages: readonly string[]): void {
  const wrong = packages.flatMap((name) => {
    const major = NEEDED_MAJORS[name];
    const version = major === undefined ? undefined : installedVersion(name);
    return version === undefined || Number.parseInt(version, 10) === major ? [] : [{ name, major, version }];
  });
  if (wrong.length === 0) return;
  const needs = wrong.map(({ name, major, version }) => `${name} ${major}, and ${version} is installed`).join('; ');
  const command = wrong.map(({ name, major }) => `${name}@${major}`).join(' ');
  throw forUser(`${entryPoint} needs ${needs}: npm install ${command}`);
}

/**
 * Returns the installed version of a package. Returns undefined if it cannot be determined. Loading
 * the package then reports the problem.
 */
function installedVersion(name: string): string | undefined {
  try {
    let folder = dirname(createRequire(import.meta.url).resolve(name));
    for (;;) {
      const manifest = readManifest(join(folder, 'package.json'));
      if (manifest?.name === name) return manifest.version;
      if (dirname(folder) === folder) return undefined;
      folder = dirname(folder);
    }
  } catch {
    return undefined;
  }
}

/**
 * Reads a `package.json`. Packages with several builds may have more of these files in subfolders,
 * without a name.
 */
function readManifest(path: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Creates an error that commands print without a stack trace. */
function forUser(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { isForUser: true });
}
