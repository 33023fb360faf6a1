import { type Config, loadConfig } from '../config/config.js';
import { type RunningServer, startPlatform } from '../start-server.js';
import type { StartServerOptions } from '../start-server-options.js';
import { describeAddresses, describeSubscriptions } from './describe-addresses.js';
import { describeApis } from './describe-apis.js';
import { loadSample } from './load-sample.js';
import { sampleApi, sampleTraffic } from './sample-api.js';
import { untilStopped } from './until-stopped.js';

/**
 * Runs `tollgate start` until SIGTERM or SIGINT, and resolves to the exit status. A second signal
 * ends the process immediately.
 */
export async function startCommand(args: string[]): Promise<number> {
  const config = loadConfig({ args });
  return untilStopped(config, async (logger) => {
    const sample = config.demo ? await loadSample() : undefined;
    const traffic = sample && sampleTraffic(sample, logger);
    let apis: string[] = [];
    const withoutApi: StartServerOptions = {
      async prepare(tollgate) {
        apis = await describeApis(tollgate);
      },
    };
    const server = await startPlatform(
      { ...(sample ? sampleApi(sample, config) : withoutApi), config, logger },
      { demoTraffic: traffic },
    );
    traffic?.begin({ url: `${ownUrl(config, server)}/graphql`, tollgate: server.tollgate }, config.traffic);
    process.stdout.write(banner(config, server, apis));
    return {
      async stop() {
        await traffic?.end();
        await server.stop();
      },
    };
  });
}

/** Returns the URL at which this process reaches itself. */
function ownUrl({ host }: Config, { port }: RunningServer): string {
  const own: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '[::1]' };
  return `http://${own[host] ?? (host.includes(':') ? `[${host}]` : host)}:${port}`;
}

/** Returns the first output of the platform: mode, addresses, keys, and a command to paste. */
function banner(config: Config, server: RunningServer, apis: readonly string[]): string {
  const { url, lines } = describeAddresses(config, server);
  const mode = config.embedded
    ? `embedded: counters in memory, PostgreSQL in process under ${config.dataDir}`
    : `on Redis and PostgreSQL${config.demo ? ', with the sample API' : ''}`;
  const all = [`Tollgate is ready, ${mode}`, ''];
  if (config.demo) all.push(`  API      ${url}/graphql`, '  keys     demo-free, demo-pro (header x-api-key)');
  all.push(...apis);
  if (config.traffic)
    all.push(
      '  traffic  a few simulated callers, named demo-..., send operations; stop them with --no-traffic or in the console',
    );
  all.push(...lines);
  if (config.demo) {
    const query = '{ countries(first: 2) { name borders { name } } }';
    const headers = "-H 'content-type: application/json' -H 'x-api-key: demo-free'";
    all.push(
      '',
      'Try it:',
      '',
      `  curl -s ${url}/graphql ${headers} -d '{"query":"${query}"}'`,
      '',
      ...describeSubscriptions(url),
    );
  }
  return `${all.join('\n')}\n\n`;
}
