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
const refusalOf = (text: string, schema = SCHEMA) => createDocumentCheck().ofParsed(schema, parse(text));

describe('the comparisons of a document', () => {
  it.each([
    ['nothing twice', '{ a { b } c { b } }', 0],
    ['a field with selections twice', '{ i { id } i { name } }', 1],
    ['one name by alias', '{ x: i { id } x: items { name } }', 1],
    ['the same below', '{ i { i { id } } i { i { name } } }', 2],
    ['three of them', '{ i { a } i { b } i { c } }', 3],
    ['arguments, each value as one more', '{ x(a: 1) x(a: [1, 2]) }', 0 + (2 + 4) / 2],
    ['inline fragments', '{ ... on A { i { id } } ... { i { name } } }', 1],
    [
      'fragments, each as one more for each place where it is',
      '{ ...F i { id } } fragment F on Query { i { name } }',
      2,
    ],
    ['a fragment twice at one place', '{ ...F ...F } fragment F on Query { i { id } }', 1],
    ['a fragment at two places', '{ i { ...F } j { ...F } } fragment F on Item { id }', 2],
    [
      'one through others',
      '{ ...F ...G } fragment F on Q { ...H } fragment G on Q { ...H i { a } } fragment H on Q { i { b } }',
      2 + 3 + 1 + 1,
    ],
  ])('count %s', (_, text, comparisons) => {
    // The steps of collecting fields count a fiftieth each: here not enough for one comparison.
    expect(Math.floor(count(text))).toBe(comparisons);
  });

  it('are the pairs at each place, for any document without fragments', () => {
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
  ])('are too many: %s', (_, text) => {
    expect(refusalOf(text)?.extensions).toMatchObject({ code: 'DOCUMENT_LIMIT_EXCEEDED', limit: 'maxComparisons' });
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
  ])('allow %s', (_, text) => {
    expect(refusalOf(text)).toBeUndefined();
    expect(validate(SCHEMA, parse(text))).toEqual([]);
  });

  it('are bounded however fragments lead to each other, cycles included', () => {
    const loops = times(
      (i) =>
        `fragment F${i} on Item { a: i { ...F${(i + 1) % 60} } b: i { ...F${(i + 1) % 60} ...F${(i * 7 + 3) % 60} } }`,
      60,
    );
    expect(countComparisons(parse(`{ i { ...F0 } } ${loops}`), 100)).toBeGreaterThan(100);
  });
});

describe('cycles of fragments', () => {
  it.each([
    ['itself', 'fragment A on Item { ...A }', 'A'],
    ['itself below a field', 'fragment A on Item { i { ...A } }', 'A'],
    [
      'two in a circle, entered from a third',
      'fragment C on Item { ...A } fragment A on Item { i { ...B } } fragment B on Item { ... { ...A } }',
      'A',
    ],
  ])('are found: %s', (_, text, name) => {
    expect(findFragmentCycle(parse(`{ i { ...A } } ${text}`))?.message).toContain(`Cannot spread fragment "${name}"`);
  });

  it('are none in a chain, a diamond, or where a fragment is missing', () => {
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
  ])('are not guessed at a hundred times on a schema of a thousand types: %s', (_, text, message) => {
    const refusal = refusalOf(text, hub);
    expect(refusal?.extensions).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } });
    expect(refusal?.message).toContain(message);
  });

  it('are left to validation while they are few, and on a small schema', () => {
    expect(refusalOf('{ viewer { nam } repositry { id } ... on Repositry { id } }', hub)).toBeUndefined();
    expect(refusalOf(`{ ${times((i) => `thing${i}`, 100)} }`)).toBeUndefined();
  });

  it('are none in a document that is valid', () => {
    const text = `query ($v: [RepositoryOrder!]) { __typename __schema { types { fields { name } } } __type(name: "X") { name }
      node(id: "1") { id ... on Repository { issues { nodes { author { ... on User { name } } } } } ... { __typename } } }`;
    expect(refusalOf(text, hub)).toBeUndefined();
  });
});
