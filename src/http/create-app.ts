import type { ApolloServer, BaseContext, ContextFunction } from '@apollo/server';
import { type ExpressContextFunctionArgument, expressMiddleware } from '@as-integrations/express5';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Metrics } from '../metrics.js';

/** One GraphQL API at one path. */
export interface GraphqlEndpoint<Context extends BaseContext> {
  path: string;
  server: ApolloServer<Context>;
  context: ContextFunction<[ExpressContextFunctionArgument], Context>;
}

export interface AppOptions {
  // biome-ignore lint/suspicious/noExplicitAny: endpoints with different contexts stand in one list.
  endpoints: readonly GraphqlEndpoint<any>[];
  metrics: Metrics;
  /** Why the platform is not ready; undefined when it is. */
  notReadyBecause(): string | undefined;
  /** What is not as it should be, though requests are answered. */
  degradedBecause?(): string[];
  onError(error: unknown): void;
}

/** The largest request body, in bytes, after inflation. */
const MAX_BODY_BYTES = 100 * 1024;

/** Routes HTTP to the GraphQL APIs, health and metrics. */
export function createApp({
  endpoints,
  metrics,
  notReadyBecause,
  degradedBecause = () => [],
  onError,
}: AppOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');

  app.get('/healthz', (_request, response) => {
    response.json({ status: 'alive' });
  });
  app.get('/readyz', (_request, response) => {
    const reason = notReadyBecause();
    const degraded = degradedBecause();
    response.status(reason === undefined ? 200 : 503).json({
      status: reason === undefined ? 'ready' : 'not ready',
      ...(reason !== undefined && { reason }),
      ...(degraded.length > 0 && { degraded }),
    });
  });
  app.get('/metrics', async (_request, response) => {
    response.type(metrics.contentType).send(await metrics.text());
  });
  for (const { path, server, context } of endpoints) {
    app.use(path, express.json({ limit: MAX_BODY_BYTES }), expressMiddleware(server, { context }));
  }
  app.use((request, response) => {
    const paths = [...endpoints.map(({ path }) => path), '/healthz', '/readyz', '/metrics'].join(', ');
    response.status(404).json({ errors: [{ message: `Nothing is at ${request.path}; there are ${paths}` }] });
  });

  const answerErrors: ErrorRequestHandler = (error: unknown, _request, response, next) => {
    if (response.headersSent) return next(error);
    const status = statusOf(error);
    if (status >= 500) onError(error);
    // What a body parser says names the mistake; what anything else says is for the log alone.
    const message = status < 500 && error instanceof Error ? error.message : 'Internal server error';
    response
      .status(status)
      .json({ errors: [{ message, extensions: { code: status < 500 ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR' } }] });
  };
  app.use(answerErrors);
  return app;
}

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500;
}
