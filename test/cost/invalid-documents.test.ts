import fc from 'fast-check';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { CostError } from '../../src/cost/values/cost-error.js';
import { createDemoSchema } from '../helpers/demo-schema.js';

const DOCUMENTS = [
  `query Q($first: Int!, $some: Boolean) { countries(first: $first) { name ...F borders @include(if: $some) { name ... on Country { languages { name } } } } }
   fragment F on Country { region { name countries(first: 3) { name } } }`,
  `{ search(text: "a", first: 5) { __typename ... on Country { name } ... on Language { name } }
     countriesConnection(first: 10) { edges { node { name } } nodes { name } totalCount } }`,
  'fragment A on Country { borders { ...B } } fragment B on Country { borders { ...A } } { countries(first: 2) { ...A } }',
  '{ countries(first: 2) { ...A } } fragment A on Country { ...A }',
];
const WORDS =
  `name borders { } ( ) first : $first ... on Country String F A @include(if: true) @skip(if: $unknown) 100 "x" [1,2] {a:1}
  null countries __schema __typename query fragment -5 1e99 Query CountryConnection`.match(/@\w+\([^)]*\)|\S+/g)!;

const edit = fc.record({
  kind: fc.constantFrom('drop', 'replace', 'insert', 'repeat'),
  at: fc.nat(200),
  word: fc.constantFrom(...WORDS),
  from: fc.nat(200),
  count: fc.integer({ min: 1, max: 5 }),
});
const text = fc
  .tuple(fc.constantFrom(...DOCUMENTS), fc.array(edit, { minLength: 1, maxLength: 4 }))
  .map(([document, edits]) => {
    const tokens = document.match(/\.\.\.|[\w$@"]+|\S/g)!;
    for (const { kind, at, word, from, count } of edits) {
      const place = at % tokens.length;
      if (kind === 'drop' && tokens.length > 1) tokens.splice(place, 1);
      else if (kind === 'replace') tokens.splice(place, 1, word);
      else if (kind === 'insert') tokens.splice(place, 0, word);
      else tokens.splice(place, 0, ...tokens.slice(from % tokens.length, (from % tokens.length) + count));
    }
    return tokens.join(' ');
  });

test('an unvalidated document of any content has a price or throws a CostError', () => {
  const analyzer = createCostAnalyzer(createDemoSchema());
  const found = { priced: 0, rejected: 0 };
  fc.assert(
    fc.property(
      text,
      fc.constantFrom<Record<string, unknown>>({ first: 5 }, {}, { first: 'x' }),
      (query, variables) => {
        let document: ReturnType<typeof parse>;
        try {
          document = parse(query);
        } catch {
          return;
        }
        try {
          expect(analyzer.compile(document).bind(variables).estimate().cost).toBeGreaterThanOrEqual(0);
          found.priced++;
        } catch (error) {
          expect(error).toBeInstanceOf(CostError);
          found.rejected++;
        }
      },
    ),
    { numRuns: 12_000 },
  );
  expect(Math.min(found.priced, found.rejected)).toBeGreaterThan(100);
});
