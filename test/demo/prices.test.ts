import { describe, test } from 'vitest';
import { createDemoSchema } from '../helpers/demo-schema.js';
import { createExpectCost } from '../helpers/expect-cost.js';

const expectCost = createExpectCost(createDemoSchema());

describe('costs of the sample API', () => {
  // 50 countries, and for each at most 16 neighbours.
  test.each([
    ['with a literal', '{ countries(first: 50) { borders { name } } }'],
    ['with a variable', 'query ($n: Int) { countries(first: $n) { borders { name } } }'],
    ['with the default of a variable', 'query ($d: Int = 50) { countries(first: $d) { borders { name } } }'],
    ['with a fragment', '{ countries(first: 50) { ...Near } } fragment Near on Country { borders { name } }'],
    ['with an alias', '{ all: countries(first: 50) { near: borders { called: name } } }'],
  ])('50 countries with their borders cost 850 tokens %s', (_, query) => {
    expectCost(query, 50 + 50 * 16, { n: 50 });
  });

  test.each([
    [
      'three levels of borders',
      '{ country(code: "CHN") { borders { borders { borders { name } } } } }',
      1 + 16 + 256 + 4096,
    ],
    ['a list without `first`', '{ countries { name } }', 20],
    ['a list whose `first` is null', '{ countries(first: null) { name } }', 20],
    [
      'a page: itself, its info, edges with their nodes, and nodes',
      '{ countriesConnection(first: 5) { edges { node { name } } nodes { name } pageInfo { hasNextPage } } }',
      1 + 5 * 2 + 5 + 1,
    ],
    ['places by id', '{ places(ids: ["SWE", "europe"]) { name } }', 2],
    [
      'the most expensive type of a place',
      '{ places(ids: ["SWE"]) { languages { name } ... on Country { borders { name } } } }',
      1 + 48,
    ],
    ['a search', '{ search(text: "sw", first: 5) { __typename } }', 30 + 5],
    [
      'a search in another language too',
      '{ search(text: "sw", first: 5, language: "deu") { __typename } }',
      30 + 50 + 5,
    ],
    [
      'a note: the mutation, its payload, the note, its place',
      'mutation { noteSave(input: { place: "SWE", text: "x" }) { note { place { name } } } }',
      10 + 1 + 1 + 1,
    ],
  ])('the sample API charges the expected tokens for %s', (_, query, tokens) => {
    expectCost(query, tokens);
  });
});
