import type { Distribution, LoadResult } from './generator.js';
import type { PartUse } from './watch-parts.js';

/** Returns a Markdown table of the named distributions. */
export function latencyTable(rows: Record<string, Distribution>): string {
  const cells = ({ p50, p90, p99, p999, max }: Distribution) => [p50, p90, p99, p999, max].map(ms);
  return tableOf(
    ['latency in ms', 'p50', 'p90', 'p99', 'p99.9', 'max'],
    Object.entries(rows).map(([name, distribution]) => [name, ...cells(distribution)]),
  );
}

export function partsTable(parts: readonly PartUse[]): string {
  return tableOf(
    ['part', 'CPU, % of a core', 'waited for a core, %', 'memory at first, MB', 'at last', 'at most'],
    parts.map(({ name, cpuPercent, waitedPercent, memoryMb }) => [
      name,
      cpuPercent.toFixed(1),
      waitedPercent.toFixed(1),
      memoryMb[0]!.toFixed(0),
      memoryMb.at(-1)!.toFixed(0),
      Math.max(...memoryMb).toFixed(0),
    ]),
  );
}

/** Returns the outcomes of the requests in one line. */
export function outcomeLine({ requests, elapsedMs, statuses, failures, degraded }: LoadResult): string {
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  const listOf = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([what, count]) => `${what}: ${count}`)
      .join(', ');
  return [
    `${requests} requests, ${((requests / elapsedMs) * 1000).toFixed(1)} a second; ${listOf(statuses)}`,
    `degraded: ${degraded}`,
    `errors: ${failed} (${((100 * failed) / requests).toFixed(3)} %)${failed > 0 ? ` ${listOf(failures)}` : ''}`,
  ].join('; ');
}

function tableOf(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

function ms(value: number): string {
  if (!Number.isFinite(value)) return 'above all bounds';
  return value < 10 ? value.toFixed(2) : value.toFixed(1);
}
