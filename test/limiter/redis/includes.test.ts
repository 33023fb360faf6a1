import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Limit, SHAPE } from '../../../src/limiter/algorithms/limit-algorithm.js';
import { createLimitCompiler, type LimitCharge } from '../../../src/limiter/charge/create-limit-compiler.js';
import { createStoredCounter } from '../../../src/limiter/memory/stored-counter.js';
import { LUA_NAMES } from '../../../src/limiter/redis/layout.js';
import { expand } from '../../../src/limiter/redis/scripts.js';
import { startRedisServer, type TestServer } from '../../helpers/servers.js';

const LUA = new URL('../../../lua/', import.meta.url);
const textOf = (file: string) => readFileSync(new URL(file, LUA), 'utf8');

let server: TestServer;
let client: Redis;
beforeAll(async () => {
  server = await startRedisServer();
  client = new Redis(server.url);
});
afterAll(async () => {
  await client.quit();
  await server.stop();
});

/**
 * Runs Lua includes without the rest of the scripts. The code before them defines only the names
 * that they use. `setUp` is Lua code that runs after the includes and before the expression.
 */
async function call(includes: string | readonly string[], expression: string, setUp = ''): Promise<number[]> {
  const script = expand(`
    local unpackBytes, packBytes = struct.unpack, struct.pack
    local RECORD_BYTES, shapes = KINDS.BYTES, {}
    local function shapeOf(kind) return shapes[kind] end
    local sub, byte, floor, ceil, min, max = string.sub, string.byte, math.floor, math.ceil, math.min, math.max
    local function correctCount(count, difference, maxCount) return max(0, min(count + difference, maxCount)) end
${[includes]
  .flat()
  .map((include) => `-- include ${include}`)
  .join('\n')}
    ${setUp}
    local texts = {}
    for i, value in ipairs({ ${expression} }) do texts[i] = string.format('%.0f', value) end
    return texts`);
  return ((await client.eval(script, 0)) as string[]).map(Number);
}

describe('Lua includes on their own', () => {
  const amount = fc.integer({ min: 0, max: 40 });
  const bucket = (capacity: number, maxDebt: number): LimitCharge => {
    const refill = { capacity, refillAmount: 1, refillPeriodMs: 7 };
    return { id: 'bucket', scope: 'USER', algorithm: 'TOKEN_BUCKET', ...refill, maxDebt, cost: 0 };
  };

  test('the include for buckets corrects a bucket up and down like the memory engine', async () => {
    await fc.assert(
      fc.asyncProperty(amount, amount, amount, amount, amount, async (taken, debt, maxDebt, charged, actual) => {
        const limit = createLimitCompiler().compile(bucket(20, maxDebt), 0);
        const numbers = [taken * 7, debt * 7];
        limit.algorithm.correctNumbers(limit, numbers, charged, actual);
        const change = Math.abs(actual - charged) * 7;
        const inLua =
          actual > charged
            ? `overdraw(${taken * 7}, ${debt * 7}, ${change}, ${20 * 7}, ${maxDebt * 7})`
            : `refund(${taken * 7}, ${debt * 7}, ${change})`;
        expect(await call('buckets', inLua)).toEqual(numbers);
      }),
    );
  });

  test('the include for lists sorts entries by their end, and finds the entry of a charge', async () => {
    // addEntry returns two values. The parentheses keep only the first one, the entries.
    let text = `''`;
    for (const [endsAt, cost, id] of [
      [300, 3, 'cccccc'],
      [100, 1, 'aaaaaa'],
      [200, 2, 'bbbbbb'],
    ] as const) {
      text = `(addEntry(${text}, ${endsAt}, ${cost}, '${id}'))`;
    }
    const ends = await call('lists', `(logRetryAt(${text}, 6, 5, 5)), listEmptyAt(${text})`);
    expect(ends).toEqual([300, 300]);
    expect(await call('lists', `(logRetryAt(${text}, 6, 2, 5)), findEntry(${text}, 'bbbbbb')`)).toEqual([200, 18]);
  });
});

