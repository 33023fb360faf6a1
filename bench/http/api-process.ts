// The sample API in a process of its own, behind one of the protections. It answers each message with the processor time that
// it has used so far, and ends when its parent disconnects.
import { ApolloServer } from '@apollo/server';
import { createDemoSchema } from '../../src/demo/create-demo-schema.js';
import type { ApiProtection } from './forked-api.js';
import { type BenchContext, type CreateProtection, unprotected } from './protection.js';
import { serveApi } from './serve-api.js';
import { tollgateInMemory, tollgateOnPostgres, tollgateOnRedis } from './tollgate.js';

const [protectedBy = '', redisUrl = '', postgresUrl = ''] = process.argv.slice(2);
const PROTECTIONS: Record<ApiProtection, CreateProtection> = {
  nothing: unprotected,
  memory: tollgateInMemory,
  Redis: tollgateOnRedis,
  'PostgreSQL, recording': tollgateOnPostgres(postgresUrl, {}),
  'PostgreSQL, not recording': tollgateOnPostgres(postgresUrl, false),
};

const schema = createDemoSchema();
const protection = await PROTECTIONS[protectedBy as ApiProtection](schema, redisUrl);
const server = new ApolloServer<BenchContext>({ schema, plugins: protection.plugins, logger: console });
await server.start();
const { url, stop } = await serveApi(server);

process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send?.(user + system);
});
process.once('disconnect', async () => {
  await stop();
  await server.stop();
  await protection.close();
});
process.send?.(url);
