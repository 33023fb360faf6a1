import { ApolloServer } from '@apollo/server';
import { buildSchema, execute } from 'graphql';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { documentOfText } from '../../src/registry/read-manifest.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import type { TollgateOptions } from '../../src/tollgate/tollgate-options.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';
import { pusherOf } from './pusher-of.js';

const calls = vi.hoisted(() => ({ parse: 0, validate: 0 }));
vi.mock('graphql', async (importOriginal) => {
  const graphql = await importOriginal<typeof import('graphql')>();
  const counted =
    <Given extends unknown[], Result>(name: keyof typeof calls, run: (...given: Given) => Result) =>
    (...given: Given): Result => {
      calls[name]++;
      return run(...given);
    };
  return {
    ...graphql,
    parse: counted('parse', graphql.parse),
    validate: counted('validate', graphql.validate),
  };
});

const schema = buildSchema(
  'type Query { items(first: Int = 10): [Item!] @listSize(slicingArguments: ["first"]) } type Item { id: ID } directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION',
);
const PAGE = documentOfText('query Page($first: Int!) { items(first: $first) { id } }');
const OTHER = documentOfText('query Other { gone }');
const LONG = documentOfText(
  `query Long { ${Array.from({ length: 50 }, (_, n) => `a${n}: items(first: 1) { id }`).join(' ')} }`,
);

let database: Awaited<ReturnType<typeof openServerDatabase>>;
beforeAll(async () => {
  database = await openServerDatabase();
  await pusherOf(database.db)({ app: 'web', version: '1', documents: [PAGE, OTHER, LONG] });
});
afterAll(() => database.dispose());
beforeEach(() => Object.assign(calls, { parse: 0, validate: 0 }));

/** Starts an instance, and waits until it has compiled the valid documents. */
async function start(options: Partial<TollgateOptions> = {}) {
  const tollgate = await createTollgate({
    schema,
    postgres: database.db,
    identify: () => ({ user: 'ann' }),
    tiers: [{ name: 'all', capacity: 1000, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
    logger: { info() {}, warn() {}, error() {} },
    ...options,
  });
  await until('the valid documents are compiled', () => tollgate.analyzer.plans.built === 2);
  await until('the broken documents are found', () => tollgate.problems().length > 0);
  Object.assign(calls, { parse: 0, validate: 0 });
  return tollgate;
}

describe('a registered document that is sent by its id', () => {
  it('is neither parsed, measured, validated nor compiled by protect, not even for its first request', async () => {
    // No text may have more than 20 tokens, and the document has more.
    const tollgate = await start({ documentLimits: { maxTokens: 20 } });
    try {
      for (const request of [
        { documentId: PAGE.id, variables: { first: 3 } },
        { documentId: PAGE.id, variables: { first: 4 } },
        {
          extensions: { persistedQuery: { version: 1, sha256Hash: PAGE.id.slice('sha256:'.length) } },
          variables: { first: 5 },
        },
        { documentId: LONG.id },
      ]) {
        const operation = await tollgate.protect(request);
        if (!operation.admitted) throw new Error(JSON.stringify(operation.answer.body));
        const { body } = await operation.run((document) =>
          execute({ schema, document, variableValues: request.variables }),
        );
        expect(body.errors).toBeUndefined();
      }
      expect(calls).toEqual({ parse: 0, validate: 0 });
      expect(tollgate.analyzer.plans.built).toBe(2);
      const sentAsText = await tollgate.protect({ query: `${LONG.text} ` });
      expect(sentAsText).toMatchObject({ admitted: false });
    } finally {
      await tollgate.close();
    }
  });

  it('is neither parsed nor validated by Apollo Server with the document store of Tollgate', async () => {
    const tollgate = await start();
    const seen: string[] = [];
    const counting = {
      requestDidStart: async () => ({
        parsingDidStart: async () => void seen.push('parse'),
        validationDidStart: async () => void seen.push('validate'),
      }),
    };
    const apollo = new ApolloServer({
      schema,
      plugins: [tollgate.plugin(), counting],
      documentStore: tollgate.documentStore,
      persistedQueries: { cache: tollgate.persistedTexts },
    });
    try {
      const sha256Hash = PAGE.id.slice('sha256:'.length);
      for (const first of [3, 4]) {
        const extensions = { persistedQuery: { version: 1, sha256Hash } };
        const { body } = await apollo.executeOperation({ extensions, variables: { first } });
        expect(body).toMatchObject({ singleResult: { extensions: { cost: { requestedQueryCost: first } } } });
      }
      expect(seen).toEqual([]);
      await apollo.executeOperation({ query: '{ items(first: 1) { id } }' });
      expect(seen).toEqual(['parse', 'validate']);
      expect(tollgate.analyzer.plans.built).toBe(3);
    } finally {
      await apollo.stop();
      await tollgate.close();
    }
  });

  it('stays in the cache if its callers are denied', async () => {
    const tollgate = await start();
    try {
      for (let time = 0; time < 3; time++) {
        const denied = await tollgate.protect({ documentId: PAGE.id, variables: { first: 2000 } });
        expect(denied).toMatchObject({ admitted: false, answer: { status: 400 } });
      }
      expect(calls).toEqual({ parse: 0, validate: 0 });
    } finally {
      await tollgate.close();
    }
  });
});
