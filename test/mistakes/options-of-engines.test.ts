import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { createLimiter } from '../../src/limiter/create-limiter.js';

const SDL = 'type Query { a: Int }';
const schema = buildSchema(SDL);

describe('createCostAnalyzer', () => {
  it.each([
    ['an unknown option', { defaultSize: 5 }, 'defaultSize: unknown option; did you mean defaultListSize?'],
    ['a profile in capital letters', { profile: 'IBM' }, '"query-complexity", got "IBM"; did you mean "ibm"?'],
    [
      'an unknown weight',
      { profile: { objectWeigth: 2 } },
      'profile.objectWeigth: unknown option; did you mean objectWeight?',
    ],
    [
      'a weight of a root as a string',
      { profile: { roots: { query: '1' } } },
      'profile.roots.query: expected a finite number, got "1"',
    ],
    [
      'an unknown member of an overlay',
      { overlay: { 'Query.a': { wieght: 3 } } },
      'overlay.Query.a.wieght: unknown option; did you mean weight?',
    ],
    [
      'an unknown member of a list size',
      { overlay: { 'Query.a': { listSize: { assumed: 3 } } } },
      'overlay.Query.a.listSize.assumed: unknown option; did you mean assumedSize?',
    ],
    [
      'an invalid price of introspection',
      { introspection: 'free' },
      'introspection: expected a whole number of tokens, "priced" or "exempt", got "free"',
    ],
    ['a number as a string', { minimumCost: '1' }, 'minimumCost: expected a whole number of 0 or more, got "1"'],
    ['options that are not an object', 'tokens', 'options: expected an object, got "tokens"'],
  ])('createCostAnalyzer rejects %s', (_, options, message) => {
    expect(() => createCostAnalyzer(schema, options as never)).toThrow(message);
  });

  it('createCostAnalyzer lists all mistakes in one error', () => {
    expect(() => createCostAnalyzer(undefined as never, { profil: 'ibm', minimumCost: -1 } as never)).toThrow(
      /^createCostAnalyzer: 3 mistakes in its options\n {2}schema: .*\n {2}profil: .*\n {2}minimumCost: .*$/,
    );
  });

  it.each([
    [
      'a missing schema',
      undefined,
      'schema: expected a GraphQLSchema, got undefined: pass the schema that your server runs',
    ],
    ['SDL', SDL, 'schema: expected a GraphQLSchema, got a string: pass makeExecutableSchema({ typeDefs, resolvers })'],
    ['a document', parse(SDL), 'got a parsed document: pass makeExecutableSchema'],
    [
      'type definitions and resolvers',
      { typeDefs: SDL, resolvers: {} },
      'got type definitions: pass makeExecutableSchema',
    ],
    ['a list of SDL', [SDL], 'got a list: pass makeExecutableSchema'],
    ['a Promise of a schema', Promise.resolve(schema), 'got a Promise: await it'],
    [
      'a schema of another copy of graphql',
      new (class GraphQLSchema {})(),
      'one of another copy of the package graphql',
    ],
    ['an object of another class', new Map(), 'got an object of the class Map: pass the schema'],
  ])('createCostAnalyzer rejects %s and names the value to pass instead', (_, given, message) => {
    expect(() => createCostAnalyzer(given as never)).toThrow(TypeError);
    expect(() => createCostAnalyzer(given as never)).toThrow(message);
  });
});

describe('createLimiter', () => {
  it.each([
    ['an unknown option', { redisUrl: 'redis://x' }, 'redisUrl: unknown option; did you mean redis?'],
    [
      'an unknown observer callback',
      { observer: { onFailed() {} } },
      'observer.onFailed: unknown option; did you mean failed?',
    ],
    ['a number as a string', { deadlineMs: '25' }, 'deadlineMs: expected a whole number from 1 to 60000, got "25"'],
    [
      'a URL with another scheme',
      { redis: 'http://x' },
      'redis: expected a URL such as redis://, rediss://, redis-cluster://a,b,c or redis-sentinel://a,b,c/name, got one that begins with http://',
    ],
    [
      'a URL without a scheme',
      { redis: '127.0.0.1:6379' },
      'redis-sentinel://a,b,c/name, got a string with another prefix',
    ],
    [
      'client options instead of a client',
      { redis: { host: 'x', port: 1 } },
      'got options of a client: pass new Redis({ ... }) of ioredis, or a URL',
    ],
    [
      'a client of the package redis',
      { redis: { isOpen: true, connect() {} } },
      'got a client of the package redis: pass its URL',
    ],
    [
      'a pool with another scheme',
      { redis: 'redis://x', pools: { reports: 'mysql://y' } },
      'pools.reports: expected a URL such as redis://',
    ],
    [
      'a URL with an unescaped "%"',
      { redis: 'redis://:50%@x' },
      'redis: expected the user and the password once, in front of the first host, and percent-encoded: ',
    ],
    ['null as options', null, 'options: expected an object, got null'],
  ])('createLimiter rejects %s', (_, options, message) => {
    expect(() => createLimiter(options as never)).toThrow(TypeError);
    expect(() => createLimiter(options as never)).toThrow(message);
  });

  it.each([
    'redis://ann:hunter2@x:y',
    'redis://ann:hun/ter2@x',
    'redis-cluster://ann:hunter2@a:1:2',
    'http://ann:hunter2@x',
  ])('createLimiter shows no part of the password of %s', (redis) => {
    expect(() => createLimiter({ redis })).toThrow(
      expect.objectContaining({ message: expect.not.stringMatching(/hun/) }),
    );
  });

  it('createLimiter lists all mistakes in one error', () => {
    const options = { redis: 'http://x', deadline: 25, instances: 0 };
    expect(() => createLimiter(options as never)).toThrow(
      /^createLimiter: 3 mistakes in its options\n {2}deadline: .*deadlineMs\?\n {2}redis: .*\n {2}instances: .*$/,
    );
  });
});
