import type { Registry } from 'prom-client';
import type { CostAnalyzer } from '../cost/create-cost-analyzer.js';
import { createPersistedTexts } from '../documents/create-persisted-texts.js';
import { documentCacheOption } from '../documents/document-cache-option.js';
import { createCallerIdentification, type IdentifiedRequests } from '../identity/caller-identification.js';
import { importJose } from '../identity/import-jose.js';
import { createProtectionLimiter } from '../limiter/create-limiter.js';
import { connect } from '../limiter/redis/connect.js';
import { importIoredis } from '../limiter/redis/import-ioredis.js';
import type { OperationObserver } from '../model/decision-record.js';
import type { Logger } from '../model/logger.js';
import type { Rule, Tier } from '../model/rule.js';
import type { StreamsSource } from '../model/stream-totals.js';
import { createCallerLog } from '../observability/create-caller-log.js';
import { createEngineLog } from '../observability/create-engine-log.js';
import { createShadowReport } from '../observability/create-shadow-report.js';
import { createUnregisteredLog } from '../observability/create-unregistered-log.js';
import { describeOutages } from '../observability/describe-outages.js';
import { guardCallback } from '../observability/guard-callback.js';
import { createAddressUsers } from '../observability/live/address-users.js';
import { createHotCallers } from '../observability/live/hot-callers.js';
import type { ClaimedRegistry } from '../observability/metrics/claim-registry.js';
import { loadOpenTelemetry, traceOperations } from '../observability/trace-operations.js';
import { counterOptionsIn } from '../options/counter-options.js';
import { importPg } from '../postgres/import-pg.js';
import { forgetQuota } from '../protection/create-quota.js';
import type { LiveRules } from '../rules/live/live-rules.js';
import { createSharedCache } from '../rules/live/shared-cache.js';
import { followTimes } from '../rules/matching/follow-times.js';
import { createRuleset } from '../rules/matching/ruleset.js';
import { DEFAULT_TIERS } from '../rules/policy/default-tiers.js';
import { parsePolicy } from '../rules/policy/parse-policy.js';
import type { Clock } from '../runtime/clock.js';
import { loadTogether, type WantedPackage } from '../runtime/packages/load-optional.js';
import { TOLLGATE_VERSION } from '../runtime/packages/tollgate-version.js';
import { publishedPolicyOf } from '../services/published-policy.js';
import { publishedSchemaOf } from '../services/published-schema.js';
import { connectPools } from './connect-pools.js';
import type { ConnectedPostgres, ConnectPostgresOptions } from './connect-postgres.js';
import type { TollgateOptions } from './tollgate-options.js';

interface OpenPartsOptions<Context extends object> {
  /** Options as given, after the check. */
  options: TollgateOptions<Context>;
  /** Tiers and rules of the options. */
  policy: { tiers: Tier[]; rules: Rule[] };
  analyzer: CostAnalyzer;
  logger: Logger;
  requests: IdentifiedRequests<Context> | undefined;
  /** Clock of the limits, for tests. */
  clock: Clock | undefined;
  /** Source of the metrics of connections and subscriptions. */
  streams: StreamsSource;
}

/**
 * Timeout of the Redis commands other than charges, in milliseconds. They read and write copies of
 * rules and subjects.
 */
const COMMAND_TIMEOUT_MS = 1000;

/**
 * Opens the parts of a Tollgate: the limiter, PostgreSQL, the live rules, and the observers of
 * operations.
 */
export async function openParts<Context extends object>(given: OpenPartsOptions<Context>) {
  await loadTogether(wantedBy(given.options));
  const registry = given.options.metrics as unknown as Registry | undefined;
  const makers = registry && (await loadMetrics());
  const measured = makers && { ...makers, registry, claimed: makers.claimRegistry(registry) };
  try {
    const parts = await open(given, measured);
    measured?.claimed.opened();
    return parts;
  } catch (error) {
    measured?.claimed.forget();
    throw error;
  }
}

/** The functions that create the metrics, and the registry of the metrics. */
type Measured = Awaited<ReturnType<typeof loadMetrics>> & { registry: Registry; claimed: ClaimedRegistry };

