import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import type { CostAnalyzerOptions } from '../cost/settings/cost-analyzer-options.js';
import type { GatewaySettings } from '../gateway/gateway-settings.js';
import type { PricedSchema, SchemaChange } from '../gateway/schema/compare-schemas.js';
import { createKeptSchema } from '../gateway/schema/kept-schema.js';
import {
  openUpstreamSchema,
  type RefreshOutcome,
  type UpstreamSchema,
} from '../gateway/schema/open-upstream-schema.js';
import { askUpstream } from '../gateway/upstream/ask-upstream.js';
import type { createUpstream } from '../gateway/upstream/upstream.js';
import type { Logger } from '../model/logger.js';
import type { Config } from './config/config.js';
import { DATA } from './config/data-dir.js';
import { type LiveCosts, openLiveCosts } from './costs/live-costs.js';
import type { RefreshAsker } from './schema-record.js';

interface PricedUpstreamOptions {
  readonly config: Pick<Config, 'dataDir'>;
  readonly gateway: GatewaySettings;
  readonly upstream: ReturnType<typeof createUpstream>;
  readonly logger: Logger;
}

interface Follower {
  /** Puts a schema and its prices in force. What it throws refuses them. */
  changed(schema: GraphQLSchema, cost: CostAnalyzerOptions): void;
  /** Returns what has changed since the last time. Must not reject. */
  refreshed(now: PricedSchema, reason: string, by: RefreshAsker | undefined): Promise<SchemaChange | undefined>;
}

/** The schema of an API that is elsewhere, and its prices; both are read again while the gateway runs. */
export interface PricedUpstream {
  schema(): GraphQLSchema;
  cost(): CostAnalyzerOptions;
  priced(): PricedSchema;
  /** The prices that do not fit the schema, in words. */
  misfits(): string[];
  /** Reads both again. Never rejects. @param reason who asked for it, for the log */
  refresh(reason: string, by?: RefreshAsker): Promise<RefreshOutcome>;
  /** Until there is a follower, a file of prices that has changed is not put in force. */
  follow(follower: Follower): void;
}

interface Opened extends Pick<UpstreamSchema<RefreshAsker>, 'current' | 'refresh'> {
  readonly costs: LiveCosts;
}

interface Opening {
  /** Rejects with a `StartError` that lists every mistake of the prices and of the schema. */
  readonly opened: Promise<PricedUpstream>;
  close(): Promise<void>;
}

/** Reads the schema and the prices of an API that is elsewhere. */
export function openPricedUpstream({ config, gateway, upstream, logger }: PricedUpstreamOptions): Opening {
  let follower: Follower | undefined;
  const { upstreamTimeoutMs, ownAuthorization } = gateway;
  const openingSchema = openUpstreamSchema<RefreshAsker>({
    file: gateway.schemaFile,
    ask: (query) => askUpstream(upstream, { query, authorization: ownAuthorization, timeoutMs: upstreamTimeoutMs }),
    kept: createKeptSchema({ path: join(config.dataDir, DATA.upstreamSchema), upstream: gateway.upstream }),
    pollMs: gateway.schemaPollMs,
    async also(reason, schema, by): Promise<RefreshOutcome> {
      const { costs, current } = await opening;
      const problems = await costs.refresh(reason, schema, (cost) => {
        if (follower === undefined) throw new Error('the gateway is still starting: they are read again');
        follower.changed(current(), cost);
      });
      return { problems, change: await follower?.refreshed(pricedBy(schema, costs.options()), reason, by) };
    },
    logger,
  });
  // Whoever waits for it is told; that is not before the prices are read.
  openingSchema.catch(() => {});
  const openingCosts = openLiveCosts({ file: gateway.costsFile, logger }, openingSchema);

  async function open(): Promise<Opened> {
    // Mistakes of the prices are said first, with those of the schema.
    const costs = await openingCosts;
    const { current, refresh, onChange } = await openingSchema;
    costs.warnOf(current());
    onChange((schema) => {
      follower?.changed(schema, costs.options());
      costs.warnOf(schema);
    });
    return { costs, current, refresh };
  }
  const opening = open();

  return {
    opened: opening.then(({ costs, current, refresh }) => ({
      schema: current,
      cost: () => costs.options(),
      priced: () => pricedBy(current(), costs.options()),
      misfits: () => costs.misfits(current()),
      refresh,
      follow(given) {
        follower = given;
      },
    })),
    close: () =>
      openingSchema.then(
        ({ close }) => close(),
        () => {},
      ),
  };
}

/** A schema with the prices that are in force for it, as the record of changes compares it. */
function pricedBy(schema: GraphQLSchema, { overlay, presets }: CostAnalyzerOptions): PricedSchema {
  return { schema, overlay, presets };
}
