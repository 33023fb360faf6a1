// Entry point of the process of one (variant, round). The arguments are the bench URL, the variant
// and the conditions. It sends the sample to the parent, or the names of its scenarios. In the
// second case it runs each scenario when a message requests it, until the parent disconnects.
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
