import { createServer, type RequestListener } from 'node:http';
import { ApolloServer } from '@apollo/server';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import { afterEach, describe, expect, it } from 'vitest';
import { type NestDriverOptions, protectNest } from '../../src/entry/nest.js';
import type { Tollgate } from '../../src/tollgate/create-tollgate.js';
import { portOf } from '../admin/run-example.js';

// Tests of protectNest with the servers that the drivers of NestJS open. Nest itself runs in
// examples/nest and in test/foreign/nest-yoga.

// Imported without its types, because they contradict those of Apollo Server.
const { createYoga } = (await import(String('graphql-yoga'))) as { createYoga(options: object): RequestListener };
const schema = makeExecutableSchema({
  typeDefs: 'type Query { me: String } type Subscription { ticks: Int }',
  resolvers: { Query: { me: () => 'me' } },
});
class ApolloDriver {}
class YogaDriver {}
const TIERS = [{ name: 'free', capacity: 2, refillAmount: 1, refillPeriodMs: 3_600_000, isDefault: true }];
const logger = { info() {}, warn() {}, error() {} };
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** Calls `transformSchema`, as a driver does before it opens its server. */
async function transform(options: NestDriverOptions): Promise<GraphQLSchema> {
  return options.transformSchema!(schema);
}

describe('protectNest', () => {
  it('protectNest protects the server of the Apollo driver, and closes the Tollgate with it', async () => {
    let created: Tollgate | undefined;
    const seen: string[] = [];
    const options = protectNest(
      {
        driver: ApolloDriver,
        plugins: [{ requestDidStart: async () => void seen.push('own') }],
        transformSchema: (given: GraphQLSchema) => {
          seen.push('transformed');
          return given;
        },
      },
      { tiers: TIERS, logger, onCreated: (tollgate) => (created = tollgate) },
    );
    const server = new ApolloServer({ schema: await transform(options), plugins: options.plugins as never });
    await server.start();
    const codes: unknown[] = [];
    for (let call = 0; call < 3; call++) {
      const { body } = await server.executeOperation({ query: '{ me }' }, { contextValue: {} });
      if (body.kind === 'single') codes.push(body.singleResult.errors?.[0]?.extensions?.['code'] ?? 'admitted');
    }
    expect(codes).toEqual(['admitted', 'admitted', 'THROTTLED']);
    expect(seen).toEqual(['transformed', 'own', 'own', 'own']);
    expect(created?.health()).toBeUndefined();
    let isClosed = false;
    const { close } = created!;
    Object.assign(created!, {
      close() {
        isClosed = true;
        return close();
      },
    });
    await server.stop();
    expect(isClosed).toBe(true);
  });

  it('protectNest protects the server of the Yoga driver', async () => {
    const given: NestDriverOptions = { driver: YogaDriver, subscriptions: { 'graphql-ws': true } };
    const options = protectNest(given, { tiers: TIERS, logger });
    const yoga = createYoga({
      schema: (await transform(options)) as never,
      plugins: options.plugins as never,
      logging: false,
    });
    const server = createServer(yoga).listen(0, '127.0.0.1');
    closers.push(() => server.close());
    const url = `http://127.0.0.1:${await portOf(server)}/graphql`;
    const statuses: number[] = [];
    for (let call = 0; call < 3; call++) {
      const headers = { 'content-type': 'application/json' };
      statuses.push((await fetch(url, { method: 'POST', headers, body: '{"query":"{ me }"}' })).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
    expect(options.subscriptions).toEqual({ 'graphql-ws': true });
  });

  it('protectNest protects operations over WebSockets next to Apollo Server, and keeps the option subscriptions', async () => {
    const onConnect = () => true;
    const options = protectNest(
      { driver: ApolloDriver, subscriptions: { 'graphql-ws': { onConnect }, other: 1 } },
      { tiers: TIERS, logger },
    );
    const served = await transform(options);
    const { other, 'graphql-ws': sockets } = options.subscriptions as unknown as {
      other: number;
      'graphql-ws': { onConnect: unknown; execute(args: object): Promise<{ errors?: { extensions: object }[] }> };
    };
    expect(other).toBe(1);
    expect(sockets.onConnect).toBe(onConnect);
    const { parse } = await import('graphql');
    const execute = () => sockets.execute({ schema: served, document: parse('{ me }'), contextValue: {} });
    expect((await execute()).errors).toBeUndefined();
    expect((await execute()).errors).toBeUndefined();
    expect((await execute()).errors?.[0]?.extensions).toMatchObject({ code: 'THROTTLED' });
  });

  it('protectNest does not let a server start unprotected when Nest has not called transformSchema', async () => {
    const given: NestDriverOptions = { driver: ApolloDriver };
    const options = protectNest(given, { tiers: TIERS, logger });
    const server = new ApolloServer({ schema, plugins: options.plugins as never });
    await expect(server.start()).rejects.toThrow(/before Nest called transformSchema/);
    expect(() => createYoga({ schema, plugins: options.plugins })).toThrow(/before Nest called transformSchema/);
  });
});
