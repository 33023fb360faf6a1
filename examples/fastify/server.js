import { ApolloServer } from '@apollo/server';
import fastifyApollo, { fastifyApolloDrainPlugin } from '@as-integrations/fastify';
import Fastify from 'fastify';
import { createTollgate } from 'tollgate';
import { schema } from './schema.js';

// Behind a proxy, set `trustProxy`: otherwise `request.ip` is the address of the proxy.
const app = Fastify({ bodyLimit: 100_000 });

// Replace this hook with your own authentication, such as sessions or verified tokens.
app.decorateRequest('user', undefined);
app.addHook('onRequest', async (request) => {
  const token = request.headers.authorization?.replace(/^Bearer /, '');
  request.user = { 'session-of-ann': 'ann', 'session-of-bob': 'bob' }[token];
});

const tollgate = await createTollgate({
  schema,
  identify: ({ contextValue: { user, address } }) => (user ? { user } : { ip: address }),
  tiers: [{ name: 'standard', capacity: 2000, refillAmount: 100, refillPeriodMs: 1000, isDefault: true }],
  rules: [
    {
      name: 'departures-per-user',
      scope: 'USER',
      field: 'Query.departures',
      measure: 'CALLS',
      limits: [{ algorithm: 'SLIDING_WINDOW_COUNTER', amount: 60, windowMs: 60_000 }],
    },
  ],
});
const server = new ApolloServer({
  schema,
  plugins: [tollgate.plugin(), fastifyApolloDrainPlugin(app)],
  documentStore: tollgate.documentStore,
});
await server.start();
await app.register(fastifyApollo(server), { context: async ({ user, ip }) => ({ user, address: ip }) });

await app.listen({ port: Number(process.env.PORT ?? 4000) });
console.log(`Ready at http://localhost:${app.server.address().port}/graphql`);

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await app.close();
    await tollgate.close();
  });
}
