import 'reflect-metadata';
import { YogaDriver } from '@graphql-yoga/nestjs';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';

/**
 * Opens an application of Nest whose generated schema is replaced by the given schema.
 * @param protect makes the plugin for the schema that is served
 */
export async function openNest({ schema, protect }) {
  let hooks;
  const graphql = GraphQLModule.forRoot({
    driver: YogaDriver,
    typeDefs: 'type Query { unused: Int }',
    async transformSchema() {
      hooks = await protect(schema);
      return schema;
    },
    plugins: [{ onPluginInit: ({ addPlugin }) => addPlugin(hooks) }],
    subscriptions: { 'graphql-ws': true },
    logging: false,
  });
  // Plain JavaScript has no decorators, so `Module` is called as a function.
  class AppModule {}
  Module({ imports: [graphql] })(AppModule);
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.init();
  return {
    listener: app.getHttpAdapter().getInstance(),
    /** Listens on a port: WebSockets need the server of the application. */
    async listen() {
      await app.listen(0, '127.0.0.1');
      return `ws://127.0.0.1:${app.getHttpServer().address().port}/graphql`;
    },
    close: () => app.close(),
  };
}
