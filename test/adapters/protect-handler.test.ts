import { createServer, type RequestListener, type Server } from 'node:http';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { GraphQLError, NoSchemaIntrospectionCustomRule } from 'graphql';
import { createHandler as createFetchHandler } from 'graphql-http/lib/use/fetch';
import { createHandler } from 'graphql-http/lib/use/http';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { protectHandler } from '../../src/entry/graphql-http.js';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import type { TollgateOptions } from '../../src/tollgate/tollgate-options.js';
import { portOf } from '../admin/run-example.js';

// Tests of tollgate/graphql-http alone. adapters.test.ts checks the contract of all adapters.

const schema = makeExecutableSchema({
  typeDefs: 'type Query { me: String, fails: String } type Mutation { save: Int } type Subscription { ticks: Int }',
  resolvers: {
    Query: {
      me: (_: unknown, _args: unknown, context: { name?: string }) => context.name ?? 'unnamed',
      fails: () => {
        throw new Error('secret');
      },
    },
    Mutation: { save: () => 1 },
  },
});
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function protect(options: Partial<TollgateOptions> = {}): Promise<Tollgate> {
  const tollgate = await createTollgate({
    schema,
    tiers: [{ name: 'free', capacity: 20, refillAmount: 1, refillPeriodMs: 3_600_000, isDefault: true }],
    logger: { info() {}, warn() {}, error() {} },
    ...options,
  });
  closers.push(() => tollgate.close());
  return tollgate;
}

async function listen(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1');
  closers.push(() => server.close());
  return `http://127.0.0.1:${await portOf(server)}/graphql`;
}

interface Body {
  data?: object;
  errors: GraphQLError[];
  extensions: { cost: { fee?: number } };
}

async function post(url: string, query: string, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

describe('protectHandler', () => {
  it('protectHandler passes on the context of a function or an object, and prices each request separately', async () => {
    const tollgate = await protect();
    const ofFunction = await listen(
      createHandler(protectHandler(tollgate, { schema, context: () => ({ name: 'a' }) })),
    );
    expect((await post(ofFunction, '{ me }')).body.data).toEqual({ me: 'a' });
    const shared = { name: 'b' };
    const ofObject = await listen(createHandler(protectHandler(tollgate, { schema, context: shared })));
    for (let call = 0; call < 2; call++) {
      const { body } = await post(ofObject, '{ me }');
      expect(body).toMatchObject({ data: { me: 'b' }, extensions: { cost: { actualQueryCost: 1 } } });
    }
    expect(shared).toEqual({ name: 'b' });
  });

  it('protectHandler rejects a context that is the same object for two requests, which would charge one caller for the other', async () => {
    const tollgate = await protect();
    const shared = { name: 'a' };
    const handler = createFetchHandler(protectHandler(tollgate, { schema, context: () => shared }));
    const send = () => handler(new Request('http://localhost/graphql?query={me}'));
    expect((await send()).status).toBe(200);
    // graphql-http logs the message of the mistake.
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect((await send()).status).toBe(500);
    expect(String(logged.mock.calls[0])).toContain('context: expected a new object for each request');
    logged.mockRestore();
  });

  it('protectHandler sends a response that the context function returns', async () => {
    const tollgate = await protect();
    const context = () => ['no', { status: 418, statusText: 'Teapot' }] as never;
    const url = await listen(createHandler(protectHandler(tollgate, { schema, context })));
    const response = await fetch(`${url}?query={me}`);
    expect([response.status, await response.text()]).toEqual([418, 'no']);
  });

  it('protectHandler rejects a mutation by GET and a subscription, refunds them and charges the fee', async () => {
    const tollgate = await protect();
    const url = await listen(createHandler(protectHandler(tollgate, { schema })));
    const mutation = await fetch(`${url}?query=${encodeURIComponent('mutation { save }')}`);
    expect(mutation.status).toBe(405);
    expect(await mutation.json()).toMatchObject({
      errors: [{ message: expect.stringMatching(/Cannot perform mutations over GET/) }],
      extensions: { cost: { fee: 1 } },
    });
    const subscription = await post(url, 'subscription { ticks }');
    expect(subscription.status).toBe(400);
    expect(subscription.body).toMatchObject({
      errors: [{ message: expect.stringMatching(/Subscriptions are not supported/) }],
      extensions: { cost: { fee: 1, throttleStatus: { currentlyAvailable: 18 } } },
    });
  });

  it('protectHandler applies validation rules in addition to those of the specification', async () => {
    const tollgate = await protect();
    const options = { schema, validationRules: [NoSchemaIntrospectionCustomRule] };
    const url = await listen(createHandler(protectHandler(tollgate, options)));
    const { body } = await post(url, '{ __schema { queryType { name } } }');
    expect(body.data).toBeUndefined();
    expect(body.errors[0]!.message).toMatch(/introspection/);
    expect(body.extensions.cost.fee).toBe(1);
  });

  it('protectHandler formats errors by formatError, and responds in the requested media type', async () => {
    const tollgate = await protect();
    const formatError = () => new GraphQLError('hidden');
    const url = await listen(createHandler(protectHandler(tollgate, { schema, formatError })));
    const { body, headers } = await post(url, '{ fails }', { accept: 'application/graphql-response+json' });
    expect(body.errors.map(({ message }) => message)).toEqual(['hidden']);
    expect(headers.get('content-type')).toBe('application/graphql-response+json; charset=utf-8');
  });

  it('protectHandler protects a handler of the Fetch API', async () => {
    const tollgate = await protect();
    const handler = createFetchHandler(protectHandler(tollgate, { schema }));
    const ask = () =>
      handler(
        new Request('http://localhost/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query: '{ me }' }),
        }),
      );
    const statuses: number[] = [];
    for (let call = 0; call < 21; call++) statuses.push((await ask()).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429]);
  });

  it('protectHandler rejects options that would leave operations unprotected', async () => {
    const tollgate = await protect();
    const hooks = { schema, onSubscribe: () => undefined };
    expect(() => protectHandler(tollgate, hooks)).toThrow(/onSubscribe: expected none; .* call tollgate\.protect/);
    expect(() => protectHandler(tollgate, { schema: (() => schema) as never })).toThrow(/schema: expected the schema/);
    expect(() => protectHandler(protect() as never, { schema })).toThrow(/await createTollgate first/);
  });
});
