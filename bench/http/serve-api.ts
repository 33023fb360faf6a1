import type { ApolloServer } from '@apollo/server';
import { Registry } from 'prom-client';
import { createDemoContext } from '../../src/demo/create-demo-schema.js';
import { type AppOptions, createApp } from '../../src/server/http/create-app.js';
import { listen } from '../../src/server/http/listen.js';
import { createServerMetrics } from '../../src/server/server-metrics.js';
import { subjectOf } from '../decision/workload.js';
import type { BenchContext } from './protection.js';

/** Serves the sample API over HTTP with the platform's own middleware, to whom `x-caller` says. */
export async function serveApi(
  server: ApolloServer<BenchContext>,
  app: Pick<AppOptions, 'requestsPerTurn'> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const handler = createApp({
    ...app,
    endpoints: [
      {
        path: '/graphql',
        server,
        context: async ({ req }) => ({
          ...createDemoContext(),
          subject: subjectOf(Number(req.headers['x-caller'])),
        }),
      },
    ],
    metrics: createServerMetrics(new Registry()),
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
