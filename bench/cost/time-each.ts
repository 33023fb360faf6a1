import type { Conditions, Metric, Sample } from '../frame/bench.js';

export const METRICS: readonly Metric[] = [{ name: 'us', better: 'lower' }];

/**
 * Work that a scenario measures. It returns a value, so that V8 does not optimize the work away.
 */
export type Work = () => unknown;

/**
 * Time between two readings of the clock. It is long enough that the readings do not affect the
 * result.
 */
const BATCH_US = 300;

/**
 * Number of turns of each scenario. With more turns, a turn would be too short to include a typical
 * number of short garbage collections.
 */
const TURNS = 5;

/**
 * Returns the processor time of each piece of work in microseconds, by scenario. Wall-clock time
 * would include the load of other processes. All scenarios are warmed up before they take turns.
 * The result of a scenario is the least processor time of its turns.
 */
export function timeEach(
  scenarios: Readonly<Record<string, Work>>,
  { measureMs, warmUpMs }: Pick<Conditions, 'measureMs' | 'warmUpMs'>,
): Sample {
  const timed = Object.entries(scenarios).map(([name, work]) => {
    timeFor(work, batchOf(work), warmUpMs);
    return { name, work, batch: batchOf(work), us: Number.POSITIVE_INFINITY };
  });
  for (let turn = 0; turn < TURNS; turn++) {
    for (const each of timed) each.us = Math.min(each.us, timeFor(each.work, each.batch, measureMs / TURNS));
  }
  return Object.fromEntries(timed.map(({ name, us }) => [name, { us }]));
}

function batchOf(work: Work): number {
  let batch = 1;
  for (;;) {
    const startUs = processorUs();
    repeat(work, batch);
    if (processorUs() - startUs >= BATCH_US) return batch;
    batch *= 2;
  }
}

function timeFor(work: Work, batch: number, durationMs: number): number {
  const startUs = processorUs();
  let done = 0;
  let elapsedUs = 0;
  do {
    repeat(work, batch);
    done += batch;
    elapsedUs = processorUs() - startUs;
  } while (elapsedUs < durationMs * 1000);
  return elapsedUs / done;
}

/** Returns the processor time of all threads of this process, garbage collection included. */
function processorUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

let sink: unknown;

function repeat(work: Work, times: number): void {
  for (let i = 0; i < times; i++) sink = work();
  if (sink === repeat) throw new Error('unreachable');
}
