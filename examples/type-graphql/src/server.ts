import 'reflect-metadata';
import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { createTollgate } from 'tollgate';
import { buildSchema } from 'type-graphql';
import { AlbumResolver } from './albums.js';

interface Context {
  address: string | undefined;
}

const schema = await buildSchema({ resolvers: [AlbumResolver], validate: false });
const tollgate = await createTollgate<Context>({
  schema,
  identify: ({ contextValue }) => ({ ip: contextValue.address }),
});
const server = new ApolloServer<Context>({
  schema,
  plugins: [tollgate.plugin()],
  documentStore: tollgate.documentStore,
});
const { url } = await startStandaloneServer(server, {
  listen: { port: Number(process.env.PORT ?? 4000) },
  context: async ({ req }) => ({ address: req.socket.remoteAddress }),
});
console.log(`Ready at ${url}`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await server.stop();
    await tollgate.close();
  });
}
