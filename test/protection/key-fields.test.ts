import { buildSchema, getOperationAST, parse, validate } from 'graphql';
import { describe, expect, it } from 'vitest';
import { findForbiddenField } from '../../src/protection/find-forbidden-field.js';
import { protectedApi } from '../helpers/testkit.js';

const SCHEMA = buildSchema(/* GraphQL */ `
  interface Node { id: ID, owner: User }
  type User implements Node { id: ID, owner: User, name: String, email: String, posts: [Post] }
  type Post implements Node { id: ID, owner: User, title: String }
  union Found = User | Post
  type Query { user: User, users: [User], node: Node, found: [Found], query: Query }
  type Mutation { rename: User, remove: User }
  type Subscription { users: User }
`);

function forbidden(fields: readonly string[], query: string): string | undefined {
  const document = parse(query);
  expect(validate(SCHEMA, document), query).toEqual([]);
  return findForbiddenField({ schema: SCHEMA, document, operation: getOperationAST(document, null)! }, fields);
}

describe('the fields of an API key', () => {
  it.each([
    ['{ user { name email posts { title } } }', undefined],
    ['{ __typename user { __typename } }', undefined],
    ['{ users { name } }', 'Query.users'],
    ['{ user { name } other: users { name } }', 'Query.users'],
    ['{ user: users { name } }', 'Query.users'],
    ['{ user { name } ... on Query { users { name } } }', 'Query.users'],
    ['query ($a: Boolean = false) { user { name } users @include(if: $a) { name } }', 'Query.users'],
    ['{ user { name } users @skip(if: true) { name } }', 'Query.users'],
    ['{ ...A } fragment A on Query { ...B } fragment B on Query { user { name } node { id } }', 'Query.node'],
    ['mutation { rename { name } }', 'Mutation.rename'],
    ['subscription { users { name } }', 'Subscription.users'],
    ['{ __schema { types { name } } }', 'Query.__schema'],
    ['{ __type(name: "User") { name } }', 'Query.__type'],
    ['{ user { name } query { users { name } } }', 'Query.query'],
  ])('with Query.user alone, %s has the forbidden field %s', (query, expected) => {
    expect(forbidden(['Query.user'], query)).toBe(expected);
  });

  const NAMES = ['Query.user', 'Query.node', 'Query.found', 'User.name', 'User.posts'];
  it.each([
    ['{ user { name posts { id title } } }', undefined],
    ['{ user { name email } }', 'User.email'],
    ['{ user { name: email } }', 'User.email'],
    ['{ user { posts { owner { email } } } }', 'User.email'],
    ['{ user { ...F } } fragment F on User { name ... { email } }', 'User.email'],
    ['{ node { id } }', 'User.id'],
    ['{ node { ... on User { name } ... on Post { id } } }', undefined],
    ['{ node { ... on Node { owner { name } } } }', 'User.owner'],
    ['{ found { __typename ... on Post { title } ... on User { email } } }', 'User.email'],
    ['{ user { ... on Node { id } } }', 'User.id'],
  ])('with listed fields of User, %s has the forbidden field %s', (query, expected) => {
    expect(forbidden(NAMES, query)).toBe(expected);
  });

  it('an entry of an interface lists the field on all types that implement it, and restricts these types', () => {
    const fields = ['Query.*', 'Node.id'];
    expect(forbidden(fields, '{ node { id } user { id } users { id posts: __typename } }')).toBeUndefined();
    expect(forbidden(fields, '{ user { name } }')).toBe('User.name');
    expect(forbidden(fields, '{ node { ... on Post { title } } }')).toBe('Post.title');
    expect(forbidden([...fields, 'User.*'], '{ user { id name email } }')).toBeUndefined();
  });

  it('Type.* lists no introspection, which can be listed separately', () => {
    expect(forbidden(['Query.*'], '{ __schema { types { name } } }')).toBe('Query.__schema');
    expect(forbidden(['Query.*', 'Query.__schema'], '{ __schema { types { name } } }')).toBeUndefined();
    expect(forbidden(['Query.*'], 'mutation { rename { name } }')).toBe('Mutation.rename');
  });

  it('fields that the schema does not have allow nothing', () => {
    for (const fields of [['Other.user'], ['Query.unknown'], ['Found.user'], ['String.*']]) {
      expect(forbidden(fields, '{ user { name } }')).toBe('Query.user');
    }
  });
});

it('a key with fields gets 403 for other fields, pays the fee, and no resolver runs, also in shadow mode', async () => {
  for (const mode of ['ENFORCE', 'SHADOW'] as const) {
    const keyFields = ['Query.item', 'Item.name'];
    const api = await protectedApi({ mode, subjectOf: () => ({ user: 'ann', apiKey: 'agent', keyFields }) });
    expect((await api.ask('{ item { name } }')).status).toBe(200);
    const { status, errors, cost } = await api.ask(
      'query A { item { name ...F } } fragment F on Item { parent { name } }',
    );
    expect([status, cost.fee]).toEqual([403, 1]);
    expect(errors).toEqual([
      {
        message: 'The API key does not allow this operation: Item.parent is not among the fields of the key',
        extensions: { code: 'FIELD_NOT_ALLOWED', coordinate: 'Item.parent' },
      },
    ]);
    expect((await api.ask('mutation { save { name } }')).errors).toMatchObject([
      { extensions: { code: 'FIELD_NOT_ALLOWED', coordinate: 'Mutation.save' } },
    ]);
    expect(api.resolved()).toBe(1);
  }
});

it('in a batch, an operation with a forbidden field does not affect the other operations', async () => {
  const api = await protectedApi({
    maxBatchSize: 2,
    subjectOf: () => ({ user: 'ann', apiKey: 'agent', keyFields: ['Query.item'] }),
  });
  const { body } = await api.ask([{ query: '{ fails { name } }' }, { query: '{ item { name } }' }]);
  expect(body).toMatchObject([
    { errors: [{ extensions: { code: 'FIELD_NOT_ALLOWED' } }] },
    { data: { item: { name: 'x' } } },
  ]);
});
