// `npm run load:clients`: the real clients share one bucket, with and without pacing. See
// docs/benchmarks.md.
import { parseArgs } from 'node:util';
import { wholeNumber } from '../load/whole-number.js';
import { measureMinute } from './minute.js';
import { measureThousand } from './thousand.js';

const { values } = parseArgs({ options: { seconds: { type: 'string' }, only: { type: 'string' } } });
const seconds = wholeNumber('--seconds', values.seconds, { fallback: 60, max: 3600 });

if (values.only !== 'minute') {
  console.log('1,000 operations of each client, one process, counters in memory');
  console.table(await measureThousand());
}
if (values.only !== 'thousand') {
  console.log(`20 callers in 4 processes, ${seconds} s for each client, the platform on Redis`);
  console.table(await measureMinute(seconds * 1000));
}
