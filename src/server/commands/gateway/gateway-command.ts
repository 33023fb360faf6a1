import { loadGatewayConfig } from '../../config/load-gateway-config.js';
import { startGateway } from '../../start-gateway.js';
import type { RunningServer } from '../../start-server.js';
import { describeAddresses, describeSubscriptions } from '../describe-addresses.js';
import { loadSample } from '../load-sample.js';
import { sampleApi } from '../sample-api.js';
import { untilStopped } from '../until-stopped.js';
import { writeUpstreamCosts } from './write-upstream-costs.js';

/** Members of `connectionParams` that identify a caller of the sample API. */
const SAMPLE_CREDENTIALS = [{ path: ['x-api-key'], header: 'x-api-key' }] as const;

/**
 * Runs `tollgate gateway` until SIGTERM or SIGINT. With `--write-costs`, only writes a file of
 * prices. Resolves to the exit status.
 */
export async function gatewayCommand(args: string[]): Promise<number> {
  const { config, gateway, writeCosts } = loadGatewayConfig({ args });
  if (writeCosts !== undefined) {
    const sample = gateway.upstream === undefined ? await openSample() : undefined;
    const upstream = gateway.upstream ?? sample!.url;
    try {
      const written = await writeUpstreamCosts({ config, gateway: { ...gateway, upstream }, file: writeCosts });
      process.stdout.write(`${written}\n`);
      return 0;
    } finally {
      await sample?.close();
    }
  }
  return untilStopped(config, async (logger) => {
    const sample = gateway.upstream === undefined ? await openSample() : undefined;
    const upstream = gateway.upstream ?? sample!.url;
    try {
      const socketCredentials = sample ? SAMPLE_CREDENTIALS : gateway.socketCredentials;
      const server = await startGateway({
        ...sample?.policy,
        config,
        gateway: { ...gateway, upstream, ...(socketCredentials && { socketCredentials }) },
        logger,
      });
      process.stdout.write(banner({ config, upstream, observe: gateway.observe, server }));
      return {
        readAgain: () => void server.refreshSchema('SIGHUP'),
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

/**
 * Serves the sample API as the upstream. Also returns its tiers, rules and callers, which the
 * gateway needs.
 */
async function openSample() {
  const { schema, context, ...policy } = sampleApi(await loadSample());
  // Only the sample API needs the package graphql-ws.
  const { serveSample } = await import('./serve-sample.js');
  return { ...(await serveSample(schema, context)), policy };
}

interface Started {
  config: ReturnType<typeof loadGatewayConfig>['config'];
  upstream: string;
  observe: boolean;
  server: RunningServer;
}

function banner({ config, upstream, observe, server }: Started): string {
  const { url, lines } = describeAddresses(config, server);
  const { origin, pathname } = new URL(upstream);
  const all = [
    `Tollgate is ready in front of ${origin}${pathname}${observe ? ' in observe mode: no operation is denied' : ''}`,
    '',
    `  API      ${url}/graphql`,
  ];
  if (config.demo) all.push('  keys     demo-free, demo-pro (header x-api-key)');
  all.push(...lines);
  const query = config.demo ? '{ countries(first: 2) { name borders { name } } }' : '{ __typename }';
  const key = config.demo ? " -H 'x-api-key: demo-free'" : '';
  all.push('', 'Try it:', '');
  all.push(`  curl -s ${url}/graphql -H 'content-type: application/json'${key} -d '{"query":"${query}"}'`);
  if (config.demo) all.push('', ...describeSubscriptions(url));
  return `${all.join('\n')}\n\n`;
}
