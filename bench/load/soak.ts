// `npm run soak`: mixed load with random faults, followed by a check of all invariants.
import { parseArgs } from 'node:util';
import { describeMachine } from '../frame/machine.js';
import { machineLine } from '../frame/table.js';
import { runSoak } from './run-soak.js';
import { wholeNumber } from './whole-number.js';

const USAGE = `npm run soak -- [--minutes M] [--rate N] [--identities N] [--seed N] [--redis-url U] [--database-url U]`;

const options = readOptions();
console.log(
  `${machineLine(describeMachine())}; ${options.requestsPerSecond} requests a second for ${options.seconds} s, ` +
    `${options.identities} identities, seed ${options.seed}`,
);
const { problems, text } = await runSoak(options);
console.log(`${text}\n`);
console.log(problems.length === 0 ? 'every invariant holds' : `BROKEN:\n  ${problems.join('\n  ')}`);
process.exitCode = problems.length === 0 ? 0 : 1;

function readOptions() {
  const number = { type: 'string' } as const;
  try {
    const { values } = parseArgs({
      options: {
        minutes: number,
        rate: number,
        identities: number,
        seed: number,
        'redis-url': { type: 'string' },
        'database-url': { type: 'string' },
      },
    });
    return {
      seconds: 60 * wholeNumber('--minutes', values.minutes, { fallback: 10, max: 10_080 }),
      requestsPerSecond: wholeNumber('--rate', values.rate, { fallback: 200, max: 100_000 }),
      identities: wholeNumber('--identities', values.identities, { fallback: 1_000_000, max: 2 ** 24 }),
      seed: wholeNumber('--seed', values.seed, { fallback: 1, min: 0, max: 2 ** 31 }),
      redisUrl: values['redis-url'],
      databaseUrl: values['database-url'],
    };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nusage: ${USAGE}`);
    process.exit(2);
  }
}