describe('release of a slot', () => {
  const NOW = 1_700_000_000_000;
  test.each([
    ['counts its hold time', NOW - 300, 'aaaaaa', 300],
    ['counts no hold time if the time of the charge is unknown, as after an outage', 0, 'aaaaaa', 500],
    ['counts no hold time if the charge is in the future', NOW + 1, 'aaaaaa', 500],
    ['counts no hold time if the charge holds no slot', NOW - 300, 'bbbbbb', 500],
  ])('the release of a slot %s', async (_, stamp, chargeId, last) => {
    const compiled = createLimitCompiler().compile(
      { id: 'slots', scope: 'USER', algorithm: 'CONCURRENCY', capacity: 5, leaseMs: 60_000, cost: 1 },
      1,
    );
    const counter = { ...createStoredCounter(compiled), at: NOW, used: 1, debt: 500 };
    counter.entries = [{ endsAtMs: NOW + 1, cost: 1, chargeId: 'aaaaaa' }];
    compiled.algorithm.correct(compiled, counter, stamp, chargeId, 1, 0);
    expect(counter.debt).toBe(375 + last / 4);
    const setUp = `
      local counter = { used = 1, meanHold = 500, entries = packBytes(ENTRY.FORMAT, ${NOW + 1}, 1, 'aaaaaa') }
      list.correct({ first = 60000, hasSlots = true }, counter, ${NOW}, ${stamp}, '${chargeId}', 1, 0)`;
    const expected = [counter.debt, counter.used, counter.entries.length];
    expect(await call('lists', 'counter.meanHold, counter.used, #counter.entries / ENTRY.BYTES', setUp)).toEqual(
      expected,
    );
  });
});

describe('counters in the Lua includes', () => {
  const compile = createLimitCompiler().compile;
  const NOW = 1_700_000_000_123;
  const limitOf = (charge: Partial<LimitCharge>) =>
    compile({ id: 'limit', scope: 'USER', amount: 20, windowMs: 1000, cost: 0, ...charge } as LimitCharge, 0);
  const inLua = (limit: Limit) =>
    `{ shape = ${limit.shape}, capacity = ${limit.capacity}, first = ${limit.windowMs || limit.refillAmount},
       second = ${limit.refillPeriodMs || 'nil'}, maxDebt = ${limit.maxDebt}, maxDelayMs = ${limit.maxDelayMs}, leaky = ${limit.leaky} }`;
  const amount = fc.integer({ min: 0, max: 25 });

  test('the Lua includes admit the same charges as the memory engine', async () => {
    const limits = [
      limitOf({ algorithm: 'TOKEN_BUCKET', capacity: 20, refillAmount: 3, refillPeriodMs: 7 }),
      limitOf({ algorithm: 'TOKEN_BUCKET', capacity: 20, refillAmount: 3, refillPeriodMs: 7, maxDelayMs: 9 }),
      limitOf({ algorithm: 'LEAKY_BUCKET', capacity: 20, refillAmount: 3, refillPeriodMs: 7, maxDelayMs: 9 }),
      limitOf({ algorithm: 'FIXED_WINDOW' }),
      limitOf({ algorithm: 'SLIDING_WINDOW_COUNTER' }),
      limitOf({ algorithm: 'SLIDING_WINDOW_COUNTER', strict: true }),
    ];
    await fc.assert(
      fc.asyncProperty(fc.nat(5), amount, amount, amount, fc.nat(2000), async (which, used, other, cost, afterMs) => {
        const limit = limits[which]!;
        const units = limit.shape === SHAPE.BUCKET ? limit.refillPeriodMs : 1;
        const counter = { ...createStoredCounter(limit), used: used * units, debt: other, previousCount: other };
        const expected = cost === 0 || limit.algorithm.admits(limit, counter, NOW + afterMs, cost);
        const asLua = `{ used = ${used * units}, debt = ${other}, previous = ${other} }`;
        const admitted = await call(
          'decide',
          `admits(${inLua(limit)}, ${asLua}, ${NOW + afterMs}, ${cost}) and 1 or 0`,
        );
        expect(admitted).toEqual([Number(expected)]);
      }),
    );
  });

  test.each([
    ['fixed-windows', 'fixed', limitOf({ algorithm: 'FIXED_WINDOW' })],
    ['sliding-windows', 'sliding', limitOf({ algorithm: 'SLIDING_WINDOW_COUNTER' })],
    ['strict-windows', 'strict', limitOf({ algorithm: 'SLIDING_WINDOW_COUNTER', strict: true })],
  ])('the include %s charges and corrects a counter like the memory engine', async (include, shape, limit) => {
    await fc.assert(
      fc.asyncProperty(amount, amount, amount, fc.nat(2500), async (cost, charged, actual, agoMs) => {
        const { algorithm } = limit;
        const counter = { ...createStoredCounter(limit), at: 0, used: 0, previousCount: 0 };
        algorithm.refresh(limit, counter, NOW);
        algorithm.take(limit, counter, NOW, cost, '');
        algorithm.correct(limit, counter, NOW - agoMs, '', charged, actual);
        const setUp = `
          local limit, counter = ${inLua(limit)}, { used = 0 }
          ${shape}.load(limit, counter, nil, nil, ${NOW})
          ${shape}.take(limit, counter, ${NOW}, ${cost})
          ${shape}.correct(limit, counter, ${NOW}, ${NOW - agoMs}, '', ${charged}, ${actual})`;
        const found = await call(include, 'counter.used, counter.previous or 0', setUp);
        expect(found).toEqual([counter.used, counter.previousCount]);
      }),
    );
  });
});

