import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type BenchSubject, COST } from '../decision/workload.js';

const QUERY = `{ ${Array.from({ length: COST }, (_, index) => `item${index}: item { name }`).join(' ')} }`;

/** Returns a request for a decision about the operation of the benchmark, which costs `COST`. */
export function requestOf(subject: BenchSubject) {
  return { query: QUERY, subject, settleWithinMs: 60_000 };
}

/** Message to the process that asks for decisions. */
export interface AskedLoad {
  port: number;
  durationMs: number;
  batchSize: number;
  /** Number of requests that wait for a response at any time (closed loop). */
  inFlight: number;
  /** Requests per second, each for one decision, regardless of responses (open loop). @default none */
  ratePerSecond?: number;
}

export interface MeasuredLoad {
  decisions: number;
  elapsedMs: number;
  p99Ms: number;
}

/** Starts the process that asks for decisions, so that it uses no processor time of the service. */
export function startLoad() {
  const child = fork(fileURLToPath(new URL('./load-process.ts', import.meta.url)));
  return {
    run: (load: AskedLoad): Promise<MeasuredLoad> =>
      new Promise((resolve, reject) => {
        const onExit = (code: number | null) => reject(new Error(`the load ended with ${code}`));
        child.once('exit', onExit);
        child.once('message', (measured) => {
          child.off('exit', onExit);
          resolve(measured as MeasuredLoad);
        });
        child.send(load);
      }),
    stop: () => child.disconnect(),
  };
}
