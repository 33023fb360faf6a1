import type { RequestListener } from 'node:http';
import express, { type RequestHandler } from 'express';
import { checkRequest } from '../../http/check-request.js';
import { createSecureApp } from '../../http/create-secure-app.js';
import { type GraphqlEndpoint, handleGraphql } from '../../http/handle-graphql.js';
import { answerErrors, answerFailures } from '../../http/reject-request.js';
import { cors } from './cors.js';
import { type MetricsAudience, serveMetrics } from './create-metrics-app.js';
import type { UpgradeHandler } from './listen.js';
import { paceRequests } from './pace-requests.js';
import { createRunningRequests, type RunningRequests } from './running-requests.js';
import type { ServerMetrics } from './server-metrics.js';

export interface AppOptions {
  // biome-ignore lint/suspicious/noExplicitAny: one list contains endpoints with different contexts.
  endpoints: readonly (GraphqlEndpoint<any> | HandlerEndpoint)[];
  /** Handlers, each for all paths below one path. */
  mounts?: readonly Mount[];
  /** Path to which browsers are redirected from `/`. @default none: the response for `/` is 404 */
  home?: string;
  metrics: ServerMetrics;
  /** Clients that may read the metrics here. @default 'LOOPBACK' */
  metricsFor?: MetricsAudience;
  /** Returns the reason why the platform is not ready; undefined if it is ready. */
  notReadyBecause(): string | undefined;
  /** Returns messages about problems that do not prevent responses to requests. */
  degradedBecause?(): string[];
  onError(error: unknown): void;
  /** Maximum size of a request body in bytes, after inflation. @default 102400 */
  maxBodyBytes?: number;
  /** Counter of the running requests of the endpoints. @default a new one */
  running?: RunningRequests;
  /**
   * Maximum number of requests begun in one turn of the event loop: `perTurn` of `paceRequests`.
   * @default 8
   */
  requestsPerTurn?: number;
}

/** An API with a handler of its own, in addition to Apollo Server or instead of it. */
export interface HandlerEndpoint extends Pick<GraphqlEndpoint<object>, 'path' | 'reject' | 'corsOrigins'> {
  handle(onAnswer: (status: number) => void): RequestHandler;
  /** Returns the handler of upgrade requests. @default the endpoint accepts no WebSockets */
  upgrade?(onAnswer: (status: number) => void): UpgradeHandler;
  /** Receives the bytes of each body before it is parsed. */
  verifyBody?: NonNullable<Parameters<typeof express.json>[0]>['verify'];
}

interface Mount {
  path: string;
  handler: RequestListener;
  /** Paths below the path. The 404 response for an unknown path lists them. */
  paths: readonly string[];
}

/** Routes HTTP requests to the GraphQL APIs, health and metrics. */
export function createApp(options: AppOptions): RequestListener {
  const {
    endpoints,
    mounts = [],
    home,
    metrics,
    metricsFor = 'LOOPBACK',
    notReadyBecause,
    degradedBecause = () => [],
    onError,
    maxBodyBytes = 100 * 1024,
    requestsPerTurn,
    running = createRunningRequests(),
  } = options;
  const app = createSecureApp();

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
  if (metricsFor !== 'NOBODY') app.get('/metrics', serveMetrics(metrics, metricsFor));
  // Browsers are redirected. Other clients get a 404 with the list of paths.
  if (home !== undefined) {
    app.get('/', (request, response, next) =>
      request.url === '/' && request.headers.accept?.includes('text/html') ? response.redirect(302, home) : next(),
    );
  }
  for (const { path, handler } of mounts) app.use(path, (request, response) => handler(request, response));
  for (const endpoint of endpoints) {
    const { path, corsOrigins = [] } = endpoint;
    const onAnswer = (status: number) => metrics.countAnswer(path, status);
    app.use(
      path,
      cors(corsOrigins),
      checkRequest,
      express.json({
        limit: maxBodyBytes,
        ...('verifyBody' in endpoint && endpoint.verifyBody && { verify: endpoint.verifyBody }),
      }),
      running.count('handle' in endpoint ? endpoint.handle(onAnswer) : handleGraphql(endpoint, onAnswer)),
      running.countErrors(answerErrors(endpoint.reject, onAnswer, onError)),
    );
  }
  app.use((request, response) => {
    const below = mounts.flatMap(({ path, paths }) => paths.map((one) => path + one));
    const ours = ['/healthz', '/readyz', ...(metricsFor === 'NOBODY' ? [] : ['/metrics'])];
    if (metricsFor === 'NOBODY' && request.path === '/metrics') {
      const message = 'Not found: /metrics has a separate port, TOLLGATE_METRICS_PORT';
      response.status(404).json({ errors: [{ message }] });
      return;
    }
    const all = [...endpoints.map(({ path }) => path), ...below, ...ours].join(', ');
    response.status(404).json({ errors: [{ message: `Not found: ${request.path}; expected one of ${all}` }] });
  });
  app.use(answerFailures(onError));

  // Pace requests before Express, which would create a dozen objects for each waiting request.
  const pace = paceRequests({ perTurn: requestsPerTurn });
  // A flood of API requests must not delay the probes of an orchestrator. Otherwise the
  // orchestrator would kill the process.
  const paceProbes = paceRequests();
  return (request, response) => {
    const isProbe = request.url === '/healthz' || request.url === '/readyz';
    (isProbe ? paceProbes : pace)(request, response, () => app(request, response));
  };
}
