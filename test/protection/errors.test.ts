import type { ApolloServerPlugin } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { GraphQLError, graphql } from 'graphql';
import { expect, it } from 'vitest';
import type { RuleInput } from '../../src/index.js';
import { type ProtectedApiOptions, protectedApi } from '../helpers/testkit.js';

const SEARCHES: RuleInput = {
  name: 'searches',
  scope: 'USER',
  field: 'Query.search',
  measure: 'CALLS',
  limits: [{ algorithm: 'SLIDING_WINDOW_COUNTER', amount: 1000, windowMs: 3_600_000 }],
};

async function serve(apollo: ProtectedApiOptions['apollo'] = {}) {
  const fails = () => {
    throw new GraphQLError('no');
  };
  const elsewhere = makeExecutableSchema({
    typeDefs: 'type Query { nothing: Int! }',
    resolvers: { Query: { nothing: () => null } },
  });
  const { ask, used } = await protectedApi({
    schema: `
      type Query { search: [Item!] nothing: Int group: Group foreign: Group must: Int! }
      type Group { search: [Item] must: Int! }
      type Item { name: String }
    `,
    resolvers: {
      Query: {
        search: () => [{ name: 'x' }],
        group: () => ({}),
        foreign: async () => {
          const { errors } = await graphql({ schema: elsewhere, source: '{ nothing }' });
          throw errors![0];
        },
        must: fails,
      },
      Group: { must: fails },
    },
    rules: [SEARCHES],
    tier: { capacity: 1000 },
    apollo,
  });
  return async (query: string) => {
    const { data, errors, cost } = await ask(query);
    return {
      data,
      errors,
      requested: cost.requestedQueryCost,
      actual: cost.actualQueryCost,
      tokens: await used('tier:free'),
      searches: await used('searches'),
    };
  };
}

it('for fields that an error removed, an operation is charged their estimate and no more', async () => {
  const ask = await serve();
  expect(await ask('{ search { name } group { search { name } must } }')).toMatchObject({
    data: { group: null },
    requested: 21,
    actual: 1 + 11,
    tokens: 12,
    searches: 1,
  });
  expect(await ask('{ a: search { name } b: search { name } must }')).toMatchObject({
    data: null,
    requested: 20,
    actual: 20,
    tokens: 12 + 20,
    searches: 1 + 2,
  });
});

it('the actual cost uses the errors of the execution, not the errors that formatError returns', async () => {
  const ask = await serve({ formatError: ({ message }) => ({ message, path: ['search'] }) });
  const { errors, ...paid } = await ask('{ search { name } group { search { name } must } }');
  expect(errors?.[0]?.path).toEqual(['search']);
  expect(paid).toMatchObject({ actual: 12 });
});

it('the actual cost stays the same if a plugin removes data from the response', async () => {
  const first: ApolloServerPlugin = {
    async requestDidStart() {
      return {
        async willSendResponse({ response, errors }) {
          if (errors) response.body = { kind: 'single', singleResult: { errors: [{ message: 'something failed' }] } };
        },
      };
    },
  };
  const ask = await serve({ plugins: [first] });
  const paid = await ask('{ search { name } group { search { name } must } }');
  expect(paid.errors).toMatchObject([{ message: 'something failed' }]);
  // One item of the first list was returned. An error removed the second list, so its estimate
  // remains charged.
  expect(paid).toMatchObject({ requested: 21, actual: 1 + 11, tokens: 12, searches: 1 });
});

it('an error whose path belongs to another operation causes no refund', async () => {
  const ask = await serve();
  // The resolver of `foreign` throws an error from another operation, whose path is its field
  // `nothing`.
  const paid = await ask('{ nothing foreign { search { name } } search { name } }');
  expect(paid.errors?.[0]?.path).toEqual(['nothing']);
  expect(paid).toMatchObject({ requested: 21, actual: 21, tokens: 21 });
});
