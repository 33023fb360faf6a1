import { readFileSync } from 'node:fs';
import { buildSchema, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { createDocumentCheck } from '../../src/documents/document-check.js';
import { hostileAliases, hostileFragments, schemaOfManyPrices } from './reference/hostile-aliases.js';

const TYPES = 30;
const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
const schema = buildSchema(`${directives}\n${schemaOfManyPrices(TYPES)}`);
const documentCheck = createDocumentCheck();
const isWithinLimits = (text: string): boolean =>
  documentCheck.ofText(text) === undefined && documentCheck.ofParsed(schema, parse(text)) === undefined;
const MANY_TYPES = 200;
const schemaOfMany = buildSchema(`${directives}\n${schemaOfManyPrices(MANY_TYPES)}`);
const documents = Object.entries(hostileAliases(isWithinLimits));

describe(`maximum number of aliases below an interface whose fields have different prices on ${TYPES} types`, () => {
  it.each(documents)('aliases %s are priced within the default limits', (_, text) => {
    expect(validate(schema, parse(text))).toEqual([]);
    expect(createCostAnalyzer(schema).compile(parse(text)).estimate({}).cost).toBeGreaterThan(0);
  });
});

describe(`largest documents below an interface whose fields have different prices on ${MANY_TYPES} types`, () => {
  const many = createCostAnalyzer(schemaOfMany);
  const all = { ...hostileAliases(isWithinLimits), ...hostileFragments(isWithinLimits) };

  it.each(Object.entries(all))('documents at the limits are priced, exactly or by an upper bound: %s', (_, text) => {
    expect(validate(schemaOfMany, parse(text))).toEqual([]);
    expect(many.compile(parse(text)).estimate({}).cost).toBeGreaterThan(0);
  });

  it('the upper bound equals the exact cost if nothing is merged and types differ only in their prices', () => {
    const text = all['with another argument below each']!;
    const exact = createCostAnalyzer(schemaOfMany, { maxCompileSteps: 10_000_000 }).compile(parse(text));
    expect(many.compile(parse(text)).isUpperBound).toBe(true);
    expect(many.compile(parse(text)).estimate({}).cost).toBe(exact.estimate({}).cost);
  });
});

describe('maximum number of fields on objects', () => {
  const fields = (count: number, field: (at: number) => string) => Array.from({ length: count }, (_, at) => field(at));
  const nested = (depth: number): string => (depth === 0 ? 'x' : `o { x ${nested(depth - 1)} }`);
  it.each([
    ['with different names', `{ o { ${fields(1950, (at) => `x${at}`).join(' ')} } }`],
    ['with aliases', `{ o { ${fields(250, (at) => `a${at}: x`).join(' ')} } }`],
    [
      'with conditions',
      `query ($v: Boolean!) { o { ${fields(150, (at) => `a${at}: x @include(if: $v)`).join(' ')} } }`,
    ],
    ['with different selections', `{ ${fields(200, (at) => `a${at}: o { x ...F }`).join(' ')} } fragment F on O { x }`],
    ['nested in each other', `{ ${nested(12)} ${nested(11)} }`],
  ])('an operation with the maximum number of fields on objects is priced exactly: fields %s', (_, text) => {
    const priced = fields(1950, (at) => `x${at}: Int @cost(weight: "2")`).join(' ');
    const schemaOfObjects = buildSchema(`${directives} type Query { o: O } type O { o: O x: Int ${priced} }`);
    expect(validate(schemaOfObjects, parse(text))).toEqual([]);
    expect(documentCheck.ofText(text)).toBeUndefined();
    expect(createCostAnalyzer(schemaOfObjects).compile(parse(text)).isUpperBound).toBe(false);
  });
});

describe('aliases that differ only in their name', () => {
  const aliases = (count: number, selection: string): string =>
    `{ i { ${Array.from({ length: count }, (_, at) => `a${at}: ${selection}`).join(' ')} } }`;

  it.each([
    'f0 { x }',
    'f0 { f1 { x } }',
    'f0(first: 3) { f1(first: 2) { x } f2 { x } }',
    'x',
  ])('aliases of %s need few steps each, even if many types price it differently, and N aliases cost N times as much as one', (selection) => {
    const tight = createCostAnalyzer(schema, { maxCompileSteps: 4000, minimumCost: 0 });
    const cost = (count: number) => tight.compile(parse(aliases(count, selection))).estimate().cost;
    const object = cost(1) * 2 - cost(2);
    expect(cost(500)).toBe((cost(1) - object) * 500 + object);
  });

  it('each alias is one call for every limit on fields, and one path in the explanation', () => {
    const plan = createCostAnalyzer(schema).compile(parse(aliases(250, 'f0 { f1 { x } }')));
    expect(plan.measure((at) => at === 'I.f0').estimate().calls).toBe(250);
    expect(plan.measure((at) => at === 'T7.f1').estimate().calls).toBe(250);
    expect(plan.estimate().fields.find(({ coordinate }) => coordinate === 'T29.f0')?.calls).toBe(250);
    const { fields, mostExpensive } = plan.explain();
    expect(fields[0]!.fields.map(({ path }) => path)).toEqual(Array.from({ length: 250 }, (_, at) => `i.a${at}`));
    expect(new Set(mostExpensive.map(({ path }) => path)).size).toBe(5);
  });

  it('the actual cost counts each alias by the data under its name', () => {
    const plan = createCostAnalyzer(schema, { minimumCost: 0 }).compile(
      parse(aliases(20, 'f0(first: 2) { x }').replace('{ i {', '{ i { __typename')),
    );
    const object = Object.fromEntries(
      Array.from({ length: 20 }, (_, at) => [`a${at}`, at < 5 ? [{ x: 1 }, { x: 1 }] : null]),
    );
    const actual = plan.actual({}, { i: { __typename: 'T3', ...object } });
    // One object, 20 calls of 9 each, and ten items of unknown type. Each item costs an object and
    // a call of 29, as on type T29.
    expect(actual.cost).toBe(1 + 20 * 9 + 10 * 30);
    expect(plan.actual({}, { i: { __typename: 'T3' } }).cost).toBe(1);
  });
});
