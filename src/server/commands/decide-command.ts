import { loadDecideConfig } from '../config/load-gateway-config.js';
import { type RunningDecider, startDecider } from '../start-decider.js';
import { startPlatform } from '../start-server.js';
import { describeAddresses } from './describe-addresses.js';
import { loadSample } from './load-sample.js';
import { sampleApi } from './sample-api.js';
import { untilStopped } from './until-stopped.js';

/** Runs `tollgate decide` until SIGTERM or SIGINT, and resolves to the exit status. */
export async function decideCommand(args: string[]): Promise<number> {
  const loaded = loadDecideConfig({ args });
  return untilStopped(loaded.config, async (logger) => {
    const server = loaded.config.demo ? await startSample(loaded, logger) : await startDecider({ ...loaded, logger });
    process.stdout.write(banner(loaded.config, server));
    return { readAgain: () => void server.refreshSchema?.('SIGHUP'), stop: server.stop };
  });
}

/** Decides about operations of the sample API, without serving it. */
async function startSample(
  { config }: ReturnType<typeof loadDecideConfig>,
  logger: Parameters<typeof startDecider>[0]['logger'],
): Promise<RunningDecider> {
  const { schema, context: _context, ...policy } = sampleApi(await loadSample());
  const schemaSource = { address: 'the sample API', refresh: async () => ({ problems: [], warnings: [] }) };
  return startPlatform(
    { ...policy, config, logger },
    { remoteApi: { schema, schemaSource, open: async () => undefined } },
  );
}

function banner(config: ReturnType<typeof loadDecideConfig>['config'], server: RunningDecider): string {
  const { lines } = describeAddresses(config, server);
  const all = ['Tollgate is ready to decide', ''];
  if (config.demo) all.push('  keys     demo-free, demo-pro (header x-api-key)');
  all.push(...lines);
  return `${all.join('\n')}\n\n`;
}