describe('partition values in the Lua includes', () => {
  const FIXED = ['fixed-windows', 'records', 'load', 'write'];
  const START = 1_700_000_000_000;
  const count = fc.integer({ min: 1, max: 25 });

  /**
   * Returns Lua code that creates a partition value. The value contains fixed windows of one second
   * with these counts. It is written at the start of a window. Its sweep is due at the end of that
   * window.
   */
  const valueWith = (counts: readonly number[]) => `
    shapes[KIND.FIXED] = fixed
    local limits, counters = {}, {}
    for i, used in ipairs({ ${counts} }) do
      limits[i] = { shape = KIND.FIXED, id = i, first = 1000, capacity = 100 }
      counters[i] = { limit = limits[i], used = used, touched = true }
    end
    local records, earliest, latest = packRecords(nil, counters, 1, #counters, nil, nil, ${START})
    local value = packBytes(HEADER.FORMAT, VERSION.RECORDS, ${START}, 0, 0) .. records`;

  test('the counters of a call are loaded in the requested order, whatever the order of their records', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(count, { minLength: 2, maxLength: 5 }), fc.nat(1999), async (counts, afterMs) => {
        const order = counts.map((_, i) => `limits[${counts.length - i}]`);
        const used = counts.map((_, i) => `loaded[${i + 1}].used`);
        const load = `local loaded, isReadable = loadCounters({ ${order} }, value, ${START + afterMs})`;
        const found = await call(FIXED, `isReadable and 1 or 0, ${used}`, `${valueWith(counts)}\n${load}`);
        expect(found).toEqual([1, ...counts.toReversed().map((one) => (afterMs < 1000 ? one : 0))]);
      }),
      { numRuns: 30 },
    );
  });

  test('a truncated value is loaded as empty counters and reported as unreadable', async () => {
    const load = `local loaded, isReadable = loadCounters(limits, string.sub(value, 1, -2), ${START})`;
    expect(await call(FIXED, 'isReadable and 1 or 0, loaded[1].used', `${valueWith([7])}\n${load}`)).toEqual([0, 0]);
    const lists = `
      local list, isReadable = loadList({}, packBytes('<B', VERSION.RECORDS), ${START})
      local none, isAlsoReadable = loadList({}, nil, ${START})`;
    const found = 'isReadable and 1 or 0, list.used, isAlsoReadable and 1 or 0, none.used';
    expect(await call(['records', 'load'], found, lists)).toEqual([0, 0, 1, 0]);
  });

  test.each([
    ['keeps records that a call does not use until the sweep', 1200, 2, 3],
    ['drops empty records that a call does not use at the sweep', 1200, 1, 1],
    ['keeps non-empty records that a call does not use at the sweep', 200, 0, 3],
  ])('packing a partition %s', async (_, afterMs, sweepAfterS, left) => {
    const pack = `
      local now = ${START + afterMs}
      local asked = { { limit = limits[1], used = 1, place = HEADER.BYTES + 1, touched = true } }
      local packed = packRecords(value, asked, 1, 1, nil, ${START / 1000 + sweepAfterS}, now)`;
    expect(await call(FIXED, '#packed / FIXED.BYTES', `${valueWith([1, 2, 3])}\n${pack}`)).toEqual([left]);
  });

  test.each([
    ['writes fields that have changed', 'true', 5, [5, 0]],
    ['leaves fields that have not changed', 'false', 5, [3, 0]],
    ['leaves a window that is now empty to the slow path', 'true', 0, [3, 1]],
  ])('the fast path %s', async (_, isChanged, used, expected) => {
    const write = `
      redis.call('SET', 'fields', value)
      local read = { unpackBytes(HEADER.FORMAT_OF_ALL, value) }
      read[1 + HEADER.EXPIRES_AT] = ${START / 1000 + 3600}
      read[1 + HEADER.SIZE + FIXED.COUNT] = ${used}
      local slowly = 0
      writeAll({ 'fields' }, ${START + 1}, { read }, { ${isChanged} }, { true }, {}, {}, { 1 }, { { 1 } },
        { HEADER.FORMAT_OF_ALL }, function() return { write = function(k) slowly = slowly + k end } end)
      local _, written = unpackBytes('<c' .. (#value - 5) .. 'I5', redis.call('GET', 'fields'))`.replaceAll(
      'HEADER.FORMAT_OF_ALL',
      'HEADER.FORMAT .. FIXED.FIELDS',
    );
    expect(await call([...FIXED, 'write-all'], 'written, slowly', `${valueWith([3])}\n${write}`)).toEqual(expected);
  });
});

