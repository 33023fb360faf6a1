import { loadGatewayConfig } from '../../config/gateway-config.js';
import { startGateway } from '../../start-gateway.js';
import type { RunningServer } from '../../start-server.js';
import { sampleApi } from '../sample-api.js';
import { untilStopped } from '../until-stopped.js';
import { serveSample } from './serve-sample.js';

/** `tollgate gateway`: runs until SIGTERM or SIGINT and resolves to the exit status. */
export async function gatewayCommand(args: string[]): Promise<number> {
  const { config, gateway } = loadGatewayConfig({ args });
  return untilStopped(config, async (logger) => {
    const { schema, context, ...policy } = sampleApi();
    const sample = gateway.upstream === undefined ? await serveSample(schema, context) : undefined;
    const upstream = gateway.upstream ?? sample!.url;
    try {
      const server = await startGateway({ ...(sample && policy), config, gateway: { ...gateway, upstream }, logger });
      process.stdout.write(banner({ config, upstream, observe: gateway.observe, server }));
      return {
        async stop() {
          await server.stop();
          await sample?.close();
        },
      };
    } catch (error) {
      await sample?.close();
      throw error;
    }
  });
}

interface Started {
  config: ReturnType<typeof loadGatewayConfig>['config'];
  upstream: string;
  observe: boolean;
  server: RunningServer;
}

function banner({ config, upstream, observe, server: { port, adminToken, consolePath } }: Started): string {
  const host = ['0.0.0.0', '::', '127.0.0.1'].includes(config.host) ? 'localhost' : config.host;
  const url = `http://${host}:${port}`;
  const { origin, pathname } = new URL(upstream);
  const lines = [
    `Tollgate is ready in front of ${origin}${pathname}${observe ? ': it observes, and denies nobody' : ''}`,
    '',
    `  API      ${url}/graphql`,
    `  console  ${url}${consolePath}`,
    `  admin    ${url}/admin/graphql`,
  ];
  if (config.adminToken === undefined) lines.push(`  token    ${adminToken} (header Authorization: Bearer)`);
  if (config.demo) lines.push('  keys     demo-free, demo-pro (header x-api-key)');
  lines.push(`  health   ${url}/healthz  ${url}/readyz`);
  const query = config.demo ? '{ countries(first: 20) { name borders { name } } }' : '{ __typename }';
  const key = config.demo ? " -H 'x-api-key: demo-free'" : '';
  lines.push('', 'Try it:', '');
  lines.push(`  curl -s ${url}/graphql -H 'content-type: application/json'${key} -d '{"query":"${query}"}'`);
  return `${lines.join('\n')}\n\n`;
}
