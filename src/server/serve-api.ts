import type { IncomingMessage } from 'node:http';
import { ApolloServer } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import { apolloOptions, landingPage } from '../http/apollo-options.js';
import { type GraphqlEndpoint, handleGraphql, markPaid } from '../http/handle-graphql.js';
import type { Logger } from '../model/logger.js';
import type { PlatformTollgate } from '../tollgate/create-tollgate.js';
import type { ApiContext } from './api-context.js';
import type { Config } from './config/config.js';
import type { HandlerEndpoint } from './http/create-app.js';
import { knowCallers } from './know-callers.js';
import { serveEvents } from './serve-events.js';
import { serveSockets } from './serve-sockets.js';

interface ServedApi {
  schema: GraphQLSchema;
  /** Returns the context of a request for the resolvers. */
  context(request: IncomingMessage): object | Promise<object>;
}

/**
 * Serves an API behind the plugin, for callers that the platform identifies by key, token or
 * address.
 *
 * @param page shown to browsers at the address of the API; undefined for no page
 */
export async function serveApi(
  { schema, context }: ServedApi,
  tollgate: PlatformTollgate<ApiContext>,
  config: Config,
  { page, logger }: { page: string | undefined; logger: Logger },
): Promise<HandlerEndpoint & { stop(): Promise<void> }> {
  const { identify, reject } = knowCallers(tollgate, config);
  // This call only prevents the warning about schemas with subscriptions, which are served below.
  tollgate.execution();
  const server = new ApolloServer<ApiContext>({
    schema,
    plugins: [tollgate.plugin({ onAnswered: markPaid }), ...landingPage(page)],
    documentStore: tollgate.documentStore,
    introspection: !config.production,
    ...apolloOptions({ ...config, persistedTexts: tollgate.persistedTexts }),
  });
  await server.start();
  const endpoint: GraphqlEndpoint<ApiContext> = {
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
  const hasEvents = schema.getSubscriptionType() != null;
  const upgrade = hasEvents ? await serveSockets({ schema, tollgate, config, context, reject, logger }) : undefined;
  return {
    path: endpoint.path,
    corsOrigins: config.corsOrigins,
    reject,
    ...(upgrade && { upgrade }),
    handle(onAnswer) {
      const others = handleGraphql(endpoint, onAnswer);
      if (!hasEvents) return others;
      return serveEvents({ schema, tollgate, config, context: endpoint.context, others }, onAnswer);
    },
    stop: () => server.stop(),
  };
}
