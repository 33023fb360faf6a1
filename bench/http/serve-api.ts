import type { ApolloServer } from '@apollo/server';
import { createDemoContext } from '../../packages/platform/src/create-demo-schema.js';
import type { AppOptions } from '../../src/server/http/create-app.js';
import { subjectOf } from '../decision/workload.js';
import type { BenchContext } from './protection.js';
import { serveEndpoint } from './serve-endpoint.js';

/**
 * Serves the sample API over HTTP with the platform's own middleware. The header `x-caller`
 * identifies the caller.
 */
export function serveApi(
  server: ApolloServer<BenchContext>,
  app: Pick<AppOptions, 'requestsPerTurn'> = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const context = async ({ req }: { req: { headers: Record<string, unknown> } }) => ({
    ...createDemoContext(),
    subject: subjectOf(Number(req.headers['x-caller'])),
  });
  return serveEndpoint({ path: '/graphql', server, context }, app);
}
