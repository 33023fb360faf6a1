import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Returns the path of a file or a folder in a package, including this one. Returns undefined if it
 * does not exist, or if the package does not export its `package.json`.
 *
 * The package is resolved by name and not relative to a module: the published package is bundled,
 * and a project may bundle it again. The files next to that bundle belong to the project.
 */
export function pathInPackage(name: string, path: string): string | undefined {
  try {
    const found = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path);
    return existsSync(found) ? found : undefined;
  } catch {
    // The package is not installed, or the code is in a CommonJS bundle, which has no location of
    // its own.
    return undefined;
  }
}
