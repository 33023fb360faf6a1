import { describe, expect, test } from 'vitest';
import { loadBench } from '../../bench/frame/find-benches.js';
import { keepInFlight } from '../../bench/frame/keep-in-flight.js';
import { parseOptions } from '../../bench/frame/options.js';
import { runBench, summarize, takeTurns } from '../../bench/frame/run-bench.js';
import { median, percentile } from '../../bench/frame/statistics.js';
import { tablesOf } from '../../bench/frame/table.js';
import { bench as toy } from './toy-bench.js';

describe('statistics', () => {
  test('the median is the middle value, or the mean of the two middle values', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(() => median([])).toThrow('expected at least one value');
  });

  test('the 99th percentile is the smallest observed value that is at least as large as 99 % of all values', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 1)).toBe(100);
    expect(percentile([7], 0)).toBe(7);
  });
});

describe('results of a bench', () => {
  const bench = {
    metrics: [
      { name: 'calls/s', better: 'higher' },
      { name: 'CPU us', better: 'lower' },
    ],
    baselines: ['slow'],
  } as const;
  const samples = {
    slow: [[{ small: { 'calls/s': 100, 'CPU us': 40 } }], [{ small: { 'calls/s': 50, 'CPU us': 80 } }]],
    fast: [
      [{ small: { 'calls/s': 400, 'CPU us': 10 }, large: { 'calls/s': 10, 'CPU us': 3 } }],
      [{ small: { 'calls/s': 100, 'CPU us': 20 }, large: { 'calls/s': 12, 'CPU us': 4 } }],
    ],
  };

  test('a summary has medians, ranges and ratios to each baseline that took part', () => {
    const scenarios = summarize(bench, samples);
    expect(scenarios['small']?.['fast']).toEqual({
      metrics: { 'calls/s': { median: 250, min: 100, max: 400 }, 'CPU us': { median: 15, min: 10, max: 20 } },
      ratios: { slow: { 'calls/s': { median: 3, min: 2, max: 4 }, 'CPU us': { median: 0.25, min: 0.25, max: 0.25 } } },
    });
    expect(scenarios['small']?.['slow']?.ratios).toEqual({});
    expect(Object.keys(scenarios['large'] ?? {})).toEqual(['fast']);
    expect(scenarios['large']?.['fast']?.ratios).toEqual({});
  });

  test('ratios are computed for each turn, and the value of a round is the median of its turns', () => {
    const turns = (...rates: number[]) => rates.map((rate) => ({ small: { 'calls/s': rate, 'CPU us': 1 } }));
    const { slow, fast } = summarize(bench, {
      slow: [turns(10, 1, 20), turns(100, 10, 300)],
      fast: [turns(20, 2, 40), turns(300, 30, 600)],
    })['small']!;
    expect(slow!.metrics['calls/s']).toEqual({ median: 55, min: 10, max: 100 });
    expect(fast!.metrics['calls/s']).toEqual({ median: 160, min: 20, max: 300 });
    expect(fast!.ratios['slow']!['calls/s']).toEqual({ median: 2.5, min: 2, max: 3 });
  });

  test('results are shown as one table per scenario with aligned columns', () => {
    const text = tablesOf({ name: 'demo', title: 'calls', rounds: 2, scenarios: summarize(bench, samples) }, bench);
    const [small] = text.split('\n\n').slice(1);
    expect(small?.split('\n')).toEqual([
      '| small |          calls/s + |            CPU us - |     x slow |',
      '| ----- | -----------------: | ------------------: | ---------: |',
      '| slow  | 75.0 (50.0 .. 100) | 60.0 (40.0 .. 80.0) |            |',
      '| fast  |   250 (100 .. 400) | 15.0 (10.0 .. 20.0) | 3.00  0.25 |',
    ]);
  });

  test('a bench with a single variant is shown as one table with a row per scenario', () => {
    const alone = { fast: samples.fast.map(([sample]) => [{ ...sample, none: { 'calls/s': 0 } }]) };
    const scenarios = summarize({ ...bench, baselines: ['fast'] }, alone);
    const text = tablesOf({ name: 'demo', title: 'calls', rounds: 2, scenarios }, { ...bench, baselines: ['fast'] });
    const [table, ...others] = text.split('\n\n').slice(1);
    expect(others).toEqual([]);
    expect(table?.split('\n')).toEqual([
      '| fast  |           calls/s + |            CPU us - |',
      '| ----- | ------------------: | ------------------: |',
      '| small |    250 (100 .. 400) | 15.0 (10.0 .. 20.0) |',
      '| large | 11.0 (10.0 .. 12.0) | 3.50 (3.00 .. 4.00) |',
      '| none  | 0.00 (0.00 .. 0.00) |                   - |',
    ]);
  });
});

