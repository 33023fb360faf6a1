import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Returns the path of a file or a folder in a package, which may be this one. Returns undefined if
 * the path does not exist, or if the package does not export its `package.json`.
 *
 * The package is resolved by name and not relative to this module. This module may be in a bundle
 * of a project, and the files next to that bundle belong to the project.
 */
export function pathInPackage(name: string, path: string): string | undefined {
  try {
    const found = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path);
    return existsSync(found) ? found : undefined;
  } catch {
    // The package is not installed, or this code is in a CommonJS bundle, where `import.meta.url`
    // is undefined.
    return undefined;
  }
}