describe('text of the scripts', () => {
  const files = ['charge.lua', 'peek.lua', ...readdirSync(new URL('includes', LUA)).map((file) => `includes/${file}`)];

  test.each(files)('the script file %s uses only the offsets, formats and bounds of layout.ts', (file) => {
    const code = textOf(file).replace(/--[^\n]*/g, '');
    expect(code).not.toMatch(/\[at( \+ \d+)?\]/);
    // Formats of a single short or byte are allowed, because they are counts. Formats of several
    // fields must have a name.
    expect(code).not.toMatch(/'<?[BHI][0-9BHIc]*I\d/);
    for (const name of code.match(/\b[A-Z][A-Z_]+\.[A-Z_]+\b/g) ?? []) expect(LUA_NAMES.has(name), name).toBe(true);
  });

  test('a script with a name that layout.ts does not have is rejected when it is loaded', () => {
    expect(() => expand('return BUCKET.LEVEL')).toThrow('BUCKET.LEVEL');
    expect(expand('return BUCKET.TAKEN -- BUCKET.TAKEN')).toBe('return 5 -- BUCKET.TAKEN');
  });

  test.each(['charge', 'peek'])('the script %s lists its includes at its top', (name) => {
    const lines = textOf(`${name}.lua`).split('\n');
    const code = lines.findIndex((line) => line !== '' && !line.startsWith('--') && !line.startsWith('#!'));
    const includes = lines.flatMap((line, at) => (line.startsWith('-- include ') ? [at] : []));
    expect(includes.length).toBeGreaterThan(0);
    expect(Math.max(...includes)).toBeLessThan(code);
  });
});
