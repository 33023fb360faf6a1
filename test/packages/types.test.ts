import { ApolloServer, type ApolloServerPlugin } from '@apollo/server';
import type { Cluster, Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import { describe, expectTypeOf, it } from 'vitest';
import type { LimiterOptions, MetricsRegistry, RedisClient, Tollgate, TollgateOptions } from '../../src/index.js';

interface Context {
  user: string;
}

// The declarations of Tollgate contain separate types for values of other packages, so that they
// compile without these packages. `npm run check` compiles this file, which checks that the types
// are compatible.
describe('types shared with other packages', () => {
  it('a Redis and a Cluster of ioredis are Redis clients', () => {
    expectTypeOf<Redis>().toExtend<RedisClient>();
    expectTypeOf<Cluster>().toExtend<RedisClient>();
    expectTypeOf<Redis>().toExtend<NonNullable<TollgateOptions['redis']>>();
    expectTypeOf<Cluster>().toExtend<NonNullable<LimiterOptions['redis']>>();
    expectTypeOf<object>().not.toExtend<RedisClient>();
  });

  it('a registry of prom-client is a metrics registry', () => {
    expectTypeOf<Registry>().toExtend<MetricsRegistry>();
    expectTypeOf<object>().not.toExtend<MetricsRegistry>();
  });

  it('the plugin has the type of an Apollo Server plugin with the context of its server', () => {
    expectTypeOf<ReturnType<Tollgate['plugin']>>().toExtend<ApolloServerPlugin<Context>>();
    expectTypeOf<ReturnType<Tollgate<Context>['plugin']>>().toExtend<ApolloServerPlugin<Context>>();
    expectTypeOf<ReturnType<Tollgate<Context>['plugin']>>().not.toExtend<ApolloServerPlugin<object>>();
    const inList = (tollgate: Tollgate<Context>) =>
      new ApolloServer<Context>({ typeDefs: 'type Query { a: Int }', plugins: [tollgate.plugin()] });
    expectTypeOf(inList).returns.toEqualTypeOf<ApolloServer<Context>>();
  });
});
