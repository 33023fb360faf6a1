import { writeFileSync } from 'node:fs';
import { findBenches } from './frame/find-benches.js';
import { describeMachine } from './frame/machine.js';
import { parseOptions, USAGE } from './frame/options.js';
import { type BenchResult, runBench } from './frame/run-bench.js';
import { machineLine, tablesOf } from './frame/table.js';

try {
  const options = parseOptions(process.argv.slice(2));
  const benches = await findBenches(options.names);
  const machine = describeMachine();
  console.log(machineLine(machine) + (options.quick ? '; quick: too short to quote' : ''));
  const results: BenchResult[] = [];
  for (const found of benches) {
    const result = await runBench(found, options, showProgress);
    showProgress('');
    console.log(`\n${tablesOf(result, found.bench)}`);
    results.push(result);
  }
  if (options.json)
    writeFileSync(options.json, `${JSON.stringify({ machine, quick: options.quick, results }, null, 2)}\n`);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\nusage: ${USAGE}`);
  process.exitCode = 1;
}

/** One line that replaces itself on a terminal; elsewhere it would only be noise. */
function showProgress(progress: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${progress}`);
}
