import type { AddressInfo } from 'node:net';
import fastify from 'fastify';
import mercurius, { type MercuriusOptions } from 'mercurius';
import { protectMercurius } from '../../src/mercurius/protect-mercurius.js';
import { serveSockets } from '../graphql-ws/socket-api.js';

type Options = Omit<Parameters<typeof serveSockets>[0] & object, 'serve'>;

/** Serves the schema with Mercurius. `hook` is a hook of the app, which runs after those of Tollgate. */
export function serveMercurius(options: Options = {}, ofMercurius: MercuriusOptions = {}, hook?: () => Promise<void>) {
  return serveSockets({
    ...options,
    async serve({ schema, tollgate, sockets }) {
      const app = fastify({ forceCloseConnections: true });
      app.register(mercurius, { schema, subscription: true, ...ofMercurius });
      app.register(protectMercurius, { tollgate, ...(sockets && { webSockets: sockets }) });
      app.after(() => {
        if (hook) app.graphql.addHook('preSubscriptionExecution', hook);
      });
      await app.listen({ port: 0, host: '127.0.0.1' });
      return {
        port: (app.server.address() as AddressInfo).port,
        async close() {
          await app.close();
        },
      };
    },
  });
}
