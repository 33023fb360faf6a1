import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import type { Protect } from '../any-server/protect.js';
import type { CostAnalyzerOptions } from '../cost/settings/cost-options.js';
import { createByteRate } from '../gateway/byte-rate.js';
import { createGateway, type GatewayContext } from '../gateway/create-gateway.js';
import type { GatewaySettings } from '../gateway/gateway-settings.js';
import { keepInexactBody } from '../gateway/keep-inexact-body.js';
import type { PricedSchema } from '../gateway/schema/compare-schemas.js';
import { createKeptSchema } from '../gateway/schema/kept-schema.js';
import { openUpstreamSchema, type RefreshOutcome } from '../gateway/schema/open-upstream-schema.js';
import { askUpstream } from '../gateway/upstream/ask-upstream.js';
import { createReadBudget } from '../gateway/upstream/read-budget.js';
import { createUpstream } from '../gateway/upstream/upstream.js';
import type { UpstreamCode, UpstreamFailure } from '../gateway/upstream/upstream-failure.js';
import type { Logger } from '../model/logger.js';
import { callerKey } from '../observability/live/named-caller.js';
import { showUpstream, timeUpstream } from '../observability/metrics/upstream-metrics.js';
import type { Config } from './config/config.js';
import { DATA } from './config/data-dir.js';
import { type LiveCosts, openLiveCosts } from './costs/live-costs.js';
import { knowCallers } from './know-callers.js';
import { logPrices } from './log-prices.js';
import { createSchemaRecord, type RefreshAsker, type SchemaRecord } from './schema-record.js';
import { type RunningServer, startPlatform } from './start-server.js';
import type { StartServerOptions } from './start-server-options.js';

interface StartGatewayOptions extends Pick<StartServerOptions, 'tiers' | 'rules' | 'prepare' | 'mayReportCost'> {
  config: Config;
  gateway: GatewaySettings;
  logger: Logger;
}

interface RunningGateway extends RunningServer {
  /** Reads the schema and the prices again, and prices by them from then on. */
  refreshSchema(reason: string): Promise<RefreshOutcome>;
}

