import { ApolloServer } from '@apollo/server';
import { startStandaloneServer } from '@apollo/server/standalone';
import { createTollgate } from 'tollgate';
import { schema } from './schema.js';

// In a real server, read the keys from a store that contains only their hashes. Never read a user
// name from a header that callers can set: each new name would get a full bucket.
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
