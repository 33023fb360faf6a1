import type { BaseContext } from '@apollo/server';
import express, { type Express, type RequestHandler } from 'express';
import type { ServerMetrics } from '../server-metrics.js';
import { ADMIN_PATHS, type AdminDoor } from './admin-door.js';
import { cors } from './cors.js';
import { answerErrors, answerFailures, type GraphqlEndpoint, handleGraphql } from './graphql-handler.js';
import { HttpError } from './http-error.js';
import { paceRequests } from './pace-requests.js';
import type { Download } from './usage-download.js';

export interface AppOptions {
  // biome-ignore lint/suspicious/noExplicitAny: endpoints with different contexts stand in one list.
  endpoints: readonly GraphqlEndpoint<any>[];
  /** What is fetched with GET besides. */
  downloads?: readonly Download[];
  /** What is answered with streams: each path before that of the API it is under. */
  streams?: readonly StreamRoute[];
  /** Where the administrators' credentials are looked at. Needed where any path is below `/admin`. */
  adminDoor?: Pick<AdminDoor, 'handler'>;
  metrics: ServerMetrics;
  /** Why the platform is not ready; undefined when it is. */
  notReadyBecause(): string | undefined;
  /** What is not as it should be, though requests are answered. */
  degradedBecause?(): string[];
  onError(error: unknown): void;
  /** The largest request body, in bytes, after inflation. @default 102400 */
  maxBodyBytes?: number;
  /** Of requests that arrive at once, how many are begun in one turn of the event loop; see `paceRequests`. @default 8 */
  requestsPerTurn?: number;
}

/** What is answered with streams, and the fee of a request for it that cannot even be read. */
export interface StreamRoute extends Pick<GraphqlEndpoint<BaseContext>, 'chargeFee'> {
  path: string;
  handler: RequestHandler;
}

/** Routes HTTP to the GraphQL APIs, health and metrics. */
export function createApp(options: AppOptions): Express {
  const {
    endpoints,
    downloads = [],
    streams = [],
    adminDoor,
    metrics,
    notReadyBecause,
    degradedBecause = () => [],
    onError,
    maxBodyBytes = 100 * 1024,
    requestsPerTurn,
  } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((_request, response, next) => {
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    response.setHeader('referrer-policy', 'no-referrer');
    next();
  });

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
  app.use(paceRequests(requestsPerTurn));
  const paths = [...endpoints, ...streams, ...downloads].map(({ path }) => path);
  if (adminDoor) app.use(ADMIN_PATHS, adminDoor.handler);
  else if (paths.some((path) => path.startsWith(ADMIN_PATHS))) {
    throw new TypeError(`adminDoor: expected one, as ${paths.join(', ')} are served`);
  }
  for (const { path, handler, ...fee } of streams) {
    const onAnswer = (status: number) => metrics.countAnswer(path, status);
    app.use(path, checkRequest, express.json({ limit: maxBodyBytes }), handler, answerErrors(fee, onAnswer, onError));
  }
  for (const endpoint of endpoints) {
    const { path, corsOrigins = [] } = endpoint;
    const onAnswer = (status: number) => metrics.countAnswer(path, status);
    app.use(
      path,
      cors(corsOrigins),
      checkRequest,
      express.json({ limit: maxBodyBytes }),
      handleGraphql(endpoint, onAnswer),
      answerErrors(endpoint, onAnswer, onError),
    );
  }
  for (const { path, handler } of downloads) app.get(path, handler);
  app.use((request, response) => {
    const all = [...paths, '/healthz', '/readyz', '/metrics'].join(', ');
    response.status(404).json({ errors: [{ message: `Nothing is at ${request.path}; there are ${all}` }] });
  });
  app.use(answerFailures(onError));
  return app;
}

/**
 * Lets through what can be a GraphQL request, before a byte of its body is read: POST with JSON, and GET. Forms and plain
 * text are what other sites can make a browser send unasked.
 */
export const checkRequest: RequestHandler = (request, _response, next) => {
  const { method } = request;
  if (method === 'GET') return next();
  if (method !== 'POST') {
    throw new HttpError('METHOD_NOT_ALLOWED', `expected POST, or GET for a query, got ${method}`, {
      allow: 'GET, POST',
    });
  }
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw new HttpError('UNSUPPORTED_MEDIA_TYPE', `expected application/json, got ${mediaType ?? 'none'}`);
  }
  next();
};
