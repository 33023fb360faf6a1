import { EditorState } from '@codemirror/state';
import { graphqlLanguageSupport } from 'cm6-graphql';
import { buildSchema, type GraphQLObjectType, parse, validate } from 'graphql';
import { expect, test } from 'vitest';
import { fieldText, insertionOf } from '../../console/src/pages/explorer/docs/insert-field.js';
import { searchSchema } from '../../console/src/pages/explorer/docs/search-schema.js';
import { parseHistory } from '../../console/src/pages/explorer/history/parse-history.js';
import { withoutSecrets } from '../../console/src/pages/explorer/history/without-secrets.js';

const schema = buildSchema(`
  type Query { user(id: ID!): User users(first: Int = 5, filter: Filter!): [User!]! node: Node search: [Result!]! }
  type Mutation { rename(id: ID!, name: String!): User }
  interface Node { id: ID! }
  type User implements Node { id: ID! name: String friends(first: Int!): [User!]! role: Role }
  type Bot { owner: User }
  union Result = User | Bot
  enum Role { ADMIN GUEST }
  input Filter { role: Role! tags: [String!]! nested: Nested }
  input Nested { users: Int! }
`);

/**
 * Inserts a field where the text has a `|`. Returns the resulting text, or undefined if the field
 * cannot be inserted there.
 */
function inserted(text: string, coordinate: string): string | undefined {
  const [typeName = '', name = ''] = coordinate.split('.');
  const type = schema.getType(typeName) as GraphQLObjectType;
  const at = text.indexOf('|');
  const state = EditorState.create({
    doc: text.replace('|', ''),
    selection: { anchor: Math.max(0, at) },
    extensions: [graphqlLanguageSupport()],
  });
  const change = insertionOf(state, schema, type, type.getFields()[name]!);
  return change && state.update(change).state.doc.toString();
}

test('an inserted field has its required arguments and a selection, so that the operation is valid', () => {
  for (const [text, coordinate] of [
    ['', 'Query.users'],
    ['', 'Mutation.rename'],
    ['{ user(id: 1) {\n    | name\n  }\n}', 'User.friends'],
    ['{ user(id: 1) {|name } }', 'User.role'],
    ['query A { search { ... on Bot { owner { | id } } } }', 'User.name'],
    ['query A { search { ... on Bot { |owner { id } } } }', 'Bot.owner'],
    ['fragment F on User { | id }\n{ user(id: 1) { ...F } }', 'User.friends'],
    ['{ user(id: 1) { | name } }', 'Node.id'],
    ['{ user(id: 1) { ... { | name } } }', 'User.role'],
    // A root field is added to its operation, wherever the cursor is.
    ['|query A { node { id } }\nmutation B { rename(id: 1, name: "") { id } }', 'Query.user'],
    ['query A {\n  node { | id }\n}\n', 'Query.users'],
    ['mutation B { rename(id: 1, name: "|") { id } }', 'Mutation.rename'],
  ] as const) {
    const result = inserted(text, coordinate)!;
    const operation = parse(result);
    const problems = validate(schema, operation).filter(({ message }) => !/conflict/.test(message));
    expect(problems, result).toEqual([]);
    expect(result).toContain(`${coordinate.split('.')[1]}`);
    expect(result.length).toBeGreaterThan(text.length);
  }
});

test('a field is not inserted where its type is not selected', () => {
  expect(inserted('{ user(id: 1) { | name } }', 'Bot.owner')).toBeUndefined();
  expect(inserted('{ user(id: |1) { name } }', 'User.name')).toBeUndefined();
  expect(inserted('{ user(id: 1) { name } }|', 'User.name')).toBeUndefined();
  expect(inserted('', 'User.name')).toBeUndefined();
  expect(inserted('{ nothing { | } }', 'User.name')).toBeUndefined();
});

test('the text of a field has examples for required arguments only', () => {
  const { users, user } = schema.getQueryType()!.getFields();
  expect(fieldText(users!)).toBe('users(filter: { role: ADMIN, tags: [""] }) {\n  __typename\n}');
  expect(fieldText(user!)).toBe('user(id: "") {\n  __typename\n}');
});

test('a search of the schema finds types, fields, arguments, values and input fields, and lists exact matches first', () => {
  const names = (text: string) => searchSchema(schema, text).found.map(({ coordinate }) => coordinate);
  expect(names('USER').slice(0, 2)).toEqual(['Query.user', 'User']);
  expect(names('users')).toEqual(['Query.users', 'Nested.users']);
  expect(names('first')).toEqual(['Query.users(first:)', 'User.friends(first:)']);
  expect(names('admin')).toEqual(['Role.ADMIN']);
  expect(names('user.f')).toEqual(['User.friends', 'User.friends(first:)']);
  expect(names('  ')).toEqual([]);
  const large = buildSchema(`type Query { ${Array.from({ length: 80 }, (_, at) => `field${at}: Int`).join(' ')} }`);
  expect(searchSchema(large, 'field')).toMatchObject({ isCut: true, found: { length: 50 } });
});

test('secrets are left out of stored operations, in literals and in variables of any name', () => {
  const stored = (query: string, variables: unknown = {}) =>
    withoutSecrets({ query, variables: JSON.stringify(variables) })!;
  expect(JSON.stringify(stored('{ login(password: "hunter2", name: "ann") }'))).toMatch(/ann/);
  for (const [query, variables] of [
    ['{ login(password: "hunter2") }', {}],
    ['{ login(input: { auth: { accessToken: "hunter2" } }) }', {}],
    ['query($p: String!) { login(password: $p) }', { p: 'hunter2' }],
    ['query($p: String = "hunter2") { login(apiKey: $p) }', {}],
    ['query($input: Login!) { login(input: $input) }', { input: { user: 'ann', client_secret: ['hunter2'] } }],
    ['query($secret: String = "hunter2") { login(value: $secret) }', { secret: 'hunter2' }],
    ['{ login(value: "Bearer hunter2") }', { header: 'Basic hunter2' }],
  ] as const) {
    const safe = stored(query, variables);
    expect(JSON.stringify(safe), query).not.toContain('hunter2');
    expect(() => parse(safe.query)).not.toThrow();
  }
});

test('an operation without secrets is stored exactly as it was written', () => {
  const operation = { query: '{\n  # all\n  users { id } }', variables: '{ "first":   2 }' };
  expect(withoutSecrets(operation)).toEqual(operation);
});

test('the history is bounded by number and size, and ignores what it cannot read', () => {
  const past = { query: '{ a }', variables: '', service: null, cost: 1, pricedAt: '2026-01-01T00:00:00.000Z' };
  const many = Array.from({ length: 100 }, () => past);
  expect(parseHistory(JSON.stringify(many))).toHaveLength(30);
  const large = many.map((one) => ({ ...one, query: `{ ${'a '.repeat(5_000)}}` }));
  const kept = parseHistory(JSON.stringify(large));
  expect(kept.length).toBeGreaterThan(0);
  expect(JSON.stringify(kept).length).toBeLessThanOrEqual(64 * 1024);
  for (const text of [null, '', '{', '{}', '5', '[null, 5, {"query": "{ a }"}]'])
    expect(parseHistory(text)).toEqual([]);
});
