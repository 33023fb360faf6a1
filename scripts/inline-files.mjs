// Inlines the texts that modules of dist/ read from files into the modules themselves. A bundle
// holds the code of a package without its other files, and its `import.meta.url` does not lead to
// them. The files are still published, for people and their tools.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/**
 * Modules to inline. Each exports only constants that are JSON, and imports only what reads them.
 */
const INLINED = ['limiter/redis/lua-files', 'postgres/own-migrations', 'runtime/packages/tollgate-version'];

export async function inlineFiles() {
  for (const name of INLINED) {
    const path = join(ROOT, 'dist', `${name}.js`);
    // Built from the source each time: the module in dist/ may hold the texts of the last build.
    const options = { bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' };
    await build({ ...options, entryPoints: [join(ROOT, 'src', `${name}.ts`)], outfile: path });
    const constants = Object.entries(await import(`${pathToFileURL(path).href}?${process.hrtime.bigint()}`));
    writeFileSync(path, constants.map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};\n`).join(''));
    rmSync(`${path}.map`, { force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await inlineFiles();
