import type { RequestListener } from 'node:http';
import { fileURLToPath } from 'node:url';
import { printSchema } from 'graphql';
import { useTollgate } from '../../../src/yoga/use-tollgate.js';
import type { YogaPlugin } from '../../../src/yoga/yoga-plugin.js';
import { describeAdapter } from '../../adapters/contract.js';
import { RUN_IN_UPSTREAM, serveExecutor } from '../../adapters/serve.js';

interface Hive {
  openHive(options: { endpoint: string; sdl: string; plugins: YogaPlugin[] }): {
    listener: RequestListener;
    close(): Promise<unknown>;
  };
}

describeAdapter(
  'Hive Gateway',
  async ({ tollgate, schema }) => {
    const { openHive } = (await import(fileURLToPath(new URL('hive.mjs', import.meta.url)))) as Hive;
    const executor = await serveExecutor(schema);
    const hive = openHive({
      endpoint: `${executor.url}/graphql`,
      sdl: printSchema(schema),
      plugins: [useTollgate(tollgate)],
    });
    return {
      listener: hive.listener,
      async close() {
        await hive.close();
        await executor.close();
      },
    };
  },
  {
    lacks: {
      resolvers: RUN_IN_UPSTREAM,
      prepared: 'Hive Gateway has validation rules of its own, and applies them once to each document',
    },
  },
);
