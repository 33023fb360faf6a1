// `npm run simulate`: simulates a fleet of 1,000 instances with 10 million users, a failover of Redis
// and the loss of a region. Checks the bounds of leases, and draws docs/capacity-fleet.svg.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { expectedRows } from '../../src/capacity/expected-rows.js';
import { numberText } from '../../src/capacity/number-text.js';
import { wholeNumber } from '../load/whole-number.js';
import { fleetPicture } from './fleet-picture.js';
import { type FleetResult, type FleetScenario, simulateFleet } from './simulate-fleet.js';
import { simulateUsage } from './simulate-usage.js';

const { values } = parseArgs({ options: { seed: { type: 'string' }, instances: { type: 'string' } } });
const seed = wholeNumber('--seed', values.seed, { fallback: 1, max: 2 ** 31 });
const scenario: FleetScenario = {
  users: 10_000_000,
  zipf: 1,
  instances: wholeNumber('--instances', values.instances, { fallback: 1_000, max: 10_000 }),
  latencyMs: [1, 40, 75],
  rps: 100_000,
  seconds: 60,
  leaseMs: 1_000,
  shared: { amount: 600_000, windowMs: 10_000 },
  bucket: { capacity: 1_000, refillPerSecond: 100 },
  failover: { atS: 22, lostMs: 500, awayMs: 3_000 },
  regionLoss: { atS: 43, region: 2 },
  seed,
};
const FLUSH_MS = 10_000;

const startedMs = performance.now();
const result = await simulateFleet(scenario);
const elapsedS = (performance.now() - startedMs) / 1000;
writeFileSync(new URL('../../docs/capacity-fleet.svg', import.meta.url), fleetPicture(scenario, result));
console.log(
  `seed ${seed}; ${elapsedS.toFixed(0)} s for ${scenario.seconds} s of ${numberText(scenario.instances)} instances\n`,
);
console.log(windowTable(result));
const sum = (of: 'offered' | 'admitted' | 'withoutCall' | 'overBucket') =>
  result.seconds.reduce((all, second) => all + second[of], 0);
console.log(`
users: ${numberText(result.users)} of ${numberText(result.allUsers)} sent ${numberText(sum('offered'))} operations
denied by the bucket of their user: ${numberText(sum('overBucket'))}
admitted without a call to Redis for the shared limit: ${numberText((100 * sum('withoutCall')) / sum('admitted'))} %
busiest user: ${numberText(100 * result.highestUseOfBucket)} % of what the bucket allows
`);
console.log(usageTable());
const broken = result.windows.filter(({ admitted, most }) => admitted > most);
if (broken.length > 0 || result.highestUseOfBucket > 1) {
  console.error(`BROKEN: ${JSON.stringify(broken)}, highest use of a bucket: ${result.highestUseOfBucket}`);
  process.exitCode = 1;
}

function windowTable({ windows }: FleetResult): string {
  return [
    '| window from, s | offered | admitted | charges that Redis lost | bound | admitted / bound |',
    '| ---: | ---: | ---: | ---: | ---: | ---: |',
    ...windows.map(
      ({ fromS, offered, admitted, lost, most }) =>
        `| ${fromS} | ${numberText(offered)} | ${numberText(admitted)} | ${numberText(lost)} | ${numberText(most)} | ${(admitted / most).toFixed(3)} |`,
    ),
  ].join('\n');
}

/** Compares the formulas of the plan with random operations. */
function usageTable(): string {
  const { users, zipf, instances, rps, seconds } = scenario;
  const simulated = simulateUsage({ users, zipf, instances, rps, seconds, flushMs: FLUSH_MS, seed });
  const batches = (instances * seconds * 1000) / FLUSH_MS;
  const operations = rps * seconds;
  const traffic = { callers: users, exponent: zipf };
  const rows = [
    ['callers', simulated.callers, expectedRows(traffic, { operations })],
    ['entries of usage', simulated.entries, batches * expectedRows(traffic, { operations: operations / batches })],
  ] as const;
  return [
    `| ${numberText(operations)} operations, a flush of ${FLUSH_MS / 1000} s | simulation | formula | simulation / formula |`,
    '| --- | ---: | ---: | ---: |',
    ...rows.map(
      ([what, real, formula]) =>
        `| ${what} | ${numberText(real)} | ${numberText(formula)} | ${(real / formula).toFixed(3)} |`,
    ),
  ].join('\n');
}
