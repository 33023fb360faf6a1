import { fileURLToPath } from 'node:url';
import type { GraphQLSchema } from 'graphql';
import { useTollgate } from '../../../src/yoga/use-tollgate.js';
import type { YogaPlugin } from '../../../src/yoga/yoga-plugin.js';
import { describeAdapter, type OpenedAdapter } from '../../adapters/contract.js';

interface NestApp {
  openNest(options: { schema: GraphQLSchema; protect(): Promise<YogaPlugin> }): Promise<OpenedAdapter>;
}

describeAdapter('NestJS with the driver of Yoga', async ({ tollgate, schema }) => {
  const { openNest } = (await import(fileURLToPath(new URL('nest-app.mjs', import.meta.url)))) as NestApp;
  return openNest({ schema, protect: async () => useTollgate(tollgate) });
});