/** Starts the platform in front of an API that is elsewhere. @throws StartError where its schema cannot be had */
export async function startGateway({
  config,
  gateway,
  logger,
  ...policy
}: StartGatewayOptions): Promise<RunningGateway> {
  const { observe, upstreamTimeoutMs, ownAuthorization } = gateway;
  let onBegun = (_afterMs: number): void => {};
  const upstream = createUpstream({
    url: gateway.upstream,
    timeoutMs: upstreamTimeoutMs,
    maxRequests: gateway.maxUpstreamRequests,
    onBegun: (afterMs) => onBegun(afterMs),
  });
  const closers: (() => Promise<void>)[] = [() => upstream.close()];
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    let swapPrices = (_options: CostAnalyzerOptions): void => {
      throw new Error('the gateway is still starting: they are read again');
    };
    let record: SchemaRecord | undefined;
    async function readCosts(
      reason: string,
      schema: GraphQLSchema,
      by: RefreshAsker | undefined,
    ): Promise<RefreshOutcome> {
      const costs = await openingCosts;
      const problems = await costs.refresh(reason, schema, (options) => swapPrices(options));
      return { problems, change: await record?.note(pricedBy(costs, schema), reason, by) };
    }
    const opening = openUpstreamSchema({
      file: gateway.schemaFile,
      ask: (query) => askUpstream(upstream, { query, authorization: ownAuthorization, timeoutMs: upstreamTimeoutMs }),
      kept: createKeptSchema({ path: join(config.dataDir, DATA.upstreamSchema), upstream: gateway.upstream }),
      pollMs: gateway.schemaPollMs,
      also: readCosts,
      logger,
    });
    // Whoever waits for it is told; that is not before the prices are read.
    opening.catch(() => {});
    closers.push(() =>
      opening.then(
        (opened) => opened.close(),
        () => {},
      ),
    );
    const openingCosts = openLiveCosts({ file: gateway.costsFile, logger }, opening);
    // Mistakes of the prices are said first, with those of the schema.
    const costs = await openingCosts;
    const upstreamSchema = await opening;
    costs.warnOf(upstreamSchema.current());
    const server = await startPlatform(
      { ...policy, cost: costs.options(), config, logger },
      {
        door: {
          schema: upstreamSchema.current(),
          schemaSource: {
            async refresh(by) {
              const outcome = await upstreamSchema.refresh(`${by.actor.name} has asked for it`, by);
              return { ...outcome, warnings: costs.misfits(upstreamSchema.current()) };
            },
          },
          ...(observe && { mode: 'SHADOW', onSettled: logPrices(logger) }),
          async open(tollgate, { corsOrigins, maxBatchSize, production }, metrics) {
            const { identify, addressOf, protocolOf, reject } = knowCallers(tollgate, config);
            let protect = tollgate.protect as unknown as Protect<GatewayContext>;
            // What is under way keeps the protection that it began with.
            const swap = (schema: GraphQLSchema, cost: CostAnalyzerOptions) => {
              protect = tollgate.protectWith({ schema, cost }) as unknown as Protect<GatewayContext>;
            };
            upstreamSchema.onChange((schema) => {
              swap(schema, costs.options());
              costs.warnOf(schema);
            });
            swapPrices = (cost) => swap(upstreamSchema.current(), cost);
            record = createSchemaRecord({
              store: tollgate.administration!.store,
              key: addressOfUpstream(gateway.upstream),
              first: pricedBy(costs, upstreamSchema.current()),
              logger,
            });
            const budget = createReadBudget({ maxBytes: gateway.maxHeldBytes, maxBytesEach: gateway.maxReadBytes });
            const failures = countFailures(reportFailures(logger));
            onBegun = timeUpstream(metrics);
            showUpstream(metrics, { upstream, budget, failures: failures.byCode });
            const options = {
              upstream,
              protect: () => protect,
              identify,
              reject,
              callerKey,
              addressOf,
              protocolOf,
              headers: {
                allowed: gateway.allowedHeaders,
                denied: gateway.deniedHeaders,
                ...(gateway.passedHeaders && { passed: gateway.passedHeaders }),
              },
              timeoutMs: upstreamTimeoutMs,
              budget,
              byteRate: createByteRate(gateway.tokensPerKib),
              maxBatchSize,
              production,
              onFailure: failures.count,
            };
            return {
              path: '/graphql',
              corsOrigins,
              reject,
              verifyBody: keepInexactBody,
              handle: (onAnswer) => createGateway(options, onAnswer),
            };
          },
        },
      },
    );
    return {
      ...server,
      refreshSchema: (reason) => upstreamSchema.refresh(reason),
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

/** Without its query string, which may hold a secret. */
function addressOfUpstream(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

interface CountedFailures {
  readonly byCode: Record<Exclude<UpstreamCode, 'UPSTREAM_OVERLOADED' | 'HEADERS_TOO_LARGE'>, number>;
  count(failure: UpstreamFailure): void;
}

/** Requests that the gateway rejects are counted elsewhere, by reason. Headers that are too large are the caller's mistake. */
function countFailures(report: (failure: UpstreamFailure) => void): CountedFailures {
  const byCode = { UPSTREAM_UNAVAILABLE: 0, UPSTREAM_INVALID_ANSWER: 0, UPSTREAM_TIMEOUT: 0 };
  return {
    byCode,
    count(failure) {
      if (failure.code === 'HEADERS_TOO_LARGE') return;
      if (failure.code !== 'UPSTREAM_OVERLOADED') byCode[failure.code]++;
      report(failure);
    },
  };
}

const REPORT_EVERY_MS = 10_000;

/** The first failure of each kind, and one every ten seconds while they last: an upstream that is away must not fill the log. */
function reportFailures(logger: Logger): (failure: UpstreamFailure) => void {
  const reportedAtMs = new Map<string, number>();
  return ({ code, message, details: { cause, status, why } }) => {
    const nowMs = performance.now();
    if (nowMs - (reportedAtMs.get(code) ?? Number.NEGATIVE_INFINITY) < REPORT_EVERY_MS) return;
    reportedAtMs.set(code, nowMs);
    logger.error(
      { ...(cause !== undefined && { err: cause }), code, status },
      `The upstream has failed a request: ${message}${why === undefined ? '' : `: ${why}`}`,
    );
  };
}

/** A schema with the prices that are in force for it, as the record of changes compares it. */
function pricedBy(costs: LiveCosts, schema: GraphQLSchema): PricedSchema {
  const { overlay, presets } = costs.options();
  return { schema, overlay, presets };
}
