// Entry point of the process of one variant in one round. The arguments are the URL of the
// benchmark, the variant and the conditions. A variant that measures once sends its sample to the
// parent process. A runner sends the names of its scenarios. It then runs a scenario for each
// message that requests it, until the parent process disconnects.
import type { Runner, Sample } from './bench.js';
import { loadBench } from './find-benches.js';
import type { FromChild, ToChild } from './fresh-process.js';

const [url = '', name = '', conditions = '{}'] = process.argv.slice(2);
const variant = (await loadBench(url)).variants[name];
if (!variant) throw new Error(`${url} has no variant ${name}`);
const measured = await variant(JSON.parse(conditions));
if (isRunner(measured)) {
  const { run, warmUpMs, close } = measured;
  process.on('message', async ({ scenario, durationMs }: ToChild) => {
    process.send?.({ metrics: await run[scenario]!(durationMs) } satisfies FromChild);
  });
  process.once('disconnect', () => close());
  process.send?.({ warmUpMs, scenarios: Object.keys(run) } satisfies FromChild);
} else {
  process.send?.({ sample: measured } satisfies FromChild, () => process.disconnect());
}

function isRunner(one: Sample | Runner): one is Runner {
  return typeof one.close === 'function';
}
