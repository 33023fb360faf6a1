import 'reflect-metadata';
import { ApolloDriver, type ApolloDriverConfig } from '@nestjs/apollo';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GraphQLModule } from '@nestjs/graphql';
import { protectNest } from 'tollgate/nest';
import { TrackResolver } from './tracks.js';

interface Context {
  req: { ip?: string };
}

const options = protectNest<ApolloDriverConfig, Context>(
  { driver: ApolloDriver, autoSchemaFile: true, subscriptions: { 'graphql-ws': true } },
  // Identify callers by what a guard or a middleware has verified. This example uses their address.
  { identify: ({ contextValue: { req } }) => ({ ip: req.ip }) },
);

@Module({
  imports: [GraphQLModule.forRoot<ApolloDriverConfig>(options)],
  providers: [TrackResolver],
})
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: ['error', 'warn'] });
await app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1');
console.log(`Ready at ${await app.getUrl()}/graphql`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  // Tollgate closes with the server of Apollo.
  process.once(signal, () => app.close());
}
