// The sample API in a process of its own, with recording or without. It answers each message with the processor time that it
// has used so far, and ends when its parent disconnects.
import { ApolloServer } from '@apollo/server';
import { createDemoSchema } from '../../src/demo/create-demo-schema.js';
import type { BenchContext } from '../http/protection.js';
import { serveApi } from '../http/serve-api.js';
import { tollgateOnPostgres } from '../http/tollgate.js';

const [redisUrl = '', postgresUrl = '', records = ''] = process.argv.slice(2);
const schema = createDemoSchema();
const protection = await tollgateOnPostgres(postgresUrl, records === 'true' ? {} : false)(schema, redisUrl);
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