test('every variant of every round has its own process and Redis, and every second round runs in reverse order', async () => {
  const url = new URL('./toy-bench.ts', import.meta.url).href;
  const { scenarios, rounds } = await runBench({ name: 'toy', url, bench: toy }, { names: [], quick: true }, () => {});
  expect(rounds).toBe(2);
  const { first, second } = scenarios['only'] ?? {};
  const both = (metric: string) =>
    [first, second].flatMap((variant) => [variant?.metrics[metric]?.min, variant?.metrics[metric]?.max]);
  expect(new Set(both('pid')).size).toBe(4);
  expect(new Set(both('redis pid')).size).toBe(4);
  // The second round runs in reverse order, so the first variant has the earliest and the latest
  // process.
  const [firstEarliest = 0, firstLatest = 0, secondEarliest = 0, secondLatest = 0] = both('started at');
  expect(firstEarliest).toBeLessThan(secondEarliest);
  expect(secondLatest).toBeLessThan(firstLatest);
});

test('a bench measured in turns runs all variants side by side, each with one warm-up and ten measured runs', async () => {
  const url = new URL('./toy-bench-by-turns.ts', import.meta.url).href;
  const bench = await loadBench(url);
  const { scenarios } = await runBench({ name: 'toy', url, bench }, { names: [], quick: true, rounds: 1 }, () => {});
  const { first, second } = scenarios['both'] ?? {};
  // The first call was the warm-up.
  expect(first?.metrics['call']?.median).toBe(6.5);
  expect(second?.metrics['call']?.median).toBe(6.5);
  expect(first?.metrics['asked for ms']).toEqual({ median: 100, min: 100, max: 100 });
  expect(first?.metrics['pid']?.median).not.toBe(second?.metrics['pid']?.median);
  expect(Object.keys(scenarios['alone'] ?? {})).toEqual(['second']);
});

test('a scenario runs its variants in turns, forwards and backwards, after all have warmed up', async () => {
  const measured: string[] = [];
  const one = (name: string, ...scenarios: string[]) => ({
    scenarios,
    warmUpMs: 7,
    async turn(scenario: string, durationMs: number) {
      measured.push(`${name} ${scenario} ${durationMs}`);
      return { value: measured.length };
    },
  });
  const turns = await takeTurns(new Map(Object.entries({ a: one('a', 'x', 'y'), b: one('b', 'x') })), 100, () => {});
  expect(measured.slice(0, 6)).toEqual(['a x 7', 'b x 7', 'a x 40', 'b x 40', 'b x 40', 'a x 40']);
  expect(turns['a']?.slice(0, 2)).toEqual([
    { x: { value: 3 }, y: { value: 24 } },
    { x: { value: 6 }, y: { value: 25 } },
  ]);
  expect(turns['b']?.[9]).toEqual({ x: { value: 21 } });
  expect(measured.slice(22)).toEqual(['a y 7', ...Array.from({ length: 10 }, () => 'a y 40')]);
});

test('only scenarios whose names contain the given part run, and a part without a match is an error', async () => {
  const url = new URL('./toy-bench-by-turns.ts', import.meta.url).href;
  const bench = await loadBench(url);
  const options = { names: [], quick: true, rounds: 1 };
  const { scenarios } = await runBench({ name: 'toy', url, bench }, { ...options, scenario: 'alo' }, () => {});
  expect(Object.keys(scenarios)).toEqual(['alone']);
  await expect(runBench({ name: 'toy', url, bench }, { ...options, scenario: 'none' }, () => {})).rejects.toThrow(
    '--scenario none: no name of a scenario contains this text; there are: both; alone',
  );
});

test('a variant that fails ends the bench with its name', async () => {
  const url = new URL('./toy-bench.ts', import.meta.url).href;
  const bench = { ...toy, variants: { missing: toy.variants['first']! } };
  await expect(runBench({ name: 'toy', url, bench }, { names: [], quick: true }, () => {})).rejects.toThrow(
    'variant missing ended with 1 before it had measured',
  );
});

test('the requested number of calls is kept in flight, and every call is counted', async () => {
  let running = 0;
  let most = 0;
  const calls = new Set<number>();
  const { done } = await keepInFlight(8, 20, async (call) => {
    calls.add(call);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
  });
  expect(most).toBe(8);
  expect(running).toBe(0);
  expect(done).toBe(calls.size);
});

describe('options of the bench command', () => {
  test('options are names and flags in any order', () => {
    expect(
      parseOptions(['decision', '--quick', 'http', '--rounds', '3', '--scenario', 'typical', '--json', 'out.json']),
    ).toEqual({
      names: ['decision', 'http'],
      quick: true,
      rounds: 3,
      scenario: 'typical',
      json: 'out.json',
    });
    expect(parseOptions([])).toEqual({ names: [], quick: false });
    expect(parseOptions(['capacity', '--write'])).toEqual({ names: ['capacity'], quick: false, write: true });
  });

  test('--write is rejected with --quick, so that inaccurate results are not stored', () => {
    expect(() => parseOptions(['--write', '--quick'])).toThrow('--write: expected without --quick');
  });

  test.each(['0', '1.5', 'many'])('--rounds %s is rejected', (rounds) => {
    expect(() => parseOptions(['--rounds', rounds])).toThrow(
      `--rounds: expected a whole number of 1 or more, got ${rounds}`,
    );
  });
});
