import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { createTollgate } from 'tollgate';
import { schema } from './schema.js';

// Behind a router, every request has the router's address. So the router sends the user in a
// header. A secret that only the router and this server have proves that the router set the header.
const routerSecret = process.env.ROUTER_SECRET ?? 'for-the-example';

const tollgate = await createTollgate({
  schema,
  identify: ({ contextValue }) => contextValue,
});
const server = new ApolloServer({ schema, plugins: [tollgate.plugin()], documentStore: tollgate.documentStore });
const { url } = await startStandaloneServer(server, {
  listen: { port: Number(process.env.PORT ?? 4000) },
  context: async ({ req }) => {
    const user = req.headers['x-router-user'];
    if (user !== undefined && req.headers['x-router-secret'] === routerSecret) return { user };
    return { ip: req.socket.remoteAddress };
  },
});
console.log(`Ready at ${url}`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await server.stop();
    await tollgate.close();
  });
}
