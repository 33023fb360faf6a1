import type { GatewaySettings } from '../gateway/gateway-settings.js';
import type { RefreshOutcome } from '../gateway/schema/open-upstream-schema.js';
import { createUpstream } from '../gateway/upstream/upstream.js';
import type { Logger } from '../model/logger.js';
import type { Config } from './config/config.js';
import { openPricedUpstream } from './open-priced-upstream.js';
import { createSchemaRecord } from './schema-record.js';
import { type RemoteApi, type RunningServer, startPlatform } from './start-server.js';

interface StartDeciderOptions {
  config: Config;
  gateway: Omit<GatewaySettings, 'upstream'> & { readonly upstream: string | undefined };
  logger: Logger;
}

export interface RunningDecider extends RunningServer {
  /** Reads the schema and the prices again, and puts them in force. */
  refreshSchema?(reason: string): Promise<RefreshOutcome>;
}

/** Address of the upstream if the schema is in a file. No request is sent to it. */
const NO_UPSTREAM = 'http://localhost/';

/** Starts the platform without an API, for decisions. @throws StartError without a schema */
export async function startDecider({ config, gateway: given, logger }: StartDeciderOptions): Promise<RunningDecider> {
  const gateway = { ...given, upstream: given.upstream ?? NO_UPSTREAM };
  const upstream = createUpstream({
    url: gateway.upstream,
    timeoutMs: gateway.upstreamTimeoutMs,
    maxRequests: gateway.maxUpstreamRequests,
  });
  const closers: (() => Promise<void>)[] = [() => upstream.close()];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  const address = given.upstream === undefined ? gateway.schemaFile! : new URL(given.upstream).host;
  try {
    const opening = openPricedUpstream({ config, gateway, upstream, logger });
    closers.push(opening.close);
    const api = await opening.opened;
    const remoteApi: RemoteApi = {
      schema: api.schema(),
      schemaSource: {
        address,
        async refresh(by) {
          const outcome = await api.refresh(`requested by ${by.actor.name}`, by);
          return { ...outcome, warnings: api.misfits() };
        },
      },
      ...(gateway.observe && { mode: 'SHADOW' }),
      async open(tollgate) {
        const { store } = tollgate.administration!;
        const record = createSchemaRecord({ store, key: address, first: api.priced(), logger });
        api.follow({
          changed: (schema, cost) => void tollgate.protectWith({ schema, cost }),
          refreshed: record.note,
        });
        return undefined;
      },
    };
    const server = await startPlatform({ cost: api.cost(), config, logger }, { remoteApi });
    return {
      ...server,
      refreshSchema: (reason) => api.refresh(reason),
      async stop() {
        await server.stop();
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
