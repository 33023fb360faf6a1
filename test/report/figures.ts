import type { TestContext } from 'vitest';

/** What was measured: a busy machine changes it, so it is told and not asserted. The report of the faults shows it. */
export function tellFigure({ task }: Pick<TestContext, 'task'>, figure: string): void {
  task.meta.figures = [...(task.meta.figures ?? []), figure];
}

/** The value below which this share of the values lies; NaN where there are none. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

declare module 'vitest' {
  interface TaskMeta {
    figures?: string[];
  }
}
