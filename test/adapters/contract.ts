import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { GraphQLError, type GraphQLSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { sha256Of } from '../../src/documents/sha-256-of.js';
import { errorOf } from '../../src/model/errors.js';
import { rateLimitResolvers, rateLimitTypeDefs } from '../../src/protection/answer/rate-limit-numbers.js';
import type { CostReporter } from '../../src/protection/reported-cost.js';
import { documentOfText } from '../../src/registry/read-manifest.js';
import type { RuleInput } from '../../src/rules/policy/parse-policy.js';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import type { TollgateOptions } from '../../src/tollgate/tollgate-options.js';
import { countCalls } from '../helpers/count-calls.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { uniqueName } from '../helpers/servers.js';
import { until } from '../helpers/until.js';
import { openServerDatabase } from '../postgres/databases.js';
import { pusherOf } from '../registry/pusher-of.js';
import { serve } from './serve.js';

// Tests that every adapter must pass: callers of a protected API see the same behavior with any
// server.

const DIRECTIVES = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');
const TYPES = /* GraphQL */ `
  type Query {
    item: Item
    items(first: Int!): [Item!]! @listSize(slicingArguments: ["first"])
    fails: Item
    any: Any
    waits: Item
    asks(tokens: Float, later: Float, fails: Boolean, waits: Boolean): Item
    several: [Item!]! @listSize(assumedSize: 2)
  }
  type Mutation { save: Item }
  type Item { name: String, parent: Item, must: Item! }
  union Any = Cheap | Expensive
  type Cheap { list(first: Int!): [Item!]! @listSize(slicingArguments: ["first"]) }
  type Expensive @cost(weight: "50") { one: [Item!]! @listSize(assumedSize: 1) }
`;

/** The functions of graphql-js that parse and validate a document: the URLs of their files, and their names. */
const PARSES = /\/graphql\/(language\/parser\.m?js parse|validation\/validate\.m?js validate)$/;

/** Opens the protected HTTP server of an adapter. */
export type OpenAdapter = (api: {
  tollgate: Tollgate<AdapterContext>;
  schema: GraphQLSchema;
}) => Promise<OpenedAdapter>;

/** A server that this process serves with a handler for any path, or that another process serves. */
export type OpenedAdapter = { close?(): Promise<unknown> } & (
  | { listener: RequestListener; url?: undefined }
  | { url: string }
);

/** Context with the HTTP request, under the name that each server uses. */
// biome-ignore lint/suspicious/noExplicitAny: the requests of several servers.
export type AdapterContext = { req?: any; request?: any; clientGone?: AbortSignal; payment?: { isPaid: boolean } };

/**
 * A property that some adapters cannot have by design. `resolvers`: they run in this process.
 * `waiting`: an operation waits for a slot. `typenames`: Tollgate adds them to documents. `prepared`:
 * the first request with a registered document does not parse it either.
 */
type Feature = 'resolvers' | 'waiting' | 'typenames' | 'get' | 'prepared';

export interface AdapterTraits {
  /** Features that the adapter lacks, with the reasons. The names of skipped tests contain them. */
  lacks?: Partial<Record<Feature, string>>;
}

export function describeAdapter(name: string, open: OpenAdapter, { lacks = {} }: AdapterTraits = {}): void {
  /** Defines a test of a feature. The name of a skipped one contains the reason. */
  const itNeeds = (feature: Feature, title: string, test: () => Promise<void>) => {
    const reason = lacks[feature];
    if (reason === undefined) it(title, test);
    else it.skip(`${title} (not here: ${reason})`, test);
  };

  describe(name, () => {
    let resolved = 0;
    let goOn = NONE_WAITS;
    const count = <Value>(value: Value) => {
      resolved++;
      return value;
    };
    const item = () => count({ name: 'x' });
    const schema = makeExecutableSchema({
      typeDefs: [DIRECTIVES, TYPES, rateLimitTypeDefs],
      resolvers: [
        {
          Query: {
            item,
            // Returns half of the requested items.
            items: (_: unknown, { first }: { first: number }) =>
              Array.from({ length: Math.ceil(first / 2) }, () => count({ name: 'x' })),
            fails: () => {
              throw new GraphQLError('no');
            },
            any: () => count({ __typename: 'Expensive', one: [{ name: 'y' }] }),
            several: () => [
              Promise.reject(new GraphQLError('no')),
              new Promise((resolve) => (goOn = () => resolve(item()))),
            ],
            asks(_: unknown, { tokens, later = 0, fails, waits }: Asked, { tollgate }: { tollgate?: CostReporter }) {
              if (tokens) tollgate!.addCost(tokens, { field: 'Query.asks' });
              if (waits) {
                return new Promise((resolve) => {
                  goOn = () => {
                    tollgate!.addCost(later);
                    resolve(item());
                  };
                });
              }
              if (later) setTimeout(() => tollgate!.addCost(later), 20);
              if (fails) throw new GraphQLError('no');
              return item();
            },
            waits: () => new Promise((resolve) => (goOn = () => resolve(item()))),
          },
          Mutation: { save: item },
          Item: { parent: () => null, must: () => null },
        },
        rateLimitResolvers,
      ],
    });
    const closers: (() => unknown)[] = [];
    afterAll(async () => {
      for (const close of closers.reverse()) await close();
    });

    async function start(options: Partial<TollgateOptions<AdapterContext>> = {}) {
      const tollgate = await createTollgate<AdapterContext>({
        schema,
        identify: ({ header }) => {
          const user = header('x-user');
          if (user === 'wrong') throw errorOf('UNAUTHENTICATED', 'Invalid credentials');
          return { user: user ?? 'ann' };
        },
        tiers: [
          { name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, answer: 'FULL', isDefault: true },
        ],
        logger: { info() {}, warn() {}, error() {} },
        abortSignal: ({ clientGone }) => clientGone,
        deadlineMs: PATIENT_MS,
        ...options,
      });
      const opened = await open({ tollgate, schema });
      const served = opened.url === undefined ? await serve(opened.listener) : undefined;
      const url = `${served?.url ?? opened.url}/graphql`;
      closers.push(async () => {
        await served?.close();
        await opened.close?.();
        await tollgate.close();
      });
      return {
        /** Number of clients that have left before their response; undefined in another process. */
        departed: () => served?.departed(),
        waiting: () => tollgate.limiter.waits().waiting,
        problems: () => tollgate.problems(),
        plansBuilt: () => tollgate.analyzer.plans.built,
        left: async (user: string) =>
          (await tollgate.quota({ user })).find(({ rule }) => rule.startsWith('tier:'))!.remaining,
        async get(search: string, user: string) {
          const headers = { 'x-user': user, 'apollo-require-preflight': 'true', accept: 'application/json' };
          const response = await fetch(`${url}${search}`, { headers });
          // biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
          const body: any = await response.json();
          return { status: response.status, ...body };
        },
        async ask(query: unknown, { user = 'ann', headers = {}, signal, text, ...rest }: Asking = {}) {
          const response = await fetch(url, {
            method: 'POST',
            headers: { 'content-type': 'application/json', accept: 'application/json', 'x-user': user, ...headers },
            body: text ?? JSON.stringify({ query, ...rest }),
            ...(signal && { signal }),
          });
          // biome-ignore lint/suspicious/noExplicitAny: tests read the members that they requested.
          const body: any = await response.json();
          return { status: response.status, headers: response.headers, ...body, cost: body.extensions?.cost };
        },
      };
    }
    let api: Awaited<ReturnType<typeof start>>;
    beforeAll(async () => {
      api = await start();
    });

    it('runs a registered document by its id in every form, and rejects every other document for the fee', async () => {
      const { db, dispose } = await openServerDatabase();
      closers.push(dispose);
      const text = 'query Page($first: Int!) { items(first: $first) { name } }';
      const hash = sha256Of(text);
      const push = pusherOf(db);
      await push({ app: 'web', version: '1.4.0', documents: [documentOfText(text), { id: 'page', text }] });
      await push({ app: 'ios', version: '2', documents: [{ id: 'own', text: '{ item { name } }' }] });
      const { ask, get, left } = await start({ postgres: db, documents: { unregistered: 'ENFORCE' } });
      const asked = { user: 'bea', variables: { first: 4 } };
      for (const form of [
        { documentId: `sha256:${hash}` },
        { documentId: 'page' },
        { doc_id: 'page' },
        { documentId: 'web~1.4.0~page' },
        { extensions: { persistedQuery: { version: 1, sha256Hash: hash } } },
        { query: text },
      ]) {
        const { query, ...rest } = { query: undefined, ...form };
        const { status, data, cost } = await ask(query, { ...asked, ...rest });
        const seen = { form, status, items: data?.items?.length, cost: cost?.requestedQueryCost };
        expect(seen).toEqual({ form, status: 200, items: 2, cost: 4 });
      }
      if (lacks.get === undefined) {
        const byGet = await get(`?documentId=sha256:${hash}&variables=${JSON.stringify({ first: 4 })}`, 'bea');
        expect(byGet.data?.items).toHaveLength(2);
      }
      const before = await left('bea');
      for (const [form, code] of [
        [{ documentId: 'x'.repeat(1_000) }, 'BAD_REQUEST'],
        [{ documentId: `sha256:${'0'.repeat(64)}` }, 'DOCUMENT_NOT_FOUND'],
        [{ documentId: 'ios~2~page' }, 'DOCUMENT_NOT_FOUND'],
        [{ documentId: 'own', headers: { 'apollographql-client-name': 'web' } }, 'DOCUMENT_NOT_FOUND'],
        [{ query: '{ item { name } fails { name } }' }, 'DOCUMENT_NOT_REGISTERED'],
      ] as const) {
        const { query, ...rest } = { query: undefined, ...form };
        const { data, errors } = await ask(query, { ...asked, ...rest });
        expect({ form, data, code: errors[0].extensions.code }).toEqual({ form, data: data && null, code });
        expect(JSON.stringify(errors)).not.toContain('xxxx');
      }
      expect(before - (await left('bea'))).toBe(5);
    });

    it('neither parses nor validates a registered document that is sent by its id', async () => {
      const { db, dispose } = await openServerDatabase();
      closers.push(dispose);
      // Servers of other tests of this process can be at work in the background, and only add calls.
      // The lowest of three counts therefore belongs to the requests. Each has a document of its own.
      const documents = [1, 2, 3].map((n) =>
        documentOfText(`query Page${n}($first: Int!) { items(first: $first) { name } }`),
      );
      const broken = documentOfText('{ unknown }');
      await pusherOf(db)({ app: 'web', version: '1', documents: [...documents, broken] });
      const { ask, plansBuilt, problems } = await start({ postgres: db });
      await until('all documents are prepared and checked', () => problems().length > 0);
      const times = 5;
      const count = async (ask: (time: number) => Promise<{ status: number }>) =>
        countCalls(
          async () => {
            for (let time = 0; time < times; time++) expect((await ask(time)).status).toBe(200);
          },
          (url, name) => PARSES.test(`${url} ${name}`),
        );
      // The API behind a gateway runs in this process, and parses and validates each operation once.
      const own = lacks.resolvers === undefined ? 0 : 2 * times;
      const counts: number[] = [];
      for (const { id } of documents) {
        const persistedQuery = { version: 1, sha256Hash: id.slice('sha256:'.length) };
        const byId = [{ documentId: id }, { extensions: { persistedQuery } }];
        // The first request of a document fills the cache of the server.
        if (lacks.prepared !== undefined) await ask(undefined, { ...byId[0]!, variables: { first: 1 } });
        counts.push(await count((first) => ask(undefined, { ...byId[first % 2]!, variables: { first } })));
      }
      expect(Math.min(...counts), `counts: ${counts}`).toBe(own);
      const sent = await count((time) => ask(`{ items(first: ${time}) { name } }`));
      expect(sent).toBeGreaterThanOrEqual(own + 2 * times);
      expect(plansBuilt()).toBe(documents.length + times);
    });

    it('asks for the text of an unknown hash, and then runs the operation by its hash, also in another instance', async () => {
      const bucket = { capacity: 1000, refillAmount: 1, refillPeriodMs: 86_400_000 };
      const options = {
        redis: inject('redisUrl'),
        identify: ({ header }: { header(name: string): string | undefined }) => ({
          user: header('x-user')!,
          tier: header('x-user')!.startsWith('poor') ? 'poor' : 'free',
        }),
        tiers: [
          { name: 'free', ...bucket, isDefault: true },
          { name: 'poor', ...bucket, maxCostPerOperation: 3 },
        ],
      };
      const text = `query Page${uniqueName('')} { items(first: 4) { name } }`;
      const persistedQuery = { version: 1, sha256Hash: sha256Of(text) };
      const byHash = { user: uniqueName('eve'), extensions: { persistedQuery } };
      const first = await start(options);
      const unknown = await first.ask(undefined, byHash);
      expect([unknown.status, unknown.errors[0].extensions.code]).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND']);
      const forged = { ...byHash, extensions: { persistedQuery: { version: 1, sha256Hash: sha256Of(`${text} `) } } };
      expect((await first.ask(text, forged)).data ?? null).toBeNull();
      // A denied text is not stored.
      const denied = await first.ask(text, { ...byHash, user: uniqueName('poor') });
      expect(denied.errors[0].extensions.code).toBe('MAX_COST_EXCEEDED');
      expect((await first.ask(undefined, byHash)).errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
      expect((await first.ask(text, byHash)).data.items).toHaveLength(2);
      const second = await start(options);
      for (const api of [first, second]) {
        await until('the text is shared', async () => (await api.ask(undefined, byHash)).data?.items?.length === 2);
        expect((await api.ask(undefined, forged)).errors[0].extensions.code).toBe('PERSISTED_QUERY_NOT_FOUND');
      }
    });

    it('logs, warns of or rejects documents that are not registered, except those of a tier that may send any', async () => {
      const { db, dispose } = await openServerDatabase();
      closers.push(dispose);
      const text = 'query Page { item { name } }';
      await pusherOf(db)({ app: 'web', version: '1', documents: [documentOfText(text)] });
      const limits = { capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, answer: 'FULL' } as const;
      const startStep = async (unregistered: 'LOG' | 'WARN' | 'ENFORCE') => {
        const lines: string[] = [];
        const api = await start({
          postgres: db,
          documents: { unregistered, bypassTiers: ['staff'] },
          identify: ({ header }) => ({ user: header('x-user')!, tier: header('x-user')! }),
          tiers: [
            { name: 'free', ...limits, isDefault: true },
            { name: 'staff', ...limits },
          ],
          logger: { info() {}, warn: (line) => lines.push(line), error() {} },
        });
        const ask = async (query: string, user: 'free' | 'staff') => {
          const { data, errors, headers, extensions } = await api.ask(query, { user });
          return {
            hasData: data?.item?.name === 'x',
            code: errors?.[0].extensions.code,
            header: headers.get('tollgate-document'),
            note: extensions?.document?.registered,
          };
        };
        return { ask, logged: () => lines.filter((line) => line.includes('is not registered')) };
      };
      const own = 'query Own { item { name } }';
      const admitted = { hasData: true, code: undefined, header: null, note: undefined };
      const steps = {
        LOG: admitted,
        WARN: { ...admitted, header: 'unregistered', note: false },
        ENFORCE: { ...admitted, hasData: false, code: 'DOCUMENT_NOT_REGISTERED' },
      } as const;
      for (const [step, expected] of Object.entries(steps)) {
        const { ask, logged } = await startStep(step as keyof typeof steps);
        const asked = [
          await ask(text, 'free'),
          await ask(own, 'staff'),
          await ask(own, 'free'),
          await ask(own, 'free'),
        ];
        expect({ step, asked }).toEqual({ step, asked: [admitted, admitted, expected, expected] });
        const lines = step === 'ENFORCE' ? [] : ['The document of "Own" (tier free) is not registered'];
        expect({ step, logged: logged() }).toEqual({ step, logged: lines });
      }
    });

    it('an admitted operation returns its data, with the cost in the response and the quota in the headers', async () => {
      const answer = await api.ask('{ item { name } }', { user: 'a' });
      expect(answer).toMatchObject({ status: 200, data: { item: { name: 'x' } } });
      expect(answer.cost).toMatchObject({ requestedQueryCost: 1, actualQueryCost: 1 });
      expect(answer.headers.get('x-ratelimit-remaining')).toBe('99');
      expect(answer.headers.get('x-ratelimit-cost')).toBe('1');
      expect(answer.headers.get('cache-control')).toBe('no-store');
    });

    it('the difference between estimated and actual cost is refunded, with variables and named operations', async () => {
      const query = 'query One { item { name } } query Many($n: Int!) { items(first: $n) { name } }';
      const answer = await api.ask(query, { user: 'b', operationName: 'Many', variables: { n: 40 } });
      expect(answer.cost).toMatchObject({ requestedQueryCost: 40, actualQueryCost: 20 });
      expect(answer.data.items).toHaveLength(20);
      expect(await api.left('b')).toBe(80);
    });

    it('an operation that exceeds the remaining tokens is denied and runs no resolver', async () => {
      await api.ask('{ items(first: 100) { name } }', { user: 'c' });
      await api.ask('{ items(first: 50) { name } }', { user: 'c' });
      const before = resolved;
      const answer = await api.ask('{ items(first: 60) { name } }', { user: 'c' });
      expect(answer.status).toBe(429);
      expect(answer.data ?? null).toBeNull();
      expect(answer.errors).toHaveLength(1);
      expect(answer.errors[0].extensions).toMatchObject({ code: 'THROTTLED', cost: 60, remaining: 25 });
      expect(answer.errors[0].extensions).not.toHaveProperty('http');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(answer.headers.get('x-ratelimit-cost')).toBe('0');
      expect(resolved).toBe(before);
    });

    it('an operation above the capacity of the bucket is rejected and pays the fee', async () => {
      const answer = await api.ask('mutation Save { save { name } } query Big { items(first: 101) { name } }', {
        user: 'd',
        operationName: 'Big',
      });
      expect(answer.status).toBe(400);
      expect(answer.errors[0].extensions).toMatchObject({ code: 'MAX_COST_EXCEEDED', cost: 101, limit: 100 });
      expect(await api.left('d')).toBe(99);
    });

    it.each([
      ['a syntax error', { query: '{ item {' }, undefined],
      ['an unknown field', { query: '{ nothing }' }, undefined],
      ['an unknown operation name', { query: 'query A { item { name } }', operationName: 'B' }, undefined],
      [
        'invalid variables',
        { query: 'query ($n: Int!) { items(first: $n) { name } }', variables: { n: 'x' } },
        'BAD_USER_INPUT',
      ],
      [
        'a document that is too deep',
        { query: `{ item ${'{ parent '.repeat(40)}{ name }${'}'.repeat(40)} }` },
        'DOCUMENT_LIMIT_EXCEEDED',
      ],
    ])('a request with %s gets status 400 and costs the fee', async (what, { query, ...rest }, code) => {
      const user = `fee ${what}`.replaceAll(' ', '-');
      const answer = await api.ask(query, { user, ...rest });
      expect(answer.status).toBe(400);
      expect(answer.data ?? null).toBeNull();
      if (code) expect(answer.errors[0].extensions.code).toBe(code);
      expect(answer.cost.fee).toBe(1);
      expect(await api.left(user)).toBe(99);
    });

    it.each([
      ['variables that are a string', { variables: 'x' }],
      ['variables that are a list', { variables: [1] }],
      ['an operation name that is an object', { operationName: { a: 1 } }],
      ['an operation name without a string form', { operationName: { toString: 1 } }],
      ['an operation name that is a list', { operationName: ['One'] }],
      ['an operation name that is a number', { operationName: 1 }],
      ['an operation name with NUL', { operationName: 'One\0' }],
      ['a variable with half a surrogate pair', { variables: { n: '\ud800' } }],
    ])('a request with %s gets status 400 and runs no resolver', async (_what, request) => {
      const before = resolved;
      const answer = await api.ask('query One($n: Int) { item { name } }', {
        ...(request as object),
        user: 'nonsense',
      });
      expect(answer.status).toBe(400);
      expect(answer.data ?? null).toBeNull();
      expect(resolved).toBe(before);
    });

    it.each([
      ['lists', '['.repeat(5000) + ']'.repeat(5000)],
      ['objects', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
    ])('a variable of %s with 5,000 nested levels gets status 400 and runs no resolver', async (_what, value) => {
      const before = resolved;
      const text = `{"query":"query One($n: Int) { item { name } }","variables":{"n":${value}}}`;
      const answer = await api.ask('', { text, user: 'deep' });
      expect(answer.status).toBe(400);
      expect(resolved).toBe(before);
    });

    it('a new document is not validated if its caller has no tokens for the fee', async () => {
      for (let left = 100; left > 0; left = await api.left('empty')) {
        await api.ask(left > 1 ? `{ items(first: ${left}) { name } }` : '{', { user: 'empty' });
      }
      const answer = await api.ask('{ items(first: 7) { name parent { name } } }', { user: 'empty' });
      expect(answer.status).toBe(429);
      expect(answer.errors).toMatchObject([{ extensions: { code: 'THROTTLED' } }]);
      // Tollgate has not priced the document.
      expect(answer.cost.requestedQueryCost).toBe(0);
    });

    it('an unknown document is denied before validation if its caller has too few tokens for it', async () => {
      const user = 'few';
      await api.ask('{ items(first: 90) { name } }', { user });
      await api.ask('{ items(first: 50) { name } }', { user });
      const left = await api.left(user);
      const invalid = (first: number) => `{ items(first: ${first}) { name nothing } }`;
      const denied = await api.ask(invalid(60), { user });
      expect(denied.status).toBe(429);
      expect(denied.errors).toMatchObject([{ extensions: { code: 'THROTTLED', cost: 60, remaining: left } }]);
      expect(await api.left(user)).toBe(left);
      const rejected = await api.ask(invalid(2), { user });
      expect(rejected.status).toBe(400);
      expect(rejected.cost.fee).toBe(1);
      expect(await api.left(user)).toBe(left - 1);
    });

    it('an invalid credential gets status 401', async () => {
      const answer = await api.ask('{ item { name } }', { user: 'wrong' });
      expect(answer.status).toBe(401);
      expect(answer.errors[0].extensions.code).toBe('UNAUTHENTICATED');
      expect(answer.headers.get('www-authenticate')).toMatch(/Bearer/);
    });

    it('a field that an error made null after its resolvers ran is charged', async () => {
      const answer = await api.ask('{ items(first: 10) { must { name } } }', { user: 'e' });
      expect(answer.status).toBe(200);
      expect(answer.errors).toHaveLength(1);
      expect(answer.cost.actualQueryCost).toBe(answer.cost.requestedQueryCost);
    });

    itNeeds(
      'typenames',
      'the actual cost uses the true type of an object, and the response contains only requested fields',
      async () => {
        const query = '{ any { ... on Cheap { a: list(first: 30) { name } } ... on Expensive { a: one { name } } } }';
        const answer = await api.ask(query, { user: 'f' });
        expect(answer.data).toEqual({ any: { a: [{ name: 'y' }] } });
        expect(answer.cost.actualQueryCost).toBe(51);
      },
    );

    it('an object without its type in the response costs at least as much as its true type, and with it exactly that', async () => {
      const query = '{ any { ... on Cheap { a: list(first: 30) { name } } ... on Expensive { a: one { name } } } }';
      const { cost } = await api.ask(query, { user: 'type' });
      expect(cost.actualQueryCost).toBeGreaterThanOrEqual(51);
      expect(cost.actualQueryCost).toBeLessThanOrEqual(cost.requestedQueryCost);
      const shown = await api.ask(query.replace('any {', 'any { __typename'), { user: 'type-2' });
      expect(shown.data).toEqual({ any: { __typename: 'Expensive', a: [{ name: 'y' }] } });
      expect(shown.cost.actualQueryCost).toBe(51);
    });

    it('a validate request is priced and runs no resolver', async () => {
      const before = resolved;
      const headers = { 'graphql-cost': 'validate' };
      const answer = await api.ask('{ items(first: 70) { name } }', { user: 'g', headers });
      expect(answer).toMatchObject({ status: 200, data: null, cost: { requestedQueryCost: 70 } });
      expect(await api.left('g')).toBe(99);
      expect(resolved).toBe(before);
    });

    itNeeds(
      'resolvers',
      'the field rateLimit returns the remaining tokens, and with dryRun no other field runs',
      async () => {
        const query = '{ rateLimit(dryRun: true) { cost remaining } items(first: 20) { name } }';
        const before = resolved;
        const answer = await api.ask(query, { user: 'h' });
        expect(answer.data).toEqual({ rateLimit: { cost: expect.any(Number), remaining: 99 } });
        expect(answer.data.rateLimit.cost).toBeGreaterThanOrEqual(20);
        expect(resolved).toBe(before);
        const run = await api.ask('{ rateLimit { remaining } item { name } }', { user: 'h' });
        expect(run.data.rateLimit.remaining).toBe(run.cost.throttleStatus.currentlyAvailable);
      },
    );

    it('an operation holds a concurrency slot until its last resolver ends', async () => {
      const slow = await start({ rules: [ONE_AT_A_TIME] });
      goOn = NONE_WAITS;
      const waiting = slow.ask('{ waits { name } fails { name } }', { user: 'i' });
      await until('the resolver of the first operation waits', () => goOn !== NONE_WAITS);
      expect((await slow.ask('{ item { name } }', { user: 'i' })).status).toBe(429);
      goOn();
      expect((await waiting).status).toBe(200);
      await until(
        'a slot is free again',
        async () => (await slow.ask('{ item { name } }', { user: 'i' })).status === 200,
      );
    });

    itNeeds(
      'resolvers',
      'an operation holds a concurrency slot until the last list item settles, even after another item failed',
      async () => {
        const slow = await start({ rules: [ONE_AT_A_TIME] });
        const answer = await slow.ask('{ several { name } }', { user: 'm' });
        expect(answer.errors).toHaveLength(1);
        expect((await slow.ask('{ item { name } }', { user: 'm' })).status).toBe(429);
        goOn();
        await until(
          'a slot is free again',
          async () => (await slow.ask('{ item { name } }', { user: 'm' })).status === 200,
        );
      },
    );

    itNeeds(
      'waiting',
      'an operation without a slot waits for its turn, and a client that disconnects gives up its place',
      async () => {
        const queued = await start({ rules: [ONE_AT_A_TIME_WITH_QUEUE] });
        const user = 'n';
        goOn = NONE_WAITS;
        const running = queued.ask('{ waits { name } }', { user });
        await until('the first operation runs', () => goOn !== NONE_WAITS);
        const before = resolved;
        const gone = new AbortController();
        const leaves = queued.ask('{ item { name } }', { user, signal: gone.signal });
        leaves.catch(() => {});
        const stays = queued.ask('{ items(first: 4) { name } }', { user });
        await until('two operations wait', () => queued.waiting() === 2);
        const full = await queued.ask('{ item { name } }', { user });
        expect(full).toMatchObject({ status: 429, errors: [{ extensions: { isConcurrency: true } }] });
        expect(await queued.left(user)).toBe(99);
        gone.abort();
        await expect(leaves).rejects.toThrow();
        await until('the place is free', () => queued.waiting() === 1);
        expect(resolved).toBe(before);
        goOn();
        expect((await running).status).toBe(200);
        expect((await running).cost.waitedMs).toBeUndefined();
        expect(await stays).toMatchObject({ status: 200, cost: { waitedMs: expect.any(Number) } });
        expect(await queued.left(user)).toBe(97);
      },
    );

    itNeeds('resolvers', 'a cost that a resolver reports is charged, also after an error', async () => {
      const user = 'o';
      const asked = await api.ask('{ asks(tokens: 6.5) { name } }', { user });
      expect(asked).toMatchObject({ status: 200, data: { asks: { name: 'x' } } });
      expect(asked.cost).toMatchObject({ requestedQueryCost: 1, actualQueryCost: 8, reportedCost: 7 });
      expect(await api.left(user)).toBe(92);
      const failed = await api.ask('{ asks(tokens: 10, fails: true) { name } }', { user });
      expect(failed.errors).toHaveLength(1);
      expect(failed.cost).toMatchObject({ actualQueryCost: 11, reportedCost: 10 });
      expect(await api.left(user)).toBe(81);
      const negative = await api.ask('{ asks(tokens: -50) { name } }', { user });
      expect(negative.errors).toHaveLength(1);
      expect(negative.cost.reportedCost).toBeUndefined();
      expect(await api.left(user)).toBe(80);
    });

    itNeeds('resolvers', 'a cost that is reported after the response is charged, up to the debt', async () => {
      const user = 'p';
      await api.ask('{ asks(later: 30) { name } }', { user });
      await until('the late cost is charged', async () => (await api.left(user)) === 69);
      await api.ask('{ asks(later: 1000) { name } }', { user });
      await until('the bucket is in debt', async () => (await api.left(user)) === 0);
      expect((await api.ask('{ item { name } }', { user })).status).toBe(429);
    });

    for (const [what, options] of [
      ['', {}],
      [' while it holds a slot', { rules: [ONE_AT_A_TIME] }],
    ] as const) {
      const title = `costs that a resolver reports before and after its client disconnects${what} are charged once`;
      itNeeds('resolvers', title, async () => {
        const asked = await start(options);
        const user = `leaves${what.length}`;
        const gone = new AbortController();
        goOn = NONE_WAITS;
        const query = '{ asks(tokens: 10, later: 5, waits: true) { name } }';
        const waiting = asked.ask(query, { user, signal: gone.signal });
        await until('the operation runs', () => goOn !== NONE_WAITS);
        gone.abort();
        await expect(waiting).rejects.toThrow();
        // The server must notice the disconnect before the operation ends.
        await new Promise((resolve) => setTimeout(resolve, 50));
        goOn();
        await until('all costs are charged', async () => (await asked.left(user)) === 84);
        await until('the slot is free', async () => (await asked.ask('{ item { name } }', { user })).status === 200);
        expect(await asked.left(user)).toBe(83);
      });
    }

    it('a client that disconnects during the execution is charged the estimate', async () => {
      const gone = new AbortController();
      goOn = NONE_WAITS;
      const waiting = api.ask('{ waits { name } items(first: 20) { name } }', { user: 'j', signal: gone.signal });
      await until('the operation runs', () => goOn !== NONE_WAITS);
      expect(await api.left('j')).toBe(79);
      const departed = api.departed();
      gone.abort();
      await expect(waiting).rejects.toThrow();
      // The server must notice the disconnect before the operation ends.
      if (departed === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
      else await until('the server has noticed the disconnect', () => api.departed()! > departed);
      goOn();
      await api.ask('{ item { name } }', { user: 'k' });
      expect(await api.left('j')).toBe(79);
    });

    it('the response marks a decision without Redis as degraded', async () => {
      const alone = await start({ redis: 'redis://127.0.0.1:1', deadlineMs: 20 });
      const answer = await alone.ask('{ item { name } }', { user: 'l' });
      expect(answer).toMatchObject({ status: 200, data: { item: { name: 'x' } }, cost: { degraded: true } });
    });
  });
}

const NONE_WAITS: () => void = () => {};

const ONE_AT_A_TIME = {
  name: 'one-at-a-time',
  scope: 'USER',
  field: '*',
  measure: 'REQUESTS',
  limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 600_000 }],
} as const satisfies RuleInput;

const ONE_AT_A_TIME_WITH_QUEUE: RuleInput = {
  ...ONE_AT_A_TIME,
  limits: [{ ...ONE_AT_A_TIME.limits[0], maxWaitMs: 60_000, maxQueue: 2 }],
};

interface Asked {
  tokens?: number;
  later?: number;
  fails?: boolean;
  waits?: boolean;
}

interface Asking {
  user?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  operationName?: string;
  variables?: unknown;
  /** Request body. It replaces the body that is built from the query and the other members. */
  text?: string;
}
