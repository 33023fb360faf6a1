import { ApolloServer } from '@apollo/server';
import type { UsageOptions } from '../../src/index.js';
import { createDemoSchema } from '../../test/helpers/demo-schema.js';
import { startPostgresServer } from '../../test/helpers/servers.js';
import type { Variant } from '../frame/bench.js';
import { startLoadGenerator } from '../http/load.js';
import type { OperationName } from '../http/operations.js';
import type { BenchContext } from '../http/protection.js';
import { serveApi } from '../http/serve-api.js';
import { tollgateOnPostgres } from '../http/tollgate.js';

const IN_FLIGHT = 64;
/**
 * Pause after a turn. The usage of the turn is stored during the pause, and not during the next
 * turn.
 */
const PAUSE_MS = 1_200;

export const METRICS = [{ name: 'server CPU us', better: 'lower' }] as const;

/** Measures the processor time of a request over HTTP, including the later storing of its usage. */
export function measureRecording(usage: UsageOptions | false): Variant {
  return async ({ redisUrl, warmUpMs }) => {
    const postgres = await startPostgresServer();
    const schema = createDemoSchema();
    const protection = await tollgateOnPostgres(postgres.url, usage)(schema, redisUrl);
    const server = new ApolloServer<BenchContext>({ schema, plugins: protection.plugins, logger: console });
    await server.start();
    const { url, stop } = await serveApi(server);
    const generator = startLoadGenerator();
    const load = (operation: OperationName) => async (durationMs: number) => {
      const before = process.cpuUsage();
      const { requests } = await generator.run({ url, operation, connections: IN_FLIGHT, callers: 1000, durationMs });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      const { user, system } = process.cpuUsage(before);
      return { 'server CPU us': (user + system) / requests };
    };
    return {
      // V8 needs some ten thousand requests to compile the HTTP path.
      warmUpMs: 20 * warmUpMs,
      run: { 'HTTP, typical': load('typical'), 'HTTP, small': load('small') },
      async close() {
        generator.stop();
        await stop();
        await server.stop();
        await protection.close();
        await postgres.stop();
      },
    };
  };
}
