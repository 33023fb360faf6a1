import { existsSync } from 'node:fs';
import { createCostAnalyzer } from '../../../cost/create-cost-analyzer.js';
import type { GatewaySettings } from '../../../gateway/gateway-settings.js';
import { createUpstream } from '../../../gateway/upstream/upstream.js';
import { createPlainLog } from '../../../observability/create-plain-log.js';
import { StartError } from '../../../runtime/start-error.js';
import type { Config } from '../../config/config.js';
import { openPricedUpstream } from '../../open-priced-upstream.js';
import { adviceOnArguments, adviceOnGroups, withoutKeys, writeComments } from '../cost/write-comments.js';
import { UsageError } from '../read-text.js';

interface WriteUpstreamCostsOptions {
  readonly config: Config;
  readonly gateway: GatewaySettings;
  /** Path of the file of prices. */
  readonly file: string;
}

/**
 * Writes entries to a file of prices, as comments: for lists of the upstream's schema whose size
 * Tollgate guesses, and for arguments that may be list sizes.
 * @returns a description of the result
 * @throws StartError if the schema is unavailable, or the file cannot be used
 */
export async function writeUpstreamCosts({ config, gateway, file }: WriteUpstreamCostsOptions): Promise<string> {
  const { costsFile = existsSync(file) ? file : undefined } = gateway;
  const upstream = createUpstream({
    url: gateway.upstream,
    timeoutMs: gateway.upstreamTimeoutMs,
    maxRequests: gateway.maxUpstreamRequests,
    onBegun: () => {},
  });
  const logger = createPlainLog({ name: 'tollgate' });
  const settings = { ...gateway, costsFile, schemaPollMs: 0 };
  const opening = openPricedUpstream({ config, gateway: settings, upstream, logger, logsGuesses: false });
  try {
    const api = await opening.opened;
    const analyzer = createCostAnalyzer(api.schema(), api.cost());
    const onArguments = adviceOnArguments(analyzer.check());
    const onGroups = adviceOnGroups(withoutKeys(analyzer.guesses(), onArguments));
    const added = await writeComments(file, [...onArguments, ...onGroups]);
    if (added === 0) return `${file}: no entry added, because the file has all of them`;
    const what = added === 1 ? '1 entry' : `${added} entries`;
    return `${file}: ${what} added as comments; edit them, and start the gateway with --costs ${file}`;
  } catch (error) {
    throw error instanceof UsageError ? new StartError(error.message) : error;
  } finally {
    await opening.close();
    await upstream.close();
  }
}
