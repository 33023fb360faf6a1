import fc from 'fast-check';
import { parse } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { createSkim } from '../../src/gateway/upstream/create-skim.js';
import { createDemoSchema } from '../helpers/demo-schema.js';

// A skim reads a JSON object like `JSON.parse`, except that each string, number and boolean is
// `true`.

const name = fc.constantFrom('id', 'name', 'items', 'data', 'nodes', '__proto__', 'constructor', 'a b', 'é', '');
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const answer = fc.dictionary(name, json, { maxKeys: 4, noNullPrototype: true });
const written = fc.tuple(answer, fc.constantFrom('', '  ', '\t', '\n \r')).map(([value, indent]) => {
  return JSON.stringify(value, undefined, indent.replace(/[\n\r]/g, ' '));
});

/** Returns the value as a skim reads it. */
function shapeOf(value: unknown): unknown {
  if (value === null) return null;
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object') return true;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shapeOf(one)]));
}

const parsed = (text: string) => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
};

describe('skimmed responses', () => {
  test('skimming finds the same names, lists and nulls as JSON.parse, whatever was skimmed before', () => {
    let skimmed = 0;
    fc.assert(
      fc.property(fc.array(written, { minLength: 1, maxLength: 6 }), (texts) => {
        const skim = createSkim();
        for (const text of [...texts, ...texts]) {
          const found = skim.read(Buffer.from(text));
          if (found === undefined) continue;
          skimmed++;
          expect(found).toEqual(shapeOf(JSON.parse(text)));
        }
      }),
      { numRuns: 300 },
    );
    expect(skimmed).toBeGreaterThan(300);
  });

  test('skimming never accepts a text that JSON.parse rejects', () => {
    const skim = createSkim();
    const broken = fc
      .tuple(
        written,
        fc.nat(),
        fc.constantFrom('', '"', '\\', '\\u12', '{', '}', ']', ',', ':', '0', '-', '.', 'e', '\n', 'nul'),
      )
      .map(([text, at, put]) => text.slice(0, at % text.length) + put + text.slice((at % text.length) + (at % 2)));
    let rejected = 0;
    fc.assert(
      fc.property(broken, (text) => {
        const whole = parsed(text);
        const found = skim.read(Buffer.from(text));
        if (whole === undefined) rejected++;
        if (found !== undefined) expect(found).toEqual(shapeOf(whole?.value));
        if (whole === undefined) expect(found).toBeUndefined();
      }),
      { numRuns: 3000 },
    );
    expect(rejected).toBeGreaterThan(100);
  });

  test.each([
    '{"a":01}',
    '{"a":1.}',
    '{"a":-}',
    '{"a":1e}',
    '{"a":.5}',
    '{"a":+1}',
    '{"a":tru}',
    '{"a":"\\x"}',
    '{"a":"\\u12g4"}',
    '{"a":"\u0001"}',
    '{"a":1,}',
    '{"a":[1,]}',
    '{"a":1}}',
    '{"a":1} x',
    '{"a"}',
    '{a:1}',
    '{"a":"b',
    '\ufeff{"a":1}',
    '[1]',
    '',
  ])('skimming returns no result for %j', (text) => {
    expect(createSkim().read(Buffer.from(text))).toBeUndefined();
  });

  test('skimming stops at more names or levels than a response to one document needs', () => {
    const skim = createSkim();
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`n${i}`, { [`m${i}`]: 1 }]));
    expect(skim.read(Buffer.from(JSON.stringify(many)))).toBeUndefined();
    expect(skim.read(Buffer.from('{"more":1}'))).toBeUndefined();
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
    expect(createSkim().read(Buffer.from(deep))).toBeUndefined();
  });

  test('a skimmed response has the same actual cost as the parsed response', () => {
    const analyzer = createCostAnalyzer(createDemoSchema());
    const query = '{ countries(first: 9) { name capitals borders { name languages { name } } } }';
    const plan = analyzer.compile(parse(query));
    const languages = fc.option(fc.array(fc.option(fc.record({ name: fc.string() })), { maxLength: 3 }));
    const country = fc.record({
      name: fc.option(fc.string()),
      capitals: fc.option(fc.array(fc.string(), { maxLength: 3 })),
      borders: fc.option(fc.array(fc.option(fc.record({ name: fc.string(), languages })), { maxLength: 4 })),
    });
    const skim = createSkim();
    fc.assert(
      fc.property(fc.option(fc.array(fc.option(country), { maxLength: 9 })), (countries) => {
        const text = JSON.stringify({ data: { countries } });
        const { data } = skim.read(Buffer.from(text)) as { data: unknown };
        expect(plan.actual({}, data)).toEqual(plan.actual({}, JSON.parse(text).data));
      }),
    );
  });
});
