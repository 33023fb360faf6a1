import type { IncomingMessage } from 'node:http';
import { ApolloServer } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import { apolloOptions, landingPage } from '../http/apollo-options.js';
import { type GraphqlEndpoint, markPaid } from '../http/handle-graphql.js';
import type { PlatformTollgate } from '../tollgate/create-tollgate.js';
import type { ApiContext } from './api-context.js';
import type { Config } from './config/config.js';
import { knowCallers } from './know-callers.js';

interface ServedApi {
  schema: GraphQLSchema;
  /** What its resolvers are given of each request. */
  context(request: IncomingMessage): object | Promise<object>;
}

/**
 * An API behind the plugin, for callers whom the platform knows by key, token or address.
 *
 * @param page shown to a browser at its address; undefined: nothing
 */
export async function serveApi(
  { schema, context }: ServedApi,
  tollgate: PlatformTollgate<ApiContext>,
  config: Config,
  { page }: { page: string | undefined },
): Promise<GraphqlEndpoint<ApiContext>> {
  const { identify, reject } = knowCallers(tollgate, config);
  // Nothing comes over WebSockets here, so that a schema with subscriptions is nothing to warn of.
  tollgate.execution();
  const server = new ApolloServer<ApiContext>({
    schema,
    plugins: [tollgate.plugin({ onAnswered: markPaid }), ...landingPage(page)],
    documentStore: tollgate.documentStore,
    introspection: !config.production,
    ...apolloOptions({ ...config, persistedTexts: tollgate.persistedTexts }),
  });
  await server.start();
  return {
    path: '/graphql',
    server,
    maxBatchSize: config.maxBatchSize,
    corsOrigins: config.corsOrigins,
    reject,
    async context({ req, res }) {
      const gone = new AbortController();
      res.once('close', () => {
        if (!res.writableFinished) gone.abort();
      });
      const subject = await identify(req);
      return { ...(await context(req)), subject, clientGone: gone.signal };
    },
  };
}
