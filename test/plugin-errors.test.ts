import { ApolloServer, type ApolloServerOptions, type ApolloServerPlugin, type BaseContext } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { GraphQLError, graphql } from 'graphql';
import { afterEach, expect, it } from 'vitest';
import { createTollgate } from '../src/create-tollgate.js';
import type { RuleInput } from '../src/index.js';

const HOUR_MS = 3_600_000;
const SEARCHES: RuleInput = {
  name: 'searches',
  scope: 'USER',
  field: 'Query.search',
  measure: 'CALLS',
  limits: [{ algorithm: 'SLIDING_WINDOW_COUNTER', amount: 1000, windowMs: HOUR_MS }],
};

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

interface Setup extends Partial<Pick<ApolloServerOptions<BaseContext>, 'formatError'>> {
  /** A plugin whose hooks come before ours. */
  first?: ApolloServerPlugin;
}

async function serve({ first, ...options }: Setup = {}) {
  const elsewhere = makeExecutableSchema({
    typeDefs: 'type Query { nothing: Int! }',
    resolvers: { Query: { nothing: () => null } },
  });
  const schema = makeExecutableSchema({
    typeDefs: /* GraphQL */ `
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
        must: () => {
          throw new GraphQLError('no');
        },
      },
      Group: {
        must: () => {
          throw new GraphQLError('no');
        },
      },
    },
  });
  const tollgate = await createTollgate({
    schema,
    identify: () => ({ user: 'ann' }),
    rules: [SEARCHES],
    tiers: [{ name: 'free', capacity: 1000, refillAmount: 1, refillPeriodMs: HOUR_MS, isDefault: true }],
    logger: { info() {}, warn() {}, error() {} },
  });
  const server = new ApolloServer({
    schema,
    plugins: first ? [first, tollgate.plugin()] : [tollgate.plugin()],
    ...options,
  });
  open.push(
    () => server.stop(),
    () => tollgate.close(),
  );
  return async (query: string) => {
    const { body } = await server.executeOperation({ query });
    if (body.kind !== 'single') throw new Error('expected one answer');
    const { data, errors, extensions } = body.singleResult;
    const quota = await tollgate.quota({ user: 'ann' });
    const used = (rule: RegExp) => quota.find((entry) => rule.test(entry.rule))?.used;
    const { actualQueryCost, requestedQueryCost } = extensions!['cost'] as Record<string, number>;
    return {
      data,
      errors,
      requested: requestedQueryCost,
      actual: actualQueryCost,
      tokens: used(/^tier:/),
      searches: used(/^searches$/),
    };
  };
}

it('pays the estimate of what an error has wiped, and no more', async () => {
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

it('asks what execution said, not what is left of it after others have rewritten it', async () => {
  const ask = await serve({ formatError: ({ message }) => ({ message, path: ['search'] }) });
  const { errors, ...paid } = await ask('{ search { name } group { search { name } must } }');
  expect(errors?.[0]?.path).toEqual(['search']);
  expect(paid).toMatchObject({ actual: 12 });
});

it('gives back nothing that a plugin has taken out of the answer', async () => {
  const first: ApolloServerPlugin = {
    async requestDidStart() {
      return {
        async willSendResponse({ response, errors }) {
          if (errors) response.body = { kind: 'single', singleResult: { errors: [{ message: 'something failed' }] } };
        },
      };
    },
  };
  const ask = await serve({ first });
  expect(await ask('{ search { name } group { must } }')).toMatchObject({ requested: 11, actual: 11, searches: 1 });
});

it('does not believe an error that names a place in another operation', async () => {
  const ask = await serve();
  // The error that `foreign` throws has the path of the field `nothing` over there.
  const paid = await ask('{ nothing foreign { search { name } } search { name } }');
  expect(paid.errors?.[0]?.path).toEqual(['nothing']);
  expect(paid).toMatchObject({ requested: 21, actual: 21, tokens: 21 });
});
