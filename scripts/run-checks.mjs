// Starts the npm scripts of the arguments in the given order, and runs as many in parallel as there
// are processors. Prints the output of each script when it ends. Fails if any script failed.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Names of the npm scripts that have not started yet. */
const pending = process.argv.slice(2);
const failed = [];

async function runPending() {
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    const startedMs = performance.now();
    const { status, output } = await run(name);
    if (status !== 0) failed.push(name);
    const took = `${((performance.now() - startedMs) / 1000).toFixed(1)} s`;
    process.stdout.write(`${status === 0 ? 'passed' : 'FAILED'}  ${name}, ${took}\n${output}`);
  }
}

function run(name) {
  return new Promise((resolve) => {
    const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] });
    const output = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => output.push(piece));
    child.on('error', (error) => resolve({ status: 1, output: `${error}\n` }));
    child.on('close', (status) => resolve({ status, output: Buffer.concat(output).toString() }));
  });
}

await Promise.all(Array.from({ length: availableParallelism() }, runPending));
if (failed.length > 0) {
  process.stdout.write(`\nFAILED: ${failed.join(', ')}\n`);
  process.exitCode = 1;
}
