import { Registry } from 'prom-client';
import { type AppOptions, createApp } from '../../src/server/http/create-app.js';
import { listen } from '../../src/server/http/listen.js';
import { createServerMetrics } from '../../src/server/http/server-metrics.js';

/**
 * Serves one endpoint at `/graphql`, with the platform's own middleware, on a free loopback port.
 */
export async function serveEndpoint(
  endpoint: AppOptions['endpoints'][number],
  app: Pick<AppOptions, 'requestsPerTurn'> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const handler = createApp({
    ...app,
    endpoints: [endpoint],
    metrics: await createServerMetrics(new Registry()),
    notReadyBecause: () => undefined,
    onError: (error) => console.error(error),
  });
  const listening = await listen({ handler, host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${listening.port}/graphql`,
    async stop() {
      await listening.stop(1000);
    },
  };
}
