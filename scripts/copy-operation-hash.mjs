// Copies the hash of operations from Tollgate to its client, which has no dependencies: both have
// to give an operation the same name. With --check it writes nothing and fails when the copy
// differs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const SOURCE = 'src/cost/manifest/hash-operation.ts';
const COPY = 'packages/client/src/hash-operation.ts';
const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const wanted = `// Copied from ${SOURCE} by "npm run generate": change it there.\n${readFileSync(at(SOURCE), 'utf8')}`;
const isCurrent = existsSync(at(COPY)) && readFileSync(at(COPY), 'utf8') === wanted;
if (!process.argv.includes('--check')) writeFileSync(at(COPY), wanted);
else if (!isCurrent) {
  process.stderr.write(`${COPY} is not what ${SOURCE} is: run npm run generate\n`);
  process.exitCode = 1;
}
