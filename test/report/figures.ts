import type { TestContext } from 'vitest';

/**
 * Adds a measured figure to the fault report. Tests do not assert figures, because a busy machine
 * changes them.
 */
export function reportFigure({ task }: Pick<TestContext, 'task'>, figure: string): void {
  task.meta.figures = [...(task.meta.figures ?? []), figure];
}

/** Returns the quantile of the values at this share, such as 0.99, or NaN without values. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

declare module 'vitest' {
  interface TaskMeta {
    figures?: string[];
  }
}
