// Copies the module of the operation hash from Tollgate to its client. The client has no
// dependencies, so it cannot import the module. Both must compute the same hash for an operation.
// With --check the script writes nothing and fails if the copy differs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SOURCE = 'src/cost/manifest/hash-operation.ts';
const COPY = 'packages/client/src/hash-operation.ts';
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const wanted = `// Copied from ${SOURCE} by "npm run generate": change it there.\n${readFileSync(at(SOURCE), 'utf8')}`;
const isCurrent = existsSync(at(COPY)) && readFileSync(at(COPY), 'utf8') === wanted;
if (!process.argv.includes('--check')) writeFileSync(at(COPY), wanted);
else if (!isCurrent) {
  process.stderr.write(`${COPY} differs from ${SOURCE}: run npm run generate\n`);
  process.exitCode = 1;
}
