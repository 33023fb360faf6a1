import type { PartUse } from './watch-parts.js';

/**
 * Maximum growth from the second to the last quarter of a run with which the memory use still
 * counts as constant: 20 % and another 40 MB.
 */
const SLACK = { share: 0.2, mb: 40 };

/**
 * Returns descriptions of the growth of the platform's memory use. Empty if the use is constant.
 */
export function memoryGrowth(used: readonly PartUse[]): string[] {
  return used
    .filter(({ name }) => name === 'server')
    .flatMap(({ name, memoryMb }) => {
      const quarter = Math.ceil(memoryMb.length / 4);
      const warm = medianOf(memoryMb.slice(quarter, 2 * quarter));
      const last = medianOf(memoryMb.slice(-quarter));
      if (!(last > warm * (1 + SLACK.share) + SLACK.mb)) return [];
      return [`the memory of the ${name} grew from ${warm.toFixed(0)} to ${last.toFixed(0)} MB`];
    });
}

function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
