import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import { createTollgate } from 'tollgate';
import { schema } from './schema.js';

const tollgate = await createTollgate({
  schema,
  identify: ({ contextValue: { address } }) => ({ ip: address }),
  // A page of 20 books costs 20 tokens: the bucket allows ten pages, and five more each second.
  tiers: [{ name: 'visitors', capacity: 200, refillAmount: 100, refillPeriodMs: 1000, isDefault: true }],
});
const server = new ApolloServer({ schema, plugins: [tollgate.plugin()], documentStore: tollgate.documentStore });
await server.start();

const app = express();
const context = async ({ req }) => ({ address: req.ip });
app.use('/graphql', express.json({ limit: '100kb' }), expressMiddleware(server, { context }));
// Serves the page that `vite build` has built.
app.use(express.static(new URL('dist', import.meta.url).pathname));

const listener = app.listen(Number(process.env.PORT ?? 4000), () =>
  console.log(`Ready at http://localhost:${listener.address().port}/graphql`),
);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    listener.close();
    listener.closeAllConnections();
    await server.stop();
    await tollgate.close();
  });
}
