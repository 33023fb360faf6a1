// Checks the layout of the source files: names are unique, and no file has a name that says nothing about its content.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const NAMELESS = new Set(['types.ts', 'utils.ts', 'helpers.ts', 'common.ts', 'index.ts']);

const problems = [];
const places = new Map();
/** The entry point of the package is the only index file. */
const ALLOWED = new Set([join(ROOT, 'src/index.ts')]);

visit(join(ROOT, 'src'));
visit(join(ROOT, 'console/src'));
for (const [name, paths] of places) {
  if (paths.length > 1) problems.push(`several source files are named ${name}: ${paths.join(', ')}`);
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
