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
import { warnOfGuesses } from './costs/warn-of-guesses.js';
import type { RefreshAsker } from './schema-record.js';

interface PricedUpstreamOptions {
  readonly config: Pick<Config, 'dataDir'>;
  readonly gateway: GatewaySettings;
  readonly upstream: ReturnType<typeof createUpstream>;
  readonly logger: Logger;
  /** Whether guessed prices are logged. @default true */
  readonly logsGuesses?: boolean;
}

interface Follower {
  /** Puts a schema and its prices in force. If it throws, they are rejected. */
  changed(schema: GraphQLSchema, cost: CostAnalyzerOptions): void;
  /** Resolves to the changes since the last call. Must not reject. */
  refreshed(now: PricedSchema, reason: string, by: RefreshAsker | undefined): Promise<SchemaChange | undefined>;
}

/** The schema of a remote API, and its prices; both are read again while the gateway runs. */
export interface PricedUpstream {
  schema(): GraphQLSchema;
  cost(): CostAnalyzerOptions;
  priced(): PricedSchema;
  /** Returns messages about prices that do not fit the schema. */
  misfits(): string[];
  /**
   * Reads the schema and the prices again. Never rejects.
   * @param reason source of the request, for the log
   */
  refresh(reason: string, by?: RefreshAsker): Promise<RefreshOutcome>;
  /** Sets the follower. Until it is set, a changed file of prices does not come into force. */
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

/** Reads the schema and the prices of a remote API. */
export function openPricedUpstream(options: PricedUpstreamOptions): Opening {
  const { config, gateway, upstream, logger, logsGuesses = true } = options;
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
        if (follower === undefined) throw new Error('the gateway is still starting, and reads the prices again later');
        follower.changed(current(), cost);
        warn(schema, cost);
      });
      return { problems, change: await follower?.refreshed(pricedBy(schema, costs.options()), reason, by) };
    },
    logger,
  });
  // Prevent an unhandled rejection: the schema is awaited only after the prices are read.
  openingSchema.catch(() => {});
  const openingCosts = openLiveCosts({ file: gateway.costsFile, logger }, openingSchema);

  const warn = (schema: GraphQLSchema, cost: CostAnalyzerOptions) => {
    if (logsGuesses) warnOfGuesses(schema, cost, logger);
  };

  async function open(): Promise<Opened> {
    // Await the prices first: their error also contains the mistakes of the schema.
    const costs = await openingCosts;
    const { current, refresh, onChange } = await openingSchema;
    costs.warnOf(current());
    warn(current(), costs.options());
    onChange((schema) => {
      follower?.changed(schema, costs.options());
      costs.warnOf(schema);
      warn(schema, costs.options());
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

/** Returns a schema with its prices in force, in the form that the record of changes compares. */
function pricedBy(schema: GraphQLSchema, { overlay, presets }: CostAnalyzerOptions): PricedSchema {
  return { schema, overlay, presets };
}