async function open<Context extends object>(
  { options, policy, analyzer, logger, requests, clock, streams }: OpenPartsOptions<Context>,
  measured: Measured | undefined,
) {
  const { identify, identifyTimeoutMs, identity, redis, postgres, service, pools = [] } = options;
  const limiter = await openLimiter({ options, logger, clock }, measured);
  // The times of rules are calendar times. So this clock follows corrections of the system clock,
  // which the clock of the limits ignores.
  const now = clock ?? Date.now;
  const connection =
    typeof redis === 'string' ? await connect(redis, { commandTimeoutMs: COMMAND_TIMEOUT_MS }) : undefined;
  const ownRedis = connection?.client ?? (typeof redis === 'string' ? undefined : redis);
  const persistedTexts = createPersistedTexts({
    shared: ownRedis && createSharedCache(ownRedis, () => 'documents'),
  });
  const counted = { hotCallers: createHotCallers(), addressUsers: createAddressUsers() };
  const stored =
    postgres === undefined
      ? undefined
      : await openPostgres({
          ...postgresOptions(options, postgres, streams),
          redis: ownRedis,
          ...counted,
          logger,
        }).catch(async (error) => {
          await connection?.close();
          await limiter.close();
          throw error;
        });
  const ofPools = await connectPools(options.metrics ? pools : [], COMMAND_TIMEOUT_MS);
  const metrics = measured?.createMetrics({
    registry: measured.registry,
    analyzer,
    limiter,
    redis: [ownRedis, ...ofPools.clients],
    pools: stored?.pools,
    usage: stored?.usage,
    ...counted,
    streams,
  });
  const openTelemetry = await loadOpenTelemetry();
  const shadowReport = options.mode === 'SHADOW' ? createShadowReport({ logger }) : undefined;
  const observers = [
    ...(metrics ? [metrics.operations] : []),
    ...(metrics || stored ? Object.values(counted) : []),
    ...(stored?.usage ? [{ onAnswer: stored.usage.record }] : []),
    ...(openTelemetry ? [traceOperations(openTelemetry)] : []),
    ...(stored ? [stored.traffic.observer, stored.documentUses] : []),
    ...(shadowReport ? [shadowReport] : []),
    ...observersIn(options, logger),
  ];
  async function close(): Promise<void> {
    shadowReport?.close();
    await stored?.close();
    await connection?.close();
    await ofPools.close();
    await limiter.close();
    measured?.claimed.forget();
  }

  let live: LiveRules | undefined;
  const fixed = createRuleset({ ...policy, version: 1 });
  const ruleset = followTimes(() => live?.ruleset() ?? fixed, now);
  const outages = () =>
    describeOutages(limiter.health(), live?.health(), stored?.usage, limiter.clockAheadMs(undefined, false), limiter);
  if (stored) {
    try {
      live = await stored.follow({
        rulesInCode: policy.rules,
        tiers: options.tiers ? policy.tiers : [],
        fallbackTiers: defaultTiers(),
        observers: [metrics?.rules ?? {}, options.observer ?? {}],
        onQuotaReset: (subject) => forgetQuota(limiter, ruleset(), subject),
        published: service === undefined ? undefined : publishedBy(service, options, policy),
        instance: {
          version: TOLLGATE_VERSION,
          stateOf: () => ({
            divisor: Math.max(1, ...limiter.health().map(({ divisor }) => divisor)),
            problems: outages(),
          }),
        },
      });
    } catch (error) {
      await close();
      throw error;
    }
  } else {
    logger.info(
      'No PostgreSQL: only the tiers and rules in code apply, the admin API cannot change them, and API keys are not looked up',
    );
  }
  const callerLog = createCallerLog(logger, measured?.countCallers(measured.registry));
  const callers = await createCallerIdentification({
    identify,
    identifyTimeoutMs,
    identity,
    subjects: live?.subjects,
    logger,
    onIdentifyFailed: callerLog.identifyFailed,
    requests,
  }).catch(async (error) => {
    await close();
    throw error;
  });

  return {
    limiter,
    persistedTexts,
    stored,
    ruleset,
    now,
    subjects: live?.subjects,
    rulesHealth: () => live?.health(),
    outages,
    callers,
    callerLog,
    observers,
    close,
  };
}

