// Serves subscriptions without events, for a test that kills this process.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { useServer } from 'graphql-ws/use/ws';
import { WebSocketServer } from 'ws';
import { createTollgate } from '../../src/index.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { Channel } from './channel.js';

const { REDIS_URL = '', RULES = '[]', CALLER = '' } = process.env;
const schema = makeExecutableSchema({
  typeDefs: 'type Query { a: Int } type Subscription { ticks: Int }',
  resolvers: { Subscription: { ticks: { subscribe: () => new Channel().subscribe() } } },
});
const tollgate = await createTollgate<object>({
  schema,
  redis: REDIS_URL,
  deadlineMs: PATIENT_MS,
  rules: JSON.parse(RULES),
  identify: () => ({ user: CALLER, ip: '192.0.2.1' }),
});
const server = createServer();
const { verifyClient, options } = tollgate.webSockets({ schema });
useServer(options as Parameters<typeof useServer>[0], new WebSocketServer({ server, verifyClient }));
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`listening on ${(server.address() as AddressInfo).port}\n`);
});
