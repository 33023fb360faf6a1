import type { PartUse } from './watch-parts.js';

/** Memory counts as flat while what is used at last is at most so much above what was used after the warm-up. */
const SLACK = { share: 0.2, mb: 40 };

/** Says by how much the platform has grown; empty: its memory is flat. */
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