async function openLimiter<Context extends object>(
  { options, logger, clock }: Pick<OpenPartsOptions<Context>, 'options' | 'logger' | 'clock'>,
  measured: Measured | undefined,
): Promise<ReturnType<typeof createProtectionLimiter>> {
  const { redis, pools = [], leases, region, denialMemory = {} } = options;
  const limiterOptions = {
    ...(redis !== undefined && { redis }),
    ...(clock && { now: clock }),
    pools: Object.fromEntries(pools.map((pool) => [pool.name, pool.redis])),
    ...counterOptionsIn(options),
    ...(leases !== undefined && { leases }),
    ...(region !== undefined && { region }),
    denialMemory,
    observer: createEngineLog(
      logger,
      measured?.countEngineFailures(measured.registry),
      measured?.countFallenBehind(measured.registry),
    ),
  };
  // A test that controls the clock sends one operation after the other, so none could end a wait.
  const limiter = createProtectionLimiter(limiterOptions, { waits: clock === undefined });
  await limiter.opened;
  if (redis === undefined) {
    logger.info(
      'No Redis: the counters are in the memory of this process. Other processes do not share them, and a restart loses them',
    );
  }
  return limiter;
}

function postgresOptions<Context extends object>(
  {
    usage,
    region,
    snapshotPath,
    identityDeadlineMs,
    documentCacheBytes = documentCacheOption.default,
  }: TollgateOptions<Context>,
  postgres: ConnectPostgresOptions['postgres'],
  streams: StreamsSource,
) {
  return {
    postgres,
    streams,
    usage,
    region: region?.name,
    documentCacheBytes,
    ...(snapshotPath !== undefined && { snapshotPath }),
    ...(identityDeadlineMs !== undefined && { identityDeadlineMs }),
  };
}

function observersIn<Context extends object>(
  { onDecision, onSettled, documents }: TollgateOptions<Context>,
  logger: Logger,
): OperationObserver[] {
  const isLogged = documents?.unregistered === 'LOG' || documents?.unregistered === 'WARN';
  return [
    ...(isLogged ? [createUnregisteredLog(logger, documents?.bypassTiers)] : []),
    ...(onDecision ? [{ onDecision: guardCallback('onDecision', onDecision, logger) }] : []),
    ...(onSettled ? [{ onSettled: guardCallback('onSettled', onSettled, logger) }] : []),
  ];
}

/** Returns the packages that the options need and that are not installed with Tollgate. */
function wantedBy<Context extends object>({
  redis,
  pools = [],
  postgres,
  identity,
  region,
}: TollgateOptions<Context>): WantedPackage[] {
  const ofRegions = Object.values(region?.redis ?? {});
  const opensRedis = [redis, ...pools.map((pool) => pool.redis), ...ofRegions].some((each) => typeof each === 'string');
  return [
    ...(opensRedis ? [{ name: 'ioredis', wantedBy: 'redis', load: importIoredis }] : []),
    ...(typeof postgres === 'string' ? [{ name: 'pg', wantedBy: 'postgres: a URL', load: importPg }] : []),
    ...(identity?.jwt ? [{ name: 'jose', wantedBy: 'identity.jwt', load: importJose }] : []),
  ];
}

function defaultTiers(): Tier[] {
  const policy = parsePolicy({ tiers: DEFAULT_TIERS, rules: [] });
  if (policy.problems) throw new Error(`Mistakes in the default tiers: ${policy.problems.join(', ')}`);
  return policy.tiers;
}

/** Returns the description of this process's API that is published for other processes. */
function publishedBy(
  service: string,
  { schema, cost, tiers }: Pick<TollgateOptions, 'schema' | 'cost' | 'tiers'>,
  policy: OpenPartsOptions<object>['policy'],
) {
  const published = publishedSchemaOf(service, schema, cost);
  const inCode = { rules: policy.rules, tiers: tiers ? policy.tiers : [] };
  return { schema: published, policy: publishedPolicyOf(service, published.hash, inCode) };
}

// The modules of PostgreSQL and of metrics are loaded on demand, because many servers need neither.
async function openPostgres(options: ConnectPostgresOptions): Promise<ConnectedPostgres> {
  const { connectPostgres } = await import('./connect-postgres.js');
  return connectPostgres(options);
}

async function loadMetrics() {
  const [{ loadPromClient }, { claimRegistry }, { createMetrics }, ofEngines, ofCallers] = await Promise.all([
    import('../observability/metrics/load-prom-client.js'),
    import('../observability/metrics/claim-registry.js'),
    import('../observability/metrics/create-metrics.js'),
    import('../observability/metrics/engine-metrics.js'),
    import('../observability/metrics/count-callers.js'),
  ]);
  await loadPromClient();
  return { claimRegistry, createMetrics, ...ofEngines, ...ofCallers };
}
