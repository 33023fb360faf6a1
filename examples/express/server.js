import { ApolloServer } from '@apollo/server';
import { expressMiddleware } from '@as-integrations/express5';
import express from 'express';
import { createTollgate } from 'tollgate';
import { schema } from './schema.js';

// Replace this with your own authentication, such as sessions, Passport or verified tokens.
function authenticate(req, _res, next) {
  req.user = { 'session-of-ann': 'ann', 'session-of-bob': 'bob' }[req.get('authorization')?.replace(/^Bearer /, '')];
  next();
}

const tollgate = await createTollgate({
  schema,
  identify: ({ contextValue: { user, address } }) => (user ? { user } : { ip: address }),
  tiers: [{ name: 'standard', capacity: 2000, refillAmount: 100, refillPeriodMs: 1000, isDefault: true }],
  rules: [
    {
      name: 'search-per-user',
      scope: 'USER',
      field: 'Query.search',
      measure: 'CALLS',
      limits: [{ algorithm: 'SLIDING_WINDOW_COUNTER', amount: 20, windowMs: 60_000 }],
    },
  ],
});
const server = new ApolloServer({ schema, plugins: [tollgate.plugin()], documentStore: tollgate.documentStore });
await server.start();

const app = express();
// Behind a proxy, call `app.set('trust proxy', ...)`. Otherwise `req.ip` is the address of the
// proxy.
const context = async ({ req }) => ({ user: req.user, address: req.ip });
app.use('/graphql', authenticate, express.json({ limit: '100kb' }), expressMiddleware(server, { context }));

const listener = app.listen(Number(process.env.PORT ?? 4000), () =>
  console.log(`Ready at http://localhost:${listener.address().port}/graphql`),
);
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    listener.close();
    await server.stop();
    await tollgate.close();
  });
}
