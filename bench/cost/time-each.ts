import type { Conditions, Metric, Sample } from '../frame/bench.js';

export const METRICS: readonly Metric[] = [{ name: 'us', better: 'lower' }];

/** Work that a scenario measures; what it returns keeps it from being optimised away. */
export type Work = () => unknown;

const CLOCK_STEP_MS = 0.2;

/** Microseconds that each piece of work takes, by scenario: one after the other, each warmed up on its own. */
export function timeEach(
  scenarios: Readonly<Record<string, Work>>,
  { measureMs, warmUpMs }: Pick<Conditions, 'measureMs' | 'warmUpMs'>,
): Sample {
  return Object.fromEntries(
    Object.entries(scenarios).map(([scenario, work]) => {
      const batch = batchOf(work);
      runFor(work, batch, warmUpMs);
      return [scenario, { us: runFor(work, batch, measureMs) }];
    }),
  );
}

/** How often work is to be done between two looks at the clock. */
function batchOf(work: Work): number {
  let batch = 1;
  for (;;) {
    const start = performance.now();
    repeat(work, batch);
    if (performance.now() - start >= CLOCK_STEP_MS) return batch;
    batch *= 2;
  }
}

function runFor(work: Work, batch: number, durationMs: number): number {
  const start = performance.now();
  let done = 0;
  let elapsedMs = 0;
  do {
    repeat(work, batch);
    done += batch;
    elapsedMs = performance.now() - start;
  } while (elapsedMs < durationMs);
  return (elapsedMs * 1000) / done;
}

let sink: unknown;

function repeat(work: Work, times: number): void {
  for (let i = 0; i < times; i++) sink = work();
  if (sink === repeat) throw new Error('unreachable');
}
