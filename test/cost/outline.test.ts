import { readFileSync } from 'node:fs';
import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';

// An outline is an operation without the values that may contain personal data.

const DIRECTIVES = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');

const schema = buildSchema(/* GraphQL */ `
  ${DIRECTIVES}
  type Query {
    person(email: String, phone: Int, born: Float, at: Moment): Person
    people(first: Int, where: Where, page: Page, named: [String!]): [Person!]!
      @listSize(slicingArguments: ["first", "page.size", "named"], requireOneSlicingArgument: false)
    anything(first: Int): [Named!]! @listSize(slicingArguments: ["first"])
  }
  type Mutation { rename(id: ID!, name: String!, secret: Boolean): Person }
  interface Named { name: String, friends(most: Int): [Named!]! }
  type Person implements Named {
    name: String
    friends(most: Int): [Person!]! @listSize(slicingArguments: ["most"])
  }
  type Company implements Named { name: String, friends(most: Int): [Company!]! @listSize(assumedSize: 3) }
  scalar Moment
  enum Colour { RED, GREEN }
  input Where { email: String, age: Int, colour: Colour, ids: [ID!], page: Page }
  input Page { size: Int, token: String }
`);
const analyzer = createCostAnalyzer(schema);

function outlineOf(query: string, variables: Record<string, unknown> = {}, operationName?: string) {
  const plan = analyzer.compile(parse(query), operationName);
  const bound = plan.bind(variables);
  const [text, given] = [plan.outline(), bound.outlineVariables()];
  return { text: text.replace(/\s+/g, ' ').trim(), variables: given, cost: bound.estimate().cost, printed: text };
}

describe('outlines of operations', () => {
  it('the outline of an operation contains none of its string literals, numbers and comments', () => {
    const { text } = outlineOf(
      `# of Ann
      { person(email: "ann@example.com", phone: 4670123456, born: 19.85, at: "2001-02-03") { name }
        b: person(email: """ann
        example""") @include(if: true) { name } }`.replace('4670123456', '467012345'),
    );
    expect(text).toBe(
      '{ person(email: "", phone: 0, born: 0, at: "") { name } b: person(email: "") @include(if: true) { name } }',
    );
  });

  it('the outline keeps numbers that size a list, and the number of items of a list literal', () => {
    const { text } = outlineOf(
      `{ people(first: 20, where: { age: 42, colour: GREEN, page: { size: 9 } }) { friends(most: 7) { name } }
         more: people(page: { size: 30, token: "secret" }, named: ["ann", "bob"]) { name }
         anything(first: 4) { friends(most: 6) { name } ... on Person { friends(most: 6) { name } } } }`,
    );
    // graphql 17 prints spaces within the braces.
    expect(text).toMatch(/people\(first: 20, where: {\s?age: 0, colour: GREEN, page: {\s?size: 0\s?}\s?}\)/);
    expect(text).toMatch(/people\(page: {\s?size: 30, token: ""\s?}, named: \["", ""\]\)/);
    expect(text.match(/friends\(most: [67]\)/g)).toHaveLength(3);
  });

  it('the outline contains the requested operation and its fragments, and no others', () => {
    const document = `query One { people(first: 5) { ...Name } }
      query Other { person(email: "x") { name } }
      fragment Name on Person { name ...Friends }
      fragment Friends on Person { friends(most: 3) { name } }
      fragment Unused on Person { name }`;
    const { text } = outlineOf(document, {}, 'One');
    expect(text).toContain('query One');
    expect(text).toContain('friends(most: 3)');
    expect(text).not.toMatch(/Other|Unused/);
  });

  it('the outline keeps variables that size a list or control a selection, and only the shape of others', () => {
    const query = `query($first: Int = 7, $where: Where, $page: Page, $named: [String!], $email: String, $phone: Int, $with: Boolean!) {
      people(first: $first, where: $where, page: $page, named: $named) { name @include(if: $with) }
      person(email: $email, phone: $phone) { name } }`;
    const { variables, text } = outlineOf(query, {
      first: 20,
      where: { email: 'ann@example.com', age: 42, colour: 'GREEN', ids: ['1', '2'] },
      page: { size: 3, token: 'secret' },
      named: ['ann', 'bob', 'cid'],
      email: 'ann@example.com',
      phone: 467012345,
      with: true,
    });
    expect(variables).toEqual({
      first: 20,
      where: { email: '', age: 0, colour: 'RED', ids: ['', ''] },
      page: { size: 3, token: '' },
      named: ['', '', ''],
      email: '',
      phone: 0,
      with: true,
    });
    expect(text).toContain('$first: Int = 7');
  });

  it('the outline removes the value of a Boolean variable in an argument, and the default of a variable', () => {
    const { variables, text } = outlineOf(
      'mutation($id: ID!, $name: String! = "Ann", $secret: Boolean) { rename(id: $id, name: $name, secret: $secret) { name } }',
      { id: 7, secret: true },
    );
    expect(variables).toEqual({ id: expect.anything(), name: '', secret: false });
    expect(text).toContain('$name: String! = ""');
    expect(JSON.stringify(variables)).not.toContain('7');
  });

  it('the outline costs the same as the operation', () => {
    const queries: [string, Record<string, unknown>][] = [
      ['{ people(first: 20) { name friends(most: 7) { name } } person(email: "a") { name } }', {}],
      ['query($p: Page, $n: [String!]) { people(page: $p, named: $n) { name } }', { p: { size: 12 }, n: ['a', 'b'] }],
      ['query($s: Boolean!) { people(first: 9) { name friends(most: 5) @skip(if: $s) { name } } }', { s: false }],
      ['{ anything(first: 3) { friends(most: 50) { name } ... on Company { friends { name } } } }', {}],
    ];
    for (const [query, given] of queries) {
      const { cost, printed, variables } = outlineOf(query, given);
      expect(analyzer.compile(parse(printed)).estimate(variables).cost).toBe(cost);
    }
  });

  it('the outline omits the variables if they have more than a few hundred values, and accepts unknown fields', () => {
    const query = 'query($named: [String!]) { people(named: $named) { name } }';
    const many = Array.from({ length: 5000 }, (_, index) => `name ${index}`);
    expect(outlineOf(query, { named: many }).variables).toBeUndefined();
    const unknown = analyzer.compile(parse('{ nothing(of: "Ann") { at(all: 3) } }'));
    expect(unknown.outline()).not.toMatch(/Ann|3/);
  });
});
