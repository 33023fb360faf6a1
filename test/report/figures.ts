import type { TestContext } from 'vitest';

/**
 * Adds a measured figure to the report of the faults. A busy machine changes figures, so tests do
 * not assert them.
 */
export function reportFigure({ task }: Pick<TestContext, 'task'>, figure: string): void {
  task.meta.figures = [...(task.meta.figures ?? []), figure];
}

/** Returns the value below which this share of the values lies; NaN without values. */
export function quantileOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

declare module 'vitest' {
  interface TaskMeta {
    figures?: string[];
  }
}
