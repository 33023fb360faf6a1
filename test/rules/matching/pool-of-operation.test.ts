import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPoolFinder, matchesGlob, type NamedPatterns } from '../../../src/rules/matching/pool-of-operation.js';
import type { OperationFacts } from '../../../src/rules/matching/rule-index.js';

const search: OperationFacts = {
  type: 'QUERY',
  name: 'ReportDaily',
  coordinates: ['Query.search', 'Book.title', 'User.name'],
};
const poolOf = (pools: readonly NamedPatterns[], facts: Partial<OperationFacts> = {}) =>
  createPoolFinder(pools)({ ...search, ...facts })?.name;

describe('the pool of an operation', () => {
  it.each([
    ['its type', { operationTypes: ['QUERY'] as const }, true],
    ['another type', { operationTypes: ['MUTATION'] as const }, false],
    ['its name', { operationNames: ['ReportDaily'] }, true],
    ['a pattern of its name', { operationNames: ['*Daily', 'x'] }, true],
    ['a part of its name', { operationNames: ['Report'] }, false],
    ['a field that it selects', { fields: ['Query.search'] }, true],
    ['the fields of a type', { fields: ['Book.*'] }, true],
    ['a field of any type', { fields: ['*.name'] }, true],
    ['a field that it does not select', { fields: ['Query.find', 'Author.*', '*.id'] }, false],
    ['everything', { fields: ['*'] }, true],
    ['one pattern of several kinds', { operationTypes: ['MUTATION'] as const, fields: ['Book.title'] }, true],
  ])('is found by %s', (_, patterns, found) => {
    expect(poolOf([{ name: 'a', ...patterns }])).toBe(found ? 'a' : undefined);
  });

  it('is the first one that matches, in their order', () => {
    const pools = [
      { name: 'writes', operationTypes: ['MUTATION' as const] },
      { name: 'titles', fields: ['Book.title'] },
      { name: 'search', fields: ['Query.search'] },
    ];
    const find = createPoolFinder(pools);
    expect(find(search)).toEqual({ name: 'titles', order: 1 });
    expect(find({ ...search, type: 'MUTATION' })).toEqual({ name: 'writes', order: 0 });
    expect(find({ ...search, coordinates: [] })).toBeUndefined();
  });

  it('is never found by its name where it has none', () => {
    expect(poolOf([{ name: 'a', operationNames: ['*'] }], { name: undefined })).toBeUndefined();
  });

  it('lists every mistake in the patterns', () => {
    const wrong = [
      { name: 'a', operationTypes: ['MUTATE' as 'MUTATION'], operationNames: ['a b'], fields: ['Query.a.b'] },
      { name: 'b' },
      { name: 'a', fields: ['*'] },
    ];
    expect(() => createPoolFinder(wrong)).toThrow(
      /^pools: 5 mistakes in its options\n {2}pools\.a: operation type: .*\n {2}pools\.a: operation name: .*\n {2}pools\.a: field: .*\n {2}pools\.b: expected a pattern.*\n {2}pools\.a: expected once/,
    );
  });
});

it('a star in a name stands for any characters, and nothing else is special', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(piece, { minLength: 1, maxLength: 5 }),
      fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 12 }),
      (pieces, text) => {
        expect(matchesGlob(pieces.join('*'), text)).toBe(new RegExp(`^${pieces.join('.*')}$`).test(text));
      },
    ),
    { numRuns: 2000 },
  );
});
