import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { LimitCharge } from '../src/limiter/charge/create-limit-compiler.js';
import { createLimiter } from '../src/limiter/create-limiter.js';

// Draws docs/limits.svg, the effect of every algorithm on the same load. The memory engine decides,
// with a simulated clock. Run it with `npx tsx scripts/plot-limits.ts`.

const SECONDS = 60;
/** Number of bars per second. */
const BARS = 2;
const AMOUNT = 40;
const WINDOW_MS = 10_000;
const RUNNING_MS = 2000;

const window = { id: 'limit', scope: 'USER', amount: AMOUNT, windowMs: WINDOW_MS, cost: 1 } as const;
const bucket = {
  id: 'limit',
  scope: 'USER',
  capacity: AMOUNT,
  refillAmount: 4,
  refillPeriodMs: 1000,
  cost: 1,
} as const;

const PANELS: readonly { title: string; note: string; limit: LimitCharge }[] = [
  { title: 'TOKEN_BUCKET', note: '40 at once, then 4 a second', limit: { ...bucket, algorithm: 'TOKEN_BUCKET' } },
  {
    title: 'LEAKY_BUCKET',
    note: 'drawn at the time at which operations run: never above 4 a second',
    limit: { ...bucket, algorithm: 'LEAKY_BUCKET' },
  },
  {
    title: 'FIXED_WINDOW',
    note: '40 in each window of 10 s from the epoch',
    limit: { ...window, algorithm: 'FIXED_WINDOW' },
  },
  {
    title: 'SLIDING_WINDOW_COUNTER',
    note: 'the previous window counts in part, by its overlap',
    limit: { ...window, algorithm: 'SLIDING_WINDOW_COUNTER' },
  },
  {
    title: 'SLIDING_WINDOW_COUNTER, strict',
    note: 'counts tenths of the window, the oldest one in full',
    limit: { ...window, algorithm: 'SLIDING_WINDOW_COUNTER', strict: true },
  },
  {
    title: 'SLIDING_WINDOW_LOG',
    note: 'every entry leaves after exactly 10 s',
    limit: { ...window, algorithm: 'SLIDING_WINDOW_LOG' },
  },
  {
    title: 'CONCURRENCY',
    note: '8 at the same time, each runs for 2 s',
    limit: { id: 'limit', scope: 'USER', algorithm: 'CONCURRENCY', capacity: 8, leaseMs: 30_000, cost: 1 },
  },
];

/**
 * Returns the arrival times of operations: two per second, and two bursts of twenty per second,
 * each six seconds long.
 */
function arrivals(): number[] {
  const times: number[] = [];
  for (let ms = 0; ms < SECONDS * 1000; ms += 50) {
    const burst = (ms >= 8000 && ms < 14_000) || (ms >= 25_000 && ms < 31_000);
    if (burst || ms % 500 === 0) times.push(ms);
  }
  return times;
}

/** Returns the number of operations that ran in each bar. */
async function simulate(limit: LimitCharge): Promise<number[]> {
  let now = 0;
  const limiter = createLimiter({ now: () => 1_700_000_000_000 + now });
  const bars = new Array<number>(SECONDS * BARS).fill(0);
  let running: { endsAt: number; end: () => Promise<void> }[] = [];
  for (const arrival of arrivals()) {
    for (const operation of running.filter(({ endsAt }) => endsAt <= arrival)) {
      now = operation.endsAt;
      await operation.end();
    }
    running = running.filter(({ endsAt }) => endsAt > arrival);
    now = arrival;
    const decision = await limiter.charge({ subject: { user: 'someone' }, limits: [limit] });
    if (!decision.admitted) continue;
    const bar = Math.floor(((arrival + decision.delayMs) * BARS) / 1000);
    if (bar < bars.length) bars[bar]!++;
    if (limit.algorithm === 'CONCURRENCY') {
      running.push({ endsAt: arrival + RUNNING_MS, end: () => limiter.settle(decision.receipt, { limit: 1 }) });
    }
  }
  return bars;
}

const WIDTH = 760;
const LEFT = 40;
const HEIGHT = 96;
const GAP = 36;

export async function plotLimits(): Promise<string> {
  const offered = new Array<number>(SECONDS * BARS).fill(0);
  for (const arrival of arrivals()) offered[Math.floor((arrival * BARS) / 1000)]!++;
  const panels = await Promise.all(
    PANELS.map(async ({ title, note, limit }, i) => {
      const top = GAP + i * (HEIGHT + GAP);
      return [
        `<text x="${LEFT}" y="${top - 8}"><tspan font-weight="bold">${title}</tspan> ${note}</text>`,
        bars(offered, top, '#d5dbe3'),
        bars(await simulate(limit), top, '#2563eb'),
        `<path d="M${LEFT} ${top + HEIGHT}H${WIDTH}" stroke="#64748b"/>`,
        ...[0, 10, 20, 30, 40, 50, 60].map(
          (s) => `<text x="${xOf(s)}" y="${top + HEIGHT + 13}" text-anchor="middle" font-size="10">${s} s</text>`,
        ),
      ].join('\n');
    }),
  );
  const height = GAP + PANELS.length * (HEIGHT + GAP);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH + 20} ${height}" font-family="sans-serif" font-size="12" fill="#0f172a">`,
    '<title>Operations offered (grey) and admitted (blue) every half second, by algorithm</title>',
    `<rect width="${WIDTH + 20}" height="${height}" fill="#ffffff"/>`,
    ...panels,
    '</svg>',
    '',
  ].join('\n');
}

function xOf(second: number): number {
  return LEFT + ((WIDTH - LEFT) * second) / SECONDS;
}

/** Returns one path with all bars. The highest load has the height of the panel. */
function bars(counts: readonly number[], top: number, colour: string): string {
  const width = (WIDTH - LEFT) / counts.length;
  const tallest = 10;
  const path = counts.flatMap((count, i) => {
    if (count === 0) return [];
    const height = Math.round((HEIGHT * Math.min(count, tallest)) / tallest);
    return [`M${LEFT + i * width} ${top + HEIGHT}v${-height}h${width - 1}v${height}z`];
  });
  return `<path d="${path.join('')}" fill="${colour}"/>`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(new URL('../docs/limits.svg', import.meta.url), await plotLimits());
}
