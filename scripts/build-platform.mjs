// Builds packages/platform/dist, the sample API that `tollgate start` and `tollgate gateway` load.
// `npm run check:types` checks its types together with those of the other sources.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const PLATFORM = fileURLToPath(new URL('../packages/platform', import.meta.url));

export async function buildPlatform() {
  const sources = join(PLATFORM, 'src');
  await build({
    entryPoints: readdirSync(sources).map((name) => join(sources, name)),
    outdir: join(PLATFORM, 'dist'),
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'warning',
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPlatform();
