import { writeFileSync } from 'node:fs';
import { findBenches } from './frame/find-benches.js';
import { describeMachine } from './frame/machine.js';
import { type Options, parseOptions, USAGE } from './frame/options.js';
import { type BenchResult, runBench } from './frame/run-bench.js';
import { machineLine, tablesOf } from './frame/table.js';

try {
  await run(readOptions());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

function readOptions(): Options {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}\nusage: ${USAGE}`, { cause: error });
  }
}

async function run(options: Options): Promise<void> {
  const benches = await findBenches(options.names);
  const machine = describeMachine();
  console.log(machineLine(machine) + (options.quick ? '; quick: too short to quote' : ''));
  const results: BenchResult[] = [];
  for (const found of benches) {
    const result = await runBench(found, options, showProgress);
    showProgress('');
    console.log(`\n${tablesOf(result, found.bench)}`);
    results.push(result);
    if (options.write) found.bench.write?.(result, machine);
  }
  if (options.json === undefined) return;
  writeFileSync(options.json, `${JSON.stringify({ machine, quick: options.quick, results }, null, 2)}\n`);
}

/**
 * Prints a line that replaces itself on a terminal. In a log file it prints nothing, because the
 * repeated lines would be noise.
 */
function showProgress(progress: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${progress}`);
}
