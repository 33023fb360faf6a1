import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import { buildSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTollgate, type Tollgate } from '../../src/tollgate/create-tollgate.js';
import { useTollgate } from '../../src/yoga/use-tollgate.js';

const { createYoga } = (await import(String('graphql-yoga'))) as { createYoga(options: object): object };
const schema = buildSchema('type Query { item: Int }');

// Without a check, the server would accept each of these entries as a plugin without hooks. The
// server would then run unprotected, without a warning.
describe('wrong entries in the list of plugins', () => {
  let tollgate: Tollgate;
  beforeAll(async () => {
    tollgate = await createTollgate({ schema, logger: { info() {}, warn() {}, error() {} } });
  });
  afterAll(() => tollgate.close());

  it.each([
    ['useTollgate(tollgate)', () => useTollgate(tollgate), 'got useTollgate(tollgate), which is for GraphQL Yoga'],
    ['useTollgate', () => useTollgate, 'got useTollgate, which is not called'],
    ['tollgate', () => tollgate, 'got the object that createTollgate resolves to'],
    ['tollgate.plugin', () => tollgate.plugin, 'got tollgate.plugin, which is not called: add ()'],
  ])('Apollo Server does not start with %s as a plugin, and the error contains the fix', async (_what, made, got) => {
    const server = new ApolloServer({ schema, plugins: [made() as ApolloServerPlugin], logger: QUIET });
    await expect(server.start()).rejects.toThrow(`plugins: expected tollgate.plugin(), ${got}`);
  });

  it.each([
    ['tollgate.plugin()', () => tollgate.plugin(), 'got tollgate.plugin(), which is for Apollo Server'],
    ['tollgate.plugin', () => tollgate.plugin, 'got tollgate.plugin, which is not called'],
    ['tollgate', () => tollgate, 'got the object that createTollgate resolves to'],
    ['useTollgate', () => useTollgate, 'got useTollgate, which is not called: add (tollgate)'],
  ])('GraphQL Yoga cannot be created with %s as a plugin, and the error contains the fix', (_what, made, got) => {
    expect(() => createYoga({ schema, plugins: [made()] })).toThrow(
      `plugins: expected useTollgate(tollgate) of tollgate/yoga, ${got}`,
    );
  });

  it('Apollo Server rejects two plugins of one Tollgate, but two servers may share one Tollgate', async () => {
    const plugin = tollgate.plugin();
    for (const plugins of [
      [plugin, plugin],
      [plugin, tollgate.plugin()],
    ]) {
      const server = new ApolloServer({ schema, plugins, logger: QUIET });
      await expect(server.start()).rejects.toThrow('plugins: expected tollgate.plugin() once, got it twice');
    }
    for (let i = 0; i < 2; i++) {
      const server = new ApolloServer({ schema, plugins: [plugin], logger: QUIET });
      await server.start();
      await server.stop();
    }
  });

  it('GraphQL Yoga rejects two plugins of one Tollgate, but two servers may share one Tollgate', () => {
    const plugin = useTollgate(tollgate);
    for (const plugins of [
      [plugin, plugin],
      [plugin, useTollgate(tollgate)],
    ]) {
      expect(() => createYoga({ schema, plugins })).toThrow(
        'plugins: expected useTollgate(tollgate) once, got it twice',
      );
    }
    createYoga({ schema, plugins: [plugin] });
    createYoga({ schema, plugins: [plugin] });
  });

  it('useTollgate accepts only a Tollgate', () => {
    const given = createTollgate({ schema }).then((other) => other.close()) as unknown as Tollgate;
    expect(() => useTollgate(given)).toThrow(
      'useTollgate: expected the object that createTollgate resolves to: await createTollgate first',
    );
  });
});

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };
