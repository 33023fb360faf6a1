// Checks the layout of the source files. File names must be unique and describe the content, and
// folders must form layers. The number of long functions and of other known violations must equal
// the number in this file, which is lowered with the code.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureStructure } from './measure-structure.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NAMELESS = new Set(['types.ts', 'utils.ts', 'helpers.ts', 'common.ts', 'index.ts']);

const problems = [];
const places = new Map();
/** Files that may have the name `index`: only the entry point of the package. */
const ALLOWED = new Set([join(ROOT, 'src/index.ts')]);

visit(join(ROOT, 'src'));
visit(join(ROOT, 'console/src'));
for (const [name, paths] of places) {
  if (paths.length > 1) problems.push(`several source files are named ${name}: ${paths.join(', ')}`);
}

/**
 * Maximum number of findings of each kind. Lower a number when the code has fewer findings. The
 * unused exports are types that declaration files refer to.
 */
const MOST = { cycles: 0, longFunctions: 0, longFiles: 0, misnamed: 12, unusedExports: 15 };
const structure = measureStructure();
for (const [name, most] of Object.entries(MOST)) {
  const found = structure[name];
  const words = found.map((one) => (typeof one === 'string' ? one : `${one.path} (${one.lines} lines)`));
  if (found.length > most)
    problems.push(`${name}: ${found.length}, and at most ${most} are allowed:\n  ${words.join('\n  ')}`);
  if (found.length < most)
    problems.push(`${name}: ${found.length}; lower the number in scripts/check-layout.mjs from ${most}`);
}
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

function visit(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries.filter((one) => one.isFile() && /\.tsx?$/.test(one.name));
  for (const { name } of files) {
    const path = join(folder, name);
    if (NAMELESS.has(name) && !ALLOWED.has(path))
      problems.push(`${relative(ROOT, path)}: name it after its main export`);
    places.set(name, [...(places.get(name) ?? []), relative(ROOT, path)]);
  }
  for (const entry of entries) if (entry.isDirectory() && entry.name !== 'generated') visit(join(folder, entry.name));
}
