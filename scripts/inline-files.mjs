// Puts the texts that modules of dist/ read from files into the modules themselves: a bundle has
// the code of a package and none of its other files, and `import.meta.url` says nothing of them
// there. The files are published all the same, for people and their tools.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
/** Each exports constants that are JSON, and imports nothing but what reads them. */
const INLINED = ['limiter/redis/lua-files', 'postgres/own-migrations', 'runtime/packages/tollgate-version'];

export async function inlineFiles() {
  for (const name of INLINED) {
    const path = join(ROOT, 'dist', `${name}.js`);
    // From the source each time: what the last build left in its place holds the texts of then.
    const options = { bundle: true, platform: 'node', format: 'esm', logLevel: 'warning' };
    await build({ ...options, entryPoints: [join(ROOT, 'src', `${name}.ts`)], outfile: path });
    const constants = Object.entries(await import(`${pathToFileURL(path).href}?${process.hrtime.bigint()}`));
    writeFileSync(path, constants.map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};\n`).join(''));
    rmSync(`${path}.map`, { force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await inlineFiles();
