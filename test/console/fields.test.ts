import { buildSchema, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { explorerPath } from '../../console/src/pages/fields/explorer-path.js';
import { type PricedField, priceWords, sizeWords, suggestion } from '../../console/src/pages/fields/price-words.js';

const FIELD: PricedField = {
  weight: null,
  typeWeight: null,
  isComputed: false,
  callCost: 0,
  itemCost: 0,
  type: 'Item',
  isSizeInferred: false,
  sizeArguments: [],
};

test('the price of a field is shown as numbers, each with its source', () => {
  expect(priceWords(FIELD)).toBe('0 (default)');
  expect(priceWords({ ...FIELD, itemCost: 1 })).toBe('1 per object (default)');
  expect(priceWords({ ...FIELD, weight: 0 })).toBe('0 per call (@cost)');
  expect(priceWords({ ...FIELD, weight: 2.5, callCost: 2.5, typeWeight: 3, itemCost: 3 })).toBe(
    '2.5 per call (@cost), 3 per object (@cost)',
  );
  // The most expensive type of this union has no annotation.
  expect(priceWords({ ...FIELD, typeWeight: 0.5, itemCost: 1 })).toBe('1 per object (default)');
  expect(priceWords({ ...FIELD, type: '[Int!]!', callCost: 1, itemCost: 2, typeWeight: 2 })).toBe(
    '1 per call (default), 2 per value (@cost)',
  );
  expect(priceWords({ ...FIELD, weight: 2, isComputed: true })).toBe('computed in code');
});

test('the size of a list is shown with its source: arguments, the parent field, an annotation or the default', () => {
  const size = (field: Partial<PricedField>) => sizeWords({ ...FIELD, ...field });
  expect(size({})).toBeUndefined();
  expect(size({ sizeSource: 'ARGUMENTS', sizeArguments: ['first', 'last'], assumedSize: 20 })).toBe(
    'first, last, default 20',
  );
  expect(size({ sizeSource: 'PARENT' })).toBe('parent field');
  const inferred = { sizeSource: 'ARGUMENTS', sizeArguments: ['first'], isSizeInferred: true } as const;
  expect(size({ ...inferred, assumedSize: 20 })).toBe('first (inferred), default 20');
  expect(size({ sizeSource: 'ASSUMED_SIZE', assumedSize: 1000 })).toBe('1,000 (@listSize)');
  expect(size({ sizeSource: 'DEFAULT', assumedSize: 10 })).toBe('default 10');
});

test('a suggestion is an annotation, even of size zero, and is absent if no value is suggested', () => {
  expect(suggestion({ suggestedAssumedSize: 0 })).toBe('@listSize(assumedSize: 0)');
  expect(suggestion({ suggestedWeight: 1 / 3, suggestedAssumedSize: null })).toBe('@cost(weight: "0.333")');
  expect(suggestion({})).toBeUndefined();
});

test('root fields link to the explorer with a valid operation, and other fields have no link', () => {
  const schema = buildSchema('type Query { count: [Int!]! user: User } type User { id: ID! }');
  for (const [coordinate, type] of [
    ['Query.count', '[Int!]!'],
    ['Query.user', 'User'],
  ] as const) {
    const { searchParams } = new URL(explorerPath({ coordinate, type })!, 'http://a');
    expect(validate(schema, parse(searchParams.get('query')!))).toEqual([]);
  }
  expect(explorerPath({ coordinate: 'Query.count', type: '[Int!]!' }, 'shop')).toMatch(/&service=shop$/);
  expect(explorerPath({ coordinate: 'User.id', type: 'ID!' })).toBeUndefined();
  expect(explorerPath({ coordinate: 'constructor.id', type: 'ID!' })).toBeUndefined();
});
