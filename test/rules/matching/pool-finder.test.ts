import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPoolFinder,
  matchesGlob,
  type NamedPatterns,
  type PoolCaller,
} from '../../../src/rules/matching/pool-finder.js';
import type { OperationFacts } from '../../../src/rules/matching/rule-index.js';

const SOMEONE: PoolCaller = { subject: { user: 'ann' }, tier: 'free' };
const search: OperationFacts = {
  type: 'QUERY',
  name: 'ReportDaily',
  coordinates: ['Query.search', 'Book.title', 'User.name'],
};
const poolOf = (pools: readonly NamedPatterns[], facts: Partial<OperationFacts> = {}) =>
  createPoolFinder(pools).ofOperation({ ...search, ...facts })?.(SOMEONE)?.name;

describe('the choice of a pool', () => {
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
  ])('an operation matches a pool for %s, with the patterns %j: %s', (_, patterns, found) => {
    expect(poolOf([{ name: 'a', ...patterns }])).toBe(found ? 'a' : undefined);
  });

  it('the first matching pool is chosen, in the order of the pools', () => {
    const pools = [
      { name: 'writes', operationTypes: ['MUTATION' as const] },
      { name: 'titles', fields: ['Book.title'] },
      { name: 'search', fields: ['Query.search'] },
    ];
    const find = (facts: OperationFacts) => createPoolFinder(pools).ofOperation(facts)?.(SOMEONE);
    expect(find(search)).toEqual({ name: 'titles', order: 1 });
    expect(find({ ...search, type: 'MUTATION' })).toEqual({ name: 'writes', order: 0 });
    expect(find({ ...search, coordinates: [] })).toBeUndefined();
  });

  it('an operation without a name matches no pattern for names', () => {
    expect(poolOf([{ name: 'a', operationNames: ['*'] }], { name: undefined })).toBeUndefined();
  });

  it.each([
    ['their user', { users: ['bob', 'ann'] }, true],
    ['another user', { users: ['an'] }, false],
    ['their tenant', { tenants: ['acme'] }, true],
    ['another tenant', { tenants: ['ACME'] }, false],
    ['the tier that is in force for them', { tiers: ['pro'] }, true],
    ['another tier', { tiers: ['free'] }, false],
    ['anonymous callers, which they are not', { anonymous: true }, false],
    ['one pattern of several kinds', { tiers: ['free'], tenants: ['acme'] }, true],
    ['themselves and the operation', { users: ['ann'], fields: ['Query.search'] }, true],
    ['themselves and another operation', { users: ['ann'], fields: ['Query.find'] }, false],
    ['another user and the operation', { users: ['bob'], fields: ['Query.search'] }, false],
  ])('a caller matches a pool for %s, with the patterns %j: %s', (_, patterns, found) => {
    const caller = { subject: { user: 'ann', tenant: 'acme', apiKey: 'k1', ip: '192.0.2.1' }, tier: 'pro' };
    expect(createPoolFinder([{ name: 'a', ...patterns }]).ofOperation(search)?.(caller)?.name).toBe(
      found ? 'a' : undefined,
    );
  });

  it('an anonymous pool serves callers without a user and an API key', () => {
    const find = createPoolFinder([{ name: 'public', anonymous: true }]).ofOperation(search)!;
    const of = (subject: PoolCaller['subject']) => find({ subject, tier: 'free' })?.name;
    expect(of({ ip: '192.0.2.1' })).toBe('public');
    expect(of({ ip: '192.0.2.1', tenant: 'acme' })).toBe('public');
    expect([of({ apiKey: 'k1', ip: '192.0.2.1' }), of({ user: 'ann' })]).toEqual([undefined, undefined]);
  });

  it('a pool that serves all operations of a caller also serves their requests without a valid operation', () => {
    const finder = createPoolFinder([
      { name: 'reports', tenants: ['acme'], operationNames: ['Report*'] },
      { name: 'acme', tenants: ['acme'] },
    ]);
    const acme = { subject: { user: 'ann', tenant: 'acme' }, tier: 'free' };
    expect(finder.ofRejections(acme)?.name).toBe('acme');
    expect(finder.ofRejections(SOMEONE)).toBeUndefined();
    expect(['reports', 'acme'].map((name) => [finder.mayTake(name, acme), finder.mayTake(name, SOMEONE)])).toEqual([
      [true, false],
      [true, false],
    ]);
  });

  it('createPoolFinder reports all mistakes in the patterns in one error', () => {
    const wrong = [
      { name: 'a', operationTypes: ['MUTATE' as 'MUTATION'], operationNames: ['a b'], fields: ['Query.a.b'] },
      { name: 'b', anonymous: false },
      { name: 'c', users: [' '], tenants: [''], tiers: [''] },
      { name: 'a', fields: ['*'] },
    ];
    expect(() => createPoolFinder(wrong)).toThrow(
      /^pools: 8 mistakes in its options\n {2}pools\.a: operation type: .*\n {2}pools\.a: operation name: .*\n {2}pools\.a: field: .*\n {2}pools\.b: expected a pattern.*\n {2}pools\.c: user: expected an id, got " "\n {2}pools\.c: tenant: .*\n {2}pools\.c: tier: expected the name of a tier, got ""\n {2}pools\.a: expected once/,
    );
  });
});

it('a star in a pattern matches any characters, and no other character is special', () => {
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
