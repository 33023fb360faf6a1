import type { Registry } from 'prom-client';
import type { CostAnalyzer } from '../../cost/create-cost-analyzer.js';
import type { MonitoredLimiter } from '../../limiter/create-limiter.js';
import { ioredisClient } from '../../limiter/redis/connect.js';
import { broadcast, type Observers } from '../../model/decision-record.js';
import type { RedisClient } from '../../model/redis-client.js';
import type { StreamsSource } from '../../model/stream-totals.js';
import type { PoolUse } from '../../postgres/db.js';
import type { LiveRulesObserver } from '../../rules/live/live-rules-observer.js';
import type { UsageRecorder } from '../../usage/record/create-usage-recorder.js';
import type { AddressUsers } from '../live/address-users.js';
import type { HotCallers } from '../live/hot-callers.js';
import { showTotals } from './bound-metrics.js';
import { countDecisions } from './count-decisions.js';
import { countRules } from './count-rules.js';
import { countTiers } from './count-tiers.js';
import { showEngines, showRememberedDenials, showSlotReleases } from './engine-metrics.js';
import { showHottestCaller } from './show-hottest-caller.js';
import { showLeases } from './show-leases.js';
import { showPostgres } from './show-postgres.js';
import { showRedisMemory } from './show-redis-memory.js';
import { showRegionShare } from './show-region-share.js';
import { showSharedAddresses } from './show-shared-addresses.js';
import { showStreams } from './show-streams.js';
import { showUsage } from './show-usage.js';
import { showWaits } from './show-waits.js';

export interface MetricsOptions {
  /** Registry in which the metrics are registered and from which they are scraped. */
  registry: Registry;
  analyzer: CostAnalyzer;
  limiter: MonitoredLimiter;
  /** Clients of the Redis servers that store the counters. */
  redis?: readonly (RedisClient | undefined)[];
  /**
   * Returns the current use of the connections to PostgreSQL. Undefined if PostgreSQL is not
   * configured.
   */
  pools?: (() => readonly PoolUse[]) | undefined;
  /** Recorder of usage. Undefined if no usage is recorded. */
  usage?: Pick<UsageRecorder, 'numbers' | 'suppressed' | 'failures'> | undefined;
  /** Hot callers. The code that creates them must notify them of decisions. */
  hotCallers: HotCallers;
  /** Users of addresses. The code that creates them must notify them of decisions. */
  addressUsers: AddressUsers;
  /** Source of the open connections and subscriptions, and of their events. */
  streams: StreamsSource;
}

export interface Metrics {
  operations: Pick<Observers, 'onDecision' | 'onSettled'>;
  rules: LiveRulesObserver;
}

/**
 * Creates the metrics of one Tollgate: decisions, costs, caches, engine. Values of other modules
 * are read at each scrape.
 */
export function createMetrics({
  registry,
  analyzer,
  limiter,
  redis = [],
  pools,
  usage,
  hotCallers,
  addressUsers,
  streams,
}: MetricsOptions): Metrics {
  // The rows of docs/observability.md have this order.
  const operations = broadcast([countDecisions(registry), countTiers(registry), showWaits(registry, limiter)]);
  showStreams(registry, streams);
  showHottestCaller(registry, hotCallers);
  showSharedAddresses(registry, addressUsers);
  showTotals({
    registry,
    name: 'tollgate_plan_lookups_total',
    help: 'Operations priced, by whether their cost plan was cached in memory (memory) or was built from the document (built).',
    label: 'source',
    totals: () => ({ memory: analyzer.plans.found, built: analyzer.plans.built }),
  });
  const rules = countRules(registry);
  showTotals({
    registry,
    name: 'tollgate_engine_anomalies_total',
    help: 'Stored counters, and heartbeats of instances, that were unreadable (repaired) or from the future (rebased). Counters in memory that were dropped to make room for others although they contained usage (forgotten).',
    label: 'kind',
    totals: () => ({ ...limiter.anomalies }),
  });
  showEngines(registry, () => limiter.health());
  showSlotReleases(registry, () => limiter.slotReleases());
  showRememberedDenials(registry, () => limiter.rememberedDenials);
  showLeases(registry, limiter);
  showRegionShare(registry, limiter);
  const reachable = redis.filter((one) => one !== undefined).map(ioredisClient);
  if (reachable.length > 0) showRedisMemory(registry, reachable);
  if (pools) showPostgres(registry, pools);
  if (usage) showUsage(registry, usage);
  return { operations, rules };
}
