import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isNotFound } from './load-optional.js';

/**
 * Of packages that a project may have for reasons of its own, in any version: those that these doors work with. As ranges of peers they would
 * keep `npm install tollgate` from projects that never open such a door.
 */
const NEEDED_MAJORS: Readonly<Record<string, number>> = { express: 5, 'type-graphql': 2, undici: 7 };

/**
 * Loads what stands behind a door of the package whose packages are optional peers. Throws an `Error` that names all of them
 * that are missing at once, or of another version than the door works with, with the command that installs them.
 */
export async function loadDoor<Module>(
  door: string,
  packages: readonly string[],
  load: () => Promise<Module>,
): Promise<Module> {
  refuseOtherMajors(door, packages);
  try {
    return await load();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    const found = await Promise.all(packages.map((name) => import(name).then(() => true, isThere)));
    const missing = packages.filter((_, index) => !found[index]);
    if (missing.length === 0) throw error;
    const what = missing.length === 1 ? 'a package that is' : 'packages that are';
    throw forUser(`${door} needs ${what} not installed: npm install ${missing.join(' ')}`, error);
  }
}

/** What fails for another reason than that it is not there says so itself when it is loaded. */
function isThere(error: unknown): boolean {
  return !isNotFound(error);
}

function refuseOtherMajors(door: string, packages: readonly string[]): void {
  const wrong = packages.flatMap((name) => {
    const major = NEEDED_MAJORS[name];
    const version = major === undefined ? undefined : installedVersion(name);
    return version === undefined || Number.parseInt(version, 10) === major ? [] : [{ name, major, version }];
  });
  if (wrong.length === 0) return;
  const needs = wrong.map(({ name, major, version }) => `${name} ${major}, and ${version} is installed`).join('; ');
  const command = wrong.map(({ name, major }) => `${name}@${major}`).join(' ');
  throw forUser(`${door} needs ${needs}: npm install ${command}`);
}

/** Undefined where it cannot be told: loading it will tell. */
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

/** Builds of two kinds have manifests of their own inside of a package, without a name. */
function readManifest(path: string): { name?: string; version?: string } | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** A command says it without a stack. */
function forUser(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { isForUser: true });
}
