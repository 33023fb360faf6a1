// Some modules of dist/ read texts from files. This script inlines these texts into the modules. If
// an application is bundled, the bundle contains the code of a package without its other files, so
// the modules could not read them. The files are still published, for people and tools.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/**
 * Modules to inline. Each module exports only JSON constants, and imports only functions that read
 * these constants from files.
 */
const INLINED = ['limiter/redis/lua-files', 'postgres/own-migrations', 'runtime/packages/tollgate-version'];

export async function inlineFiles() {
  for (const name of INLINED) {
    const path = join(ROOT, 'dist', `${name}.js`);
    // The module is built from its source each time, because the module in dist/ may contain the
    // texts of the previous build.
    const options = { bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' };
    await build({ ...options, entryPoints: [join(ROOT, 'src', `${name}.ts`)], outfile: path });
    const constants = Object.entries(await import(`${pathToFileURL(path).href}?${process.hrtime.bigint()}`));
    writeFileSync(path, constants.map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};\n`).join(''));
    rmSync(`${path}.map`, { force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await inlineFiles();
