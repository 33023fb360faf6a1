import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { buildSchema, getIntrospectionQuery, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { countComparisons } from '../../src/documents/count-comparisons.js';
import { createDocumentCheck } from '../../src/documents/document-check.js';
import { findFragmentCycle } from '../../src/documents/find-fragment-cycle.js';

const SCHEMA = buildSchema(`
  interface Node { id: ID, i: Item }
  type Item implements Node { id: ID, name: String, i: Item, items(first: Int, of: [Int]): [Item] }
  type Book implements Node { id: ID, title: String, i: Item }
  union Found = Item | Book
  type Query { id: ID, i: Item, n: Node, found: Found, items(first: Int): [Item] }
`);
const count = (text: string) => countComparisons(parse(text), Number.POSITIVE_INFINITY);
const times = (text: string | ((index: number) => string), length: number) =>
  Array.from({ length }, (_, index) => (typeof text === 'string' ? text : text(index))).join(' ');
const rejectionOf = (text: string, schema = SCHEMA) => createDocumentCheck().ofParsed(schema, parse(text));

describe('comparisons of the fields of a document', () => {
  it.each([
    ['different fields', '{ a { b } c { b } }', 0],
    ['a field with selections twice', '{ i { id } i { name } }', 1],
    ['one response name through an alias', '{ x: i { id } x: items { name } }', 1],
    ['equal fields on two levels', '{ i { i { id } } i { i { name } } }', 2],
    ['three equal fields', '{ i { a } i { b } i { c } }', 3],
    ['arguments, with a half more per value', '{ x(a: 1) x(a: [1, 2]) }', 1 + (1 + 3) / 2],
    ['inline fragments', '{ ... on A { i { id } } ... { i { name } } }', 1],
    ['a fragment, with one more per position', '{ ...F i { id } } fragment F on Query { i { name } }', 2],
    ['a fragment twice in one position', '{ ...F ...F } fragment F on Query { i { id } }', 1],
    ['a fragment in two positions', '{ i { ...F } j { ...F } } fragment F on Item { id }', 2],
    [
      'a fragment that others spread',
      '{ ...F ...G } fragment F on Q { ...H } fragment G on Q { ...H i { a } } fragment H on Q { i { b } }',
      2 + 3 + 1 + 1,
    ],
  ])('comparisons are counted for %s', (_, text, comparisons) => {
    // Each step of collecting fields counts as 1/50 of a comparison. Math.floor removes these
    // parts.
    expect(Math.floor(count(text))).toBe(comparisons);
  });

  it('the comparisons of a document without fragments are the pairs of fields in each position', () => {
    const { set } = fc.letrec<{ set: string }>((tie) => ({
      set: fc
        .array(fc.tuple(fc.constantFrom('a', 'b', 'c'), tie('inner')), { minLength: 1, maxLength: 5 })
        .map((fields) => `{ ${fields.map(([name, inner]) => `${name} ${inner}`).join(' ')} }`),
      inner: fc.oneof({ maxDepth: 3 }, fc.constant('{ d }'), tie('set')),
    }));
    fc.assert(
      fc.property(set, (text) => {
        const perPlace = new Map<string, number>();
        let steps = 0;
        const walk = (selections: readonly object[], place: string) => {
          for (const field of selections as { name: { value: string }; selectionSet?: { selections: object[] } }[]) {
            const here = `${place}.${field.name.value}`;
            perPlace.set(here, (perPlace.get(here) ?? 0) + 1);
            steps++;
            if (field.selectionSet) walk(field.selectionSet.selections, here);
          }
        };
        const [operation] = parse(text).definitions;
        if (operation?.kind === 'OperationDefinition') walk(operation.selectionSet.selections, '');
        let pairs = 0;
        for (const [place, n] of perPlace) pairs += ((n * (n - 1)) / 2) * (place.endsWith('.d') ? 1 / 50 : 1 + 1 / 50);
        expect(count(text)).toBeCloseTo(pairs + steps / 50, 6);
      }),
    );
  });

  it.each([
    ['a field with selections 499 times', `{ ${times('i{id}', 499)} }`],
    ['plain fields 1,998 times', `{ ${times('id', 1998)} }`],
    ['one list with arguments 160 times', `{ i { ${times('items(first: 1, of: [1, 2]) { id }', 160)} } }`],
    ['chains of fields', `{ ${times(`${'i{'.repeat(20)}id${'}'.repeat(20)}`, 60)} }`],
    ['exclusive types', `{ n { ${times((i) => `... on ${i % 2 ? 'Item' : 'Book'} { i { id } }`, 200)} } }`],
    [
      'many fragments of one field',
      `{ ${times((i) => `i{...F${i}}`, 99)} i{...F0} ${times('i{id}', 99)} } ${times((i) => `fragment F${i} on Item { i { id } }`, 99)}`,
    ],
    [
      'a chain of fragments at each of many places',
      `{ ${times((i) => `a${i}: i { ...F0 }`, 120)} } ${times((i) => `fragment F${i} on Item { a${i}: id ...F${i + 1} }`, 60)} fragment F60 on Item { id }`,
    ],
  ])('a document with too many comparisons is rejected: %s', (_, text) => {
    expect(rejectionOf(text)?.extensions).toMatchObject({ code: 'DOCUMENT_LIMIT_EXCEEDED', limit: 'maxComparisons' });
  });

  it.each([
    ['the introspection of any tool', getIntrospectionQuery({ inputValueDeprecation: true, schemaDescription: true })],
    [
      'thirty components that each bring their fragment',
      `{ i { ${times((i) => `...F${i}`, 30)} } } ${times((i) => `fragment F${i} on Item { id name i { id name } items(first: 10) { id } }`, 30)}`,
    ],
    ['a hundred types with a selection each', `{ n { ${times('... on Item { id i { id name } }', 100)} } }`],
    [
      'a doubling chain of fragments',
      `{ i { ...F0 } } ${times((i) => `fragment F${i} on Item { a: i { ...F${i + 1} } b: i { ...F${i + 1} } }`, 25)} fragment F25 on Item { id }`,
    ],
  ])('the limit on comparisons accepts %s', (_, text) => {
    expect(rejectionOf(text)).toBeUndefined();
    expect(validate(SCHEMA, parse(text))).toEqual([]);
  });

  it('the count of comparisons is bounded for all fragment structures, including cycles', () => {
    const loops = times(
      (i) =>
        `fragment F${i} on Item { a: i { ...F${(i + 1) % 60} } b: i { ...F${(i + 1) % 60} ...F${(i * 7 + 3) % 60} } }`,
      60,
    );
    expect(countComparisons(parse(`{ i { ...F0 } } ${loops}`), 100)).toBeGreaterThan(100);
  });
});

describe('fragment cycles', () => {
  it.each([
    ['a fragment in itself', 'fragment A on Item { ...A }', 'A'],
    ['a fragment in itself below a field', 'fragment A on Item { i { ...A } }', 'A'],
    [
      'two fragments in each other, spread by a third',
      'fragment C on Item { ...A } fragment A on Item { i { ...B } } fragment B on Item { ... { ...A } }',
      'A',
    ],
  ])('a fragment cycle is found: %s', (_, text, name) => {
    expect(findFragmentCycle(parse(`{ i { ...A } } ${text}`))?.message).toContain(`Cannot spread fragment "${name}"`);
  });

  it('a chain, a diamond or a missing fragment is no cycle', () => {
    for (const text of [
      'fragment A on Item { ...B ...C } fragment B on Item { ...D } fragment C on Item { ...D } fragment D on Item { id }',
      'fragment A on Item { ...Missing }',
    ]) {
      expect(findFragmentCycle(parse(`{ i { ...A } } ${text}`))).toBeUndefined();
    }
  });
});

describe('unknown names', () => {
  const hub = buildSchema(
    readFileSync(new URL('../../node_modules/@octokit/graphql-schema/schema.graphql', import.meta.url), 'utf8'),
    { assumeValid: true },
  );
  const long = 'RepositryVulnerabilityAlertConnectionOrderField';

  it.each([
    ['types of fragments', `{ ${times((i) => `... on ${long}${i} { id }`, 100)} }`, `Unknown type "${long}`],
    [
      'types of variables',
      `query (${times((i) => `$v${i}: [${long}${i}!]`, 50)}) { viewer { id } }`,
      `Unknown type "${long}`,
    ],
    [
      'fields',
      `{ viewer { ${times((i) => `contributedRepositoriesOfOrganisations${i}`, 90)} } }`,
      'Cannot query field "contr',
    ],
    [
      'fields of an interface',
      `{ node(id: "1") { ${times('createdAt', 90)} } }`,
      'Cannot query field "createdAt" on type "Node"',
    ],
  ])('many unknown names on a large schema are rejected without suggestions for each: %s', (_, text, message) => {
    const rejection = rejectionOf(text, hub);
    expect(rejection?.extensions).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } });
    expect(rejection?.message).toContain(message);
  });

  it('validation handles a few unknown names, and any number on a small schema', () => {
    expect(rejectionOf('{ viewer { nam } repositry { id } ... on Repositry { id } }', hub)).toBeUndefined();
    expect(rejectionOf(`{ ${times((i) => `thing${i}`, 100)} }`)).toBeUndefined();
  });

  it('a valid document has no unknown names', () => {
    const text = `query ($v: [RepositoryOrder!]) { __typename __schema { types { fields { name } } } __type(name: "X") { name }
      node(id: "1") { id ... on Repository { issues { nodes { author { ... on User { name } } } } } ... { __typename } } }`;
    expect(rejectionOf(text, hub)).toBeUndefined();
  });
});
