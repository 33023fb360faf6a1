import { describe, expect, it } from 'vitest';
import { countedShare, expectedRows } from '../../src/capacity/expected-rows.js';
import { MEASURED, MEASURED_ON } from '../../src/capacity/measured.js';
import { capacityCommand } from '../../src/server/commands/capacity/capacity-command.js';
import { createRandom } from '../cost/reference/random.js';

function run(...args: string[]) {
  let out = '';
  let err = '';
  const status = capacityCommand(args, {
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  return { status, out, err };
}

function plan(...args: string[]) {
  const { status, out, err } = run('--json', ...args);
  expect(err).toBe('');
  expect(status).toBe(0);
  return JSON.parse(out) as {
    figures: Record<string, { value: number; unit: string; formula: string }>;
    walls: { name: string; load: number; most: number; advice: string }[];
    measuredOn: typeof MEASURED_ON;
  };
}

const SMALL = ['--users', '1000', '--rps', '100'] as const;

describe('the expected number of rows', () => {
  it.each([
    { callers: 50_000, exponent: 1, names: 1, operations: 30_000, batches: 1, atLeast: 1 },
    { callers: 20_000, exponent: 1, names: 3, operations: 2_000, batches: 40, atLeast: 1 },
    { callers: 20_000, exponent: 0.8, names: 1, operations: 20_000, batches: 10, atLeast: 5 },
    { callers: 20_000, exponent: 1, names: 3, operations: 10_000, batches: 12, atLeast: 3 },
    { callers: 20_000, exponent: 0, names: 2, operations: 20_000, batches: 2, atLeast: 2 },
  ])('agrees with random operations within three per cent: %j', (of) => {
    const { rows, counted } = simulate(of);
    expect(Math.abs(expectedRows(of, of) / rows - 1)).toBeLessThan(0.03);
    expect(Math.abs(countedShare(of, of) / counted - 1)).toBeLessThan(0.03);
  });

  it('is never above the number of callers, nor above the number of operations', () => {
    const traffic = { callers: 10_000_000, exponent: 1 };
    expect(expectedRows(traffic, { operations: 1e13 })).toBeCloseTo(10_000_000, -2);
    expect(expectedRows(traffic, { operations: 1 })).toBeLessThanOrEqual(1);
    expect(expectedRows({ callers: 1, exponent: 1 }, { operations: 0 })).toBe(0);
    expect(expectedRows(traffic, { operations: 100, batches: 1e6, atLeast: 200 })).toBeLessThan(1e-3);
  });
});

describe('tollgate capacity', () => {
  it('derives each figure from the measured constants by the printed formula', () => {
    const { figures, measuredOn } = plan(
      '--users',
      '10M',
      '--rps',
      '100k',
      '--limits',
      '6',
      '--cpu-us',
      '1000',
      '--copies',
      'none',
    );
    expect(figures['instances']!.value).toBe((100_000 * 1000) / 1e6 / 0.5);
    expect(figures['redisCores']!.value).toBeCloseTo((100_000 * MEASURED.redisUsOfSixLimits.value) / 1e6, 6);
    expect(figures['redisBytes']!.value).toBeCloseTo(
      figures['activeCallers']!.value * MEASURED.counterBytesOfSixLimits.value + 32 * 2 ** 20,
      0,
    );
    expect(figures['redisServers']!.value).toBe(2 * figures['redisShards']!.value);
    for (const { formula } of Object.values(figures)) expect(formula).toMatch(/\d/);
    expect(measuredOn).toEqual(MEASURED_ON);
  });

  it('prints by how much watched limits can be exceeded: by what the other regions admit within one exchange', () => {
    const load = ['--users', '1000', '--rps', '900', '--exchange-ms', '500'];
    expect(plan(...load, '--regions', '3').figures['watchedExcess']!.value).toBe(2 * 300 * 0.5);
    expect(plan(...load, '--regions', '1').figures['watchedExcess']!.value).toBe(0);
    expect(run(...load, '--regions', '3').out).toContain('Of any limit, at most 2 × its amount in a window');
  });

  it.each([
    'usageRows',
    'diskBytes',
    'cost',
  ])('prints a formula of %s whose numbers have the printed result', (name) => {
    const { value, formula } = plan('--users', '300k', '--rps', '2k', '--regions', '2').figures[name]!;
    // A note in parentheses contains letters. A group of the computation contains products.
    const numbers = formula
      .replace(/ \([^()×]*[a-z][^()×]*\)/g, '')
      .replace(/(?<=\d),(?=\d{3})/g, '')
      .replace(/\) bytes.*$/, ')')
      .replace(/ [a-zA-Z][a-zA-Z ]*(?= [×+]|$)/g, '');
    const group = /^([\d.]+) × \((.*)\)$/.exec(numbers);
    const sum = (group?.[2] ?? numbers)
      .split(' + ')
      .reduce((all, product) => all + product.split(' × ').reduce((one, factor) => one * Number(factor), 1), 0);
    expect(Math.abs((Number(group?.[1] ?? 1) * sum) / value - 1), numbers).toBeLessThan(0.03);
  });

  it('gives each of three regions half of the load, so that two regions carry all of it', () => {
    const one = plan('--users', '1M', '--rps', '10k', '--cpu-us', '1000').figures;
    const three = plan('--users', '1M', '--rps', '10k', '--cpu-us', '1000', '--regions', '3').figures;
    expect(three['instances']!.value).toBe(1.5 * one['instances']!.value);
    expect(three['redisCores']!.value).toBeCloseTo(one['redisCores']!.value / 2, 9);
  });

  it('reports four billion rows of usage by day for ten million daily callers with one operation each', () => {
    const text = plan('--users', '10M', '--rps', '100k', '--operations', '1', '--zipf', '0').figures['usageRows']!
      .formula;
    expect(text).toContain('4,000,000,000 (by day, 400 days)');
  });

  it('names each bound that the load exceeds, and what to change', () => {
    const { out } = run('--users', '10M', '--rps', '100k');
    expect(out).toMatch(/^TOO MUCH {2}entries of usage per second.*\n {10}\S/m);
    expect(run('--users', '100', '--rps', '10').out).not.toContain('TOO MUCH');
  });

  it('shows what a longer flush and counting small callers together change', () => {
    const { alternatives } = plan('--users', '10M', '--rps', '100k') as unknown as {
      alternatives: Record<
        'flushMs' | 'minCallerOperations' | 'entriesPerSecond' | 'byCallerPercent' | 'rows',
        number
      >[];
    };
    const of = (flushMs: number, least: number) =>
      alternatives.find((one) => one.flushMs === flushMs && one.minCallerOperations === least)!;
    expect(of(60_000, 1).entriesPerSecond).toBeLessThan(of(1_000, 1).entriesPerSecond);
    expect(of(60_000, 10).entriesPerSecond).toBeLessThan(of(60_000, 1).entriesPerSecond / 10);
    expect(of(60_000, 1).byCallerPercent).toBeCloseTo(100, 6);
    expect(of(60_000, 10).byCallerPercent).toBeLessThan(60);
    const chosen = plan('--users', '10M', '--rps', '100k', '--flush-ms', '60000', '--min-caller-operations', '10');
    expect(chosen.figures['entriesPerSecond']!.value).toBeCloseTo(of(60_000, 10).entriesPerSecond, 6);
    expect(chosen.figures['usageRows']!.value).toBeCloseTo(of(60_000, 10).rows, 0);
    expect(chosen.walls.find(({ name }) => name.startsWith('entries'))).toMatchObject({
      load: chosen.figures['entriesPerSecond']!.value,
    });
  });

  it('prints the machine and the date of its constants', () => {
    expect(run(...SMALL).out).toContain(`Constants: measured on ${MEASURED_ON.date}, ${MEASURED_ON.machine}`);
  });

  it('rejects all mistakes at once, and names each flag with its range', () => {
    const { status, out, err } = run('--users', '1.5', '--rps=-3', '--copies', 'key', '--zipf', '9', '--regions', '3x');
    expect(status).toBe(2);
    expect(out).toBe('');
    expect(err.trimEnd().split('\n')).toEqual([
      'tollgate capacity: --users: expected a whole number from 1 to 1,000,000,000, such as 20k or 10M, got "1.5"',
      'tollgate capacity: --rps: expected a whole number from 1 to 100,000,000, such as 20k or 10M, got "-3"',
      'tollgate capacity: --regions: expected a whole number from 1 to 20, got "3x"',
      'tollgate capacity: --zipf: expected a number from 0 to 3, got "9"',
      'tollgate capacity: --copies: expected keys, users or none, got "key"; did you mean keys?',
    ]);
    expect(run().err).toMatch(/--users: .*, got nothing\n.*--rps: .*, got nothing\n$/);
    expect(run('--usres', '1').err).toContain('--usres: unknown flag; did you mean --users?');
  });

  it('reads k, M and G as thousands, millions and billions, also after a fraction', () => {
    expect(plan('--users', '2.3M', '--rps', '0.1k')).toMatchObject({ inputs: { users: 2_300_000, rps: 100 } });
    expect(plan('--users', '1G', '--rps', '1')).toMatchObject({ inputs: { users: 1_000_000_000 } });
  });
});

interface Simulated {
  callers: number;
  exponent: number;
  names: number;
  operations: number;
  batches: number;
  atLeast: number;
}

/** Draws random operations, and counts the rows of all batches and the share of counted operations. */
function simulate({ callers, exponent, names, operations, batches, atLeast }: Simulated) {
  const { below } = createRandom(7);
  const cumulative = new Float64Array(callers);
  let total = 0;
  for (let rank = 0; rank < callers; rank++) cumulative[rank] = total += (rank + 1) ** -exponent;
  const rows = new Set<number>();
  let counted = 0;
  for (let batch = 0; batch < batches; batch++) {
    const sent = new Map<number, number[]>();
    for (let i = 0; i < operations; i++) {
      const at = (below(2 ** 32) / 2 ** 32) * total;
      let low = 0;
      for (let high = callers - 1; low < high; ) {
        const middle = (low + high) >> 1;
        if (cumulative[middle]! < at) low = middle + 1;
        else high = middle;
      }
      const name = below(names);
      const ofCaller = sent.get(low);
      if (ofCaller) ofCaller.push(name);
      else sent.set(low, [name]);
    }
    for (const [caller, all] of sent) {
      if (all.length < atLeast) continue;
      counted += all.length;
      for (const name of all) rows.add(caller * names + name);
    }
  }
  return { rows: rows.size, counted: counted / (operations * batches) };
}
