import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * Where a file or a folder of a package is, of this one too; undefined where there is none, or where the package lets nobody import its
 * `package.json`. By the name of the package, and not from where a module stands: what is published is bundled, projects bundle it once more,
 * and what then stands beside the code may be theirs.
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
