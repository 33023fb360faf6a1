import type { IncomingMessage, RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { createSecureApp } from '../../http/create-secure-app.js';
import { requestError } from '../../model/errors.js';
import { paceRequests } from './pace-requests.js';
import type { ServerMetrics } from './server-metrics.js';

/**
 * Clients that may read the metrics at an address: all that can connect, only processes on the same
 * machine, or none.
 */
export type MetricsAudience = 'EVERYBODY' | 'LOOPBACK' | 'NOBODY';

/**
 * Creates the handler of a separate port, which serves only `/metrics`. All clients that can
 * connect to the port may read the metrics.
 */
export function createMetricsApp(metrics: ServerMetrics): RequestListener {
  const app = createSecureApp();
  app.get('/metrics', serveMetrics(metrics, 'EVERYBODY'));
  app.use((request, response) => {
    if (request.path === '/metrics') {
      const message = `Expected GET at /metrics, got ${request.method}`;
      response
        .status(405)
        .setHeader('allow', 'GET, HEAD')
        .json({ errors: [{ message }] });
      return;
    }
    response.status(404).json({ errors: [{ message: `Not found: ${request.path}; expected /metrics` }] });
  });
  const pace = paceRequests();
  return (request, response) => pace(request, response, () => app(request, response));
}

/**
 * Serves the metrics. The metrics show names of rules and tiers, and the load. Remote clients may
 * therefore read them only if this is configured.
 */
export function serveMetrics(metrics: ServerMetrics, audience: 'EVERYBODY' | 'LOOPBACK'): RequestHandler {
  return async (request, response) => {
    if (audience === 'LOOPBACK' && !isFromThisMachine(request)) {
      throw requestError(
        'FORBIDDEN',
        'only processes on this machine may read /metrics here; set TOLLGATE_METRICS_PORT for others',
      );
    }
    response.type(metrics.contentType).send(await metrics.text());
  };
}

/** Headers that proxies add to the requests they forward. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/**
 * Returns whether a request comes from this machine: its connection comes from the loopback.
 * Headers can only show that a request is remote: a proxy on this machine adds them to forwarded
 * requests. Headers never show that a request is local, because any client can set them.
 */
export function isFromThisMachine({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const address = socket.remoteAddress?.split('%', 1)[0] ?? '';
  if (!ipaddr.isValid(address) || ipaddr.process(address).range() !== 'loopback') return false;
  return FORWARDED.every((name) => headers[name] === undefined);
}
