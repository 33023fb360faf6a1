import type { IncomingMessage, RequestListener } from 'node:http';
import type { RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';
import { createSecureApp } from '../../http/create-secure-app.js';
import { requestError } from '../../model/errors.js';
import { paceRequests } from './pace-requests.js';
import type { ServerMetrics } from './server-metrics.js';

/** Who may read the metrics at an address: all who reach it, processes of the same machine, or nobody. */
export type MetricsAudience = 'EVERYBODY' | 'LOOPBACK' | 'NOBODY';

/** Answers `/metrics`, and nothing else, on a port of its own: all who reach the port may read them. */
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
    response.status(404).json({ errors: [{ message: `Nothing is at ${request.path}; there is /metrics` }] });
  });
  const pace = paceRequests();
  return (request, response) => pace(request, response, () => app(request, response));
}

/** Metrics name rules and tiers, and say how much there is to do: they are not for strangers unless that was chosen. */
export function serveMetrics(metrics: ServerMetrics, audience: 'EVERYBODY' | 'LOOPBACK'): RequestHandler {
  return async (request, response) => {
    if (audience === 'LOOPBACK' && !isFromThisMachine(request)) {
      throw requestError(
        'FORBIDDEN',
        'expected a process of this machine; TOLLGATE_METRICS_PORT lets others read them',
      );
    }
    response.type(metrics.contentType).send(await metrics.text());
  };
}

/** What proxies add to the requests that they pass on. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'];

/**
 * The connection itself comes from the loopback: anyone can write a header, so that none makes a request one of this
 * machine. It only ever takes that away: what a proxy beside the platform passes on comes from elsewhere.
 */
export function isFromThisMachine({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  const address = socket.remoteAddress?.split('%', 1)[0] ?? '';
  if (!ipaddr.isValid(address) || ipaddr.process(address).range() !== 'loopback') return false;
  return FORWARDED.every((name) => headers[name] === undefined);
}
