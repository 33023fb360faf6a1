import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The path of a file or a folder in a package, this one included; undefined where it does not exist, or where the package does not export
 * its `package.json`. It is found by the package's name and not relative to a module: the published package is bundled, projects may bundle
 * it again, and the files beside such a bundle are theirs.
 */
export function pathInPackage(name: string, path: string): string | undefined {
  try {
    const found = join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), path);
    return existsSync(found) ? found : undefined;
  } catch {
    // Not installed, or in a bundle of CommonJS, which does not know where it is.
    return undefined;
  }
}
