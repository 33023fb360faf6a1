import type { Bench, Metric } from './bench.js';
import type { Machine } from './machine.js';
import type { BenchResult } from './run-bench.js';
import type { Spread } from './statistics.js';

export function machineLine(machine: Machine): string {
  const { cores, processor, platform, node, redis } = machine;
  return `${cores} cores (${processor}), ${platform}, Node ${node}, Redis ${redis}`;
}

/**
 * Returns one table per scenario: median (lowest .. highest) of each metric, and the median ratios
 * to each baseline. A benchmark with a single variant has no ratios: it gets one table with a row
 * for each scenario.
 */
export function tablesOf(result: BenchResult, bench: Pick<Bench, 'metrics' | 'baselines'>): string {
  const heading = [
    `${result.name}: ${result.title}`,
    `${result.rounds} rounds; medians (lowest .. highest); + higher is better, - lower is better;`,
    `"x baseline": ratios to the values of the baseline, one for each metric, medians of the rounds`,
  ].join('\n');
  const [only, another] = new Set(Object.values(result.scenarios).flatMap(Object.keys));
  if (only !== undefined && another === undefined) {
    const head = [only, ...bench.metrics.map(headOf)];
    const rows = Object.entries(result.scenarios).map(([scenario, { [only]: measured }]) => [
      scenario,
      ...bench.metrics.map(({ name }) => formatSpread(measured!.metrics[name]!)),
    ]);
    return `${heading}\n\n${align([head, ...rows])}`;
  }
  const tables = Object.entries(result.scenarios).map(([scenario, variants]) => {
    const baselines = bench.baselines.filter((baseline) => baseline in variants);
    const head = [scenario, ...bench.metrics.map(headOf), ...baselines.map((baseline) => `x ${baseline}`)];
    const rows = Object.entries(variants).map(([variant, { metrics, ratios }]) => [
      variant,
      ...bench.metrics.map(({ name }) => formatSpread(metrics[name]!)),
      ...baselines.map((baseline) => {
        const ratio = ratios[baseline];
        return ratio ? bench.metrics.map(({ name }) => formatRatio(ratio[name]!.median)).join('  ') : '';
      }),
    ]);
    return align([head, ...rows]);
  });
  return [heading, ...tables].join('\n\n');
}

function headOf({ name, better }: Metric): string {
  return `${name} ${better === 'higher' ? '+' : '-'}`;
}

/** Formats a spread. An omitted metric is NaN and becomes `-`. */
function formatSpread({ median, min, max }: Spread): string {
  if (Number.isNaN(median)) return '-';
  return `${formatNumber(median)} (${formatNumber(min)} .. ${formatNumber(max)})`;
}

/** Formats a number with three significant digits or more and thousands separators. */
function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/**
 * Formats a ratio with two decimals, or with two significant digits below 0.1, so that a small
 * ratio is not 0.00. A ratio that is not finite becomes `-`.
 */
function formatRatio(ratio: number): string {
  if (!Number.isFinite(ratio)) return '-';
  return ratio >= 0.1 ? ratio.toFixed(2) : String(Number(ratio.toPrecision(2)));
}

/**
 * Returns a Markdown table that is also readable as plain text: first column left-aligned, numbers
 * right-aligned.
 */
function align(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!);
  const [head = '', ...body] = rows.map((row) => `| ${row.map(pad).join(' | ')} |`);
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [head, rule, ...body].join('\n');
}
