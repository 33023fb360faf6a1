import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { createTollgate } from 'tollgate';
import { schema } from './schema.js';

// Yours come from where you keep them, hashed. Never take a caller's word for who they are: a name in a header that anybody
// can write is a fresh bucket for each name.
const customers = new Map([
  ['key-of-ann', 'ann'],
  ['key-of-bob', 'bob'],
]);

const tollgate = await createTollgate({
  schema,
  identify: ({ contextValue: { customer, address } }) => (customer ? { user: customer } : { ip: address }),
});
const server = new ApolloServer({ schema, plugins: [tollgate.plugin()], documentStore: tollgate.documentStore });
const { url } = await startStandaloneServer(server, {
  listen: { port: Number(process.env.PORT ?? 4000) },
  context: async ({ req }) => ({
    customer: customers.get(req.headers['x-api-key']),
    address: req.socket.remoteAddress,
  }),
});
console.log(`Ready at ${url}`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await server.stop();
    await tollgate.close();
  });
}
