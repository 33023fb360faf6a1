// Stores the duration of the slowest test files in test/helpers/timings.json. The durations are
// read from the cache of vitest:
//   npm test && node scripts/store-timings.mjs
// With this file, tests begin with the slowest files even without a cache, as in CI.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MIN_SECONDS = 10;
const caches = join(ROOT, 'node_modules/.vite/vitest');

const files = readdirSync(caches).map((name) => join(caches, name, 'results.json'));
const [newest] = files.sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs);
const { results } = JSON.parse(readFileSync(newest, 'utf8'));
const timings = results
  .map(([id, { duration }]) => [id.slice(id.indexOf(':') + 1), Math.round(duration / 1000)])
  .filter(([, seconds]) => seconds >= MIN_SECONDS)
  .sort(([one, oneSeconds], [other, otherSeconds]) => otherSeconds - oneSeconds || (one < other ? -1 : 1));
writeFileSync(join(ROOT, 'test/helpers/timings.json'), `${JSON.stringify(Object.fromEntries(timings), null, 2)}\n`);
