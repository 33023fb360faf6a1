import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { graphql, printSchema } from 'graphql';
import { useTollgate } from '../../../src/yoga/use-tollgate.js';
import type { YogaPlugin } from '../../../src/yoga/yoga-plugin.js';
import { describeAdapter, type OpenedAdapter } from '../../adapters/contract.js';

interface Hive {
  openHive(options: { endpoint: string; sdl: string; plugins: YogaPlugin[] }): Required<OpenedAdapter>;
}

describeAdapter(
  'Hive Gateway',
  async ({ tollgate, schema }) => {
    const { openHive } = (await import(fileURLToPath(new URL('hive.mjs', import.meta.url)))) as Hive;
    const server = createServer(async (req, res) => {
      let text = '';
      for await (const chunk of req) text += chunk;
      const { query, operationName, variables } = JSON.parse(text);
      const answer = await graphql({ schema, source: query, operationName, variableValues: variables });
      res.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
    const hive = openHive({ endpoint, sdl: printSchema(schema), plugins: [useTollgate(tollgate)] });
    return {
      listener: hive.listener,
      async close() {
        await hive.close();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  },
  { resolversElsewhere: true },
);
