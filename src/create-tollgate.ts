import type { GraphQLSchema } from 'graphql';
import type { Registry } from 'prom-client';
import { createPlugin, uncalledPlugin } from './apollo/plugin.js';
import type { TollgatePlugin } from './apollo/tollgate-plugin.js';
import { connectPools, type PoolOptions } from './connect-pools.js';
import type { Administration, ConnectedPostgres, ConnectPostgresOptions } from './connect-postgres.js';
import type { CostAnalyzerOptions } from './cost/cost-options.js';
import { type CostAnalyzer, createCostAnalyzer } from './cost/create-cost-analyzer.js';
import type { SchemaProblem } from './cost/schema/annotations.js';
import { reportAnnotations } from './cost/schema/report-annotations.js';
import { createDocumentStore, type DocumentStore } from './documents/document-store.js';
import type { DocumentLimits } from './documents/measure-document.js';
import { createPersistedTexts } from './documents/persisted-texts.js';
import { checkIdentity } from './identity/check-identity.js';
import { createCallerIdentification, type IdentityOptions } from './identity/identify-callers.js';
import { createProtectionLimiter, type Limiter } from './limiter/create-limiter.js';
import type { PoolHealth } from './limiter/outage/redis-with-fallback.js';
import { connect } from './limiter/redis/connect.js';
import type { DecisionRecord, OperationObserver } from './model/decision-record.js';
import type { Identify } from './model/identify.js';
import { MAX_LIMITS } from './model/limit.js';
import type { Logger } from './model/logger.js';
import type { RedisClient } from './model/redis-client.js';
import type { Tier } from './model/rule.js';
import type { SizedCache } from './model/sized-cache.js';
import { countableSubject, type Subject } from './model/subject.js';
import { describeOutages } from './observability/describe-outages.js';
import { createEngineLog } from './observability/engine-log.js';
import type { MetricsRegistry } from './observability/metrics-registry.js';
import { createPlainLog } from './observability/plain-log.js';
import { createShadowReport } from './observability/shadow-report.js';
import { loadOpenTelemetry, traceOperations } from './observability/trace.js';
import type { Db } from './postgres/db.js';
import type { BatchPlace } from './protection/batch.js';
import { createFee, type FeeOutcome } from './protection/fee.js';
import { createPreview } from './protection/preview.js';
import { createQuota, type QuotaEntry } from './protection/quota.js';
import type { LiveRules, LiveRulesObserver, RulesHealth } from './rules/live/live-rules.js';
import { createSharedCache } from './rules/live/shared-cache.js';
import type { SubjectCache } from './rules/live/subject-cache.js';
import { createPoolFinder } from './rules/matching/pool-of-operation.js';
import { createRuleset } from './rules/matching/ruleset.js';
import { parsePolicy, type RuleInput, type TierInput } from './rules/policy/parse-policy.js';
import type { RulesStore } from './rules/store/rules-store.js';
import { checkServiceName, publishedSchemaOf } from './services/published-schema.js';
import type { UsageRecorder } from './usage/record/create-usage-recorder.js';
import type { UsageOptions } from './usage/record/start-usage.js';

export interface TollgateOptions<Context extends object = object> {
  /** The schema to protect. */
  schema: GraphQLSchema;
  /**
   * How callers are known, as on the platform: by API key (with `postgres`), by token, else by address.
   * @default keys are looked up where there is `postgres`; see `IdentityOptions`
   */
  identity?: IdentityOptions<Context>;
  /**
   * Says who is asking, where your server knows it; whom it does not name, `identity` does. It must answer what was verified: a
   * name that callers choose, as in a header, gives them a full bucket with every new name. A bad credential is thrown, never
   * answered with anonymity. With `postgres`, a user or tenant that comes without a tier gets what is stored about it: its
   * tier, its own bucket, or a refusal where it is disabled. @default `identity` alone says it
   */
  identify?: Identify<Context>;
  /** Where the counters live: a client, or a URL. @default in memory, for this process alone */
  redis?: RedisClient | string;
  /**
   * Redises of their own for some of the operations, each with a breaker of its own: one that hangs slows none of the
   * others. The first pool with a pattern that matches an operation takes all its limits, and has counters of its own for
   * them. Needs `redis`, for what is in none. @default none
   */
  pools?: readonly PoolOptions[];
  /** A decision that Redis has not made by then is made without it, as each limit's `onUnavailable` says. @default 25 */
  deadlineMs?: number;
  /** At least how many instances share the limits: what each divides by without Redis, which counts them. @default 1 */
  instances?: number;
  /**
   * Users, tenants, addresses ... whose counters are kept in memory at most, without Redis or while it is away. Beyond it
   * the least used are forgotten. @default 100_000
   */
  maxPartitions?: number;
  /**
   * Where tiers, rules and subjects live, so that they can be administered: a URL, or a database; its tables are brought
   * up to date. @default in memory, as given in `tiers` and `rules`
   */
  postgres?: Db | string;
  /**
   * The name under which the schema, with its prices, is published in PostgreSQL, so that `tollgate start` and others that
   * administer it can explain and simulate with it. Of servers of one name, the one that started last says what there is.
   * @default it is not published
   */
  service?: string;
  /**
   * The plans and their buckets; one is the default. With `postgres`, those that it does not have yet are added, and its
   * own are left as they are. @default one tier with a bucket of 1,000 tokens, 50 a second
   */
  tiers?: readonly TierInput[];
  /**
   * What is limited besides the buckets. With `postgres`, these stand beside the rules that are stored; a stored rule takes
   * the place of the one with its name. @default none
   */
  rules?: readonly RuleInput[];
  /** The file that keeps the last good tiers and rules, for a start while PostgreSQL is away. @default none is kept */
  snapshotPath?: string;
  /** How long a caller that no cache knows waits for PostgreSQL, in milliseconds. @default 1000 */
  identityDeadlineMs?: number;
  /**
   * What is recorded of usage and for how long it is kept, with `postgres`; false: nothing.
   * @default every operation, kept for 3 days by minute, 35 by hour, 400 by day; see `UsageOptions`
   */
  usage?: UsageOptions | false;
  /** How operations are priced. */
  cost?: CostAnalyzerOptions;
  /**
   * `SHADOW` evaluates and reports every limit and denies nobody, and the log says once an hour what would have been denied: how to
   * begin. @default 'ENFORCE'
   */
  mode?: 'ENFORCE' | 'SHADOW';
  /** The status of a THROTTLED answer. @default 429 */
  denialStatus?: 429 | 200;
  /**
   * What a refusal pays that was never priced, such as a syntax error, or can never pass, such as an operation above the
   * ceiling of its tier: whole tokens of the caller's bucket. @default 1
   */
  fee?: number;
  /** How large a document may be before it is parsed. @default 64 KiB, 2,000 tokens, 30 deep; see `DocumentLimits` */
  documentLimits?: Partial<DocumentLimits>;
  /** What `documentStore` keeps at most, in bytes of the heap, estimated. @default 33554432 */
  documentCacheBytes?: number;
  /** The operation's place in a batch that is charged as one (`createBatch`). @default each is charged by itself */
  batchPlace?: (contextValue: Context) => BatchPlace | undefined;
  /** Who may ask for the cost of each field with the header `GraphQL-Cost: report`. @default nobody */
  mayReportCost?: (subject: Subject) => boolean;
  /** Aborted when the client is gone. */
  abortSignal?: (contextValue: Context) => AbortSignal | undefined;
  /**
   * Where the metrics go: a registry of prom-client's, such as its `register`. Two Tollgates of one process need one each.
   * @default nowhere: nothing is counted
   */
  metrics?: MetricsRegistry;
  /** Told of every decision; must not throw. */
  onDecision?: (record: DecisionRecord) => void;
  /** Told of what an admitted operation has paid in the end, with the record of its decision; must not throw. */
  onSettled?: (record: DecisionRecord, paidCost: number) => void;
  /** Told of look-ups, of rulesets that come into force or cannot, and of PostgreSQL going away; must not throw. */
  observer?: LiveRulesObserver;
  /** pino's, or anything alike. @default JSON lines in pino's form, to standard output */
  logger?: Logger;
}

export interface Tollgate<Context extends object = object> {
  /** The Apollo Server plugin: `new ApolloServer({ schema, plugins: [tollgate.plugin()] })`. */
  plugin(): TollgatePlugin<Context>;
  /**
   * Keeps parsed documents within `documentCacheBytes`, and none that was only ever refused:
   * `new ApolloServer({ documentStore: tollgate.documentStore, ... })`. Of one server alone.
   */
  readonly documentStore: DocumentStore;
  /**
   * Keeps the texts of persisted queries, shared with the other instances through `redis`, so that a client pays the fee of an
   * unknown hash once: `new ApolloServer({ persistedQueries: { cache: tollgate.persistedTexts }, ... })`.
   */
  readonly persistedTexts: SizedCache<string>;
  readonly analyzer: CostAnalyzer;
  /** The mistakes in the annotations of the schema, and the lists whose size is only a guess, with what to add. */
  check(): readonly SchemaProblem[];
  readonly limiter: Limiter;
  /** What a subject has left, of every limit that may apply to it. Charges nothing. */
  quota(subject: Subject): Promise<QuotaEntry[]>;
  /**
   * Gives a subject full quotas again; what it shares with others stays. False: Redis did not confirm it.
   */
  resetQuota(subject: Subject): Promise<boolean>;
  /** What would become of an operation, and what it costs, without charging or running it. */
  readonly preview: ReturnType<typeof createPreview>;
  /** Tiers, rules, subjects and keys in PostgreSQL; undefined without `postgres`. */
  readonly store: RulesStore | undefined;
  /** Who holds which key, and what is stored about a subject, from the caches; undefined without `postgres`. */
  readonly subjects: SubjectCache | undefined;
  /** How much usage was recorded and stored since the start; undefined where none is recorded. */
  readonly usage: Pick<UsageRecorder, 'numbers' | 'failures'> | undefined;
  /** How each Redis is doing, as it is seen from here; empty without one. */
  engineHealth(): PoolHealth[];
  /** What an operator has to know though every operation is decided: an outage, rules that cannot be used. In words. */
  problems(): string[];
  /** What `createAdminHandler` of `tollgate/admin` serves; undefined without `postgres`. */
  readonly administration: Administration | undefined;
  /** Which rules are in force, and what keeps newer ones from being so; undefined without `postgres`. */
  health(): RulesHealth | undefined;
  /**
   * Takes the fee for a request that did not even reach the API (no JSON, a bad credential, a body too large), or so many
   * whole tokens for something that is no operation.
   */
  chargeFee(subject: Subject, amount?: number): Promise<FeeOutcome>;
  /** Lets go of what Tollgate opened; a Redis client or database that was given stays open. */
  close(): Promise<void>;
}

/** What is asked of Redis besides charges: copies of rules and subjects. */
const COMMAND_TIMEOUT_MS = 1000;
const DEFAULT_TIERS: readonly TierInput[] = [
  { name: 'default', capacity: 1000, refillAmount: 50, refillPeriodMs: 1000, isDefault: true },
];

/**
 * Protects a GraphQL API: prices each operation and charges it to every limit that applies, or to none.
 *
 * @throws TypeError that lists every mistake in the tiers and rules, or in the annotations of the schema.
 * @example
 * const tollgate = await createTollgate({ schema });
 * const server = new ApolloServer({ schema, plugins: [tollgate.plugin()] });
 * await startStandaloneServer(server, { context: async ({ req }) => ({ req }) });
 */
export async function createTollgate<Context extends object = object>(
  options: TollgateOptions<Context>,
): Promise<Tollgate<Context>> {
  const { schema, identify, identity, redis, postgres, service, tiers = DEFAULT_TIERS, rules = [] } = options;
  const { pools = [], logger = createPlainLog({ name: 'tollgate' }) } = options;
  if (identify !== undefined && typeof identify !== 'function') {
    throw new TypeError(
      'identify: expected a function that says who is asking, such as ({ contextValue }) => ({ user: contextValue.user.id })',
    );
  }
  checkIdentity(identity ?? {}, { hasPostgres: postgres !== undefined });
  if (service !== undefined) checkServiceName(service);
  if (service !== undefined && postgres === undefined) {
    throw new TypeError('service: expected `postgres` with it, where the schema is published');
  }
  const policy = parsePolicy({ tiers, rules });
  if (policy.problems) throw new TypeError(`Tollgate's tiers and rules:\n  ${policy.problems.join('\n  ')}`);

  const analyzer = createCostAnalyzer(schema, options.cost);
  const documentStore = createDocumentStore({ maxBytes: options.documentCacheBytes });
  reportAnnotations(analyzer.check(), logger);
  const poolOf = pools.length === 0 ? undefined : createPoolFinder(pools);
  const { deadlineMs, instances, maxPartitions } = options;
  const measured = options.metrics && { registry: options.metrics as unknown as Registry, ...(await loadMetrics()) };
  const limiter = createProtectionLimiter({
    ...(redis !== undefined && { redis }),
    pools: Object.fromEntries(pools.map((pool) => [pool.name, pool.redis])),
    ...(deadlineMs !== undefined && { deadlineMs }),
    ...(instances !== undefined && { instances }),
    ...(maxPartitions !== undefined && { maxPartitions }),
    observer: createEngineLog(
      logger,
      measured?.countEngineFailures(measured.registry),
      measured?.countFallenBehind(measured.registry),
    ),
  });
  await limiter.opened;
  if (redis === undefined) {
    logger.info('No Redis: the counters are in the memory of this process, shared with no other and gone with it');
  }
  const connection =
    typeof redis === 'string' ? await connect(redis, { commandTimeoutMs: COMMAND_TIMEOUT_MS }) : undefined;
  const ownRedis = connection?.client ?? (typeof redis === 'string' ? undefined : redis);
  const persistedTexts = createPersistedTexts({
    shared: ownRedis && createSharedCache(ownRedis, () => 'documents'),
  });
  const stored =
    postgres === undefined
      ? undefined
      : await openPostgres({
          postgres,
          usage: options.usage,
          redis: ownRedis,
          logger,
          ...(options.snapshotPath !== undefined && { snapshotPath: options.snapshotPath }),
          ...(options.identityDeadlineMs !== undefined && { identityDeadlineMs: options.identityDeadlineMs }),
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
    usage: stored?.usage,
  });
  const openTelemetry = await loadOpenTelemetry();
  const shadowReport = options.mode === 'SHADOW' ? createShadowReport({ logger }) : undefined;
  const observers: OperationObserver[] = [
    ...(metrics ? [metrics.operations] : []),
    ...(stored?.usage ? [{ onAnswer: stored.usage.record }] : []),
    ...(openTelemetry ? [traceOperations(openTelemetry)] : []),
    ...(stored ? [stored.traffic.observer] : []),
    ...(shadowReport ? [shadowReport] : []),
    options,
  ];
  async function close(): Promise<void> {
    shadowReport?.close();
    await stored?.close();
    await connection?.close();
    await ofPools.close();
    await limiter.close();
  }

  let live: LiveRules | undefined;
  const fixed = createRuleset({ ...policy, version: 1 });
  if (stored) {
    try {
      live = await stored.follow({
        rulesInCode: policy.rules,
        tiers: options.tiers ? policy.tiers : [],
        fallbackTiers: defaultTiers(),
        observers: [metrics?.rules ?? {}, options.observer ?? {}],
        published: service === undefined ? undefined : publishedSchemaOf(service, schema, options.cost),
      });
    } catch (error) {
      await close();
      throw error;
    }
  } else {
    logger.info(
      'No PostgreSQL: tiers and rules are those given in code, and cannot be administered; API keys are not looked up',
    );
  }
  const ruleset = () => live?.ruleset() ?? fixed;
  const subjects = live?.subjects;
  const identification = await createCallerIdentification({ identify, identity, subjects, logger }).catch(
    async (error) => {
      await close();
      throw error;
    },
  );
  const onTooManyLimits = reportSometimes((count) =>
    logger.warn(
      `Operations are refused because more limits apply to them (${count}) than can be charged together (${MAX_LIMITS}): have fewer rules by field`,
    ),
  );
  const { mode = 'ENFORCE', denialStatus = 429, mayReportCost, abortSignal } = options;
  const { documentLimits, batchPlace } = options;
  const fee = wholeTokens(options.fee ?? 1);
  const chargeFee = createFee({ limiter, fee, mode, denialStatus, onAnswer: stored?.usage?.record });
  const described = { limiter, ruleset, mode, documentLimits, poolOf, fee };

  return {
    analyzer,
    check: () => analyzer.check(),
    documentStore,
    persistedTexts,
    limiter,
    store: stored?.store,
    subjects,
    usage: stored?.usage,
    health: () => live?.health(),
    engineHealth: () => limiter.health(),
    problems: () => describeOutages(limiter.health(), live?.health()),
    administration: stored?.administer({ service, schema, analyzer, ...described }),
    preview: createPreview({ schema, analyzer, ...described }),
    plugin: Object.assign(
      () =>
        createPlugin<Context>({
          schema,
          analyzer,
          limiter,
          identify: identification,
          ruleset,
          chargeFee,
          poolOf,
          mode,
          denialStatus,
          onError: (error) => logger.error({ err: error }, 'A charge could not be corrected or taken'),
          onWarning: (message) => logger.warn(message),
          onTooManyLimits,
          forgetDocument: documentStore.forget,
          ...(documentLimits && { documentLimits }),
          ...(batchPlace && { batchPlace }),
          ...(mayReportCost && { mayReportCost }),
          ...(abortSignal && { abortSignal }),
          observers,
          ...(options.cost?.minimumCost !== undefined && { minimumCost: options.cost.minimumCost }),
        }),
      uncalledPlugin,
    ),
    ...createQuota({ limiter, ruleset }),
    chargeFee: (subject, amount) =>
      chargeFee({
        ruleset: ruleset(),
        subject: countableSubject(subject),
        amount: amount === undefined ? undefined : wholeTokens(amount),
      }),
    close,
  };
}

function wholeTokens(fee: number): number {
  if (Number.isInteger(fee) && fee >= 0 && fee <= 1_000_000) return fee;
  throw new TypeError(`fee: expected a whole number of tokens from 0 to 1000000, got ${fee}`);
}

function defaultTiers(): Tier[] {
  const policy = parsePolicy({ tiers: DEFAULT_TIERS, rules: [] });
  if (policy.problems) throw new Error(`The default tiers: ${policy.problems.join(', ')}`);
  return policy.tiers;
}

// Loaded where they are asked for: a server with counters in memory waits for neither.
async function openPostgres(options: ConnectPostgresOptions): Promise<ConnectedPostgres> {
  const { connectPostgres } = await import('./connect-postgres.js');
  return connectPostgres(options);
}

async function loadMetrics() {
  const [{ createMetrics }, { countEngineFailures, countFallenBehind }] = await Promise.all([
    import('./observability/metrics/create-metrics.js'),
    import('./observability/metrics/engine-metrics.js'),
  ]);
  return { createMetrics, countEngineFailures, countFallenBehind };
}

const REPORT_EVERY_MS = 10_000;

/** Passes on the first of many failures alike, and one every ten seconds while they last. */
function reportSometimes(report: (what: unknown) => void): (what: unknown) => void {
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  return (what) => {
    const nowMs = performance.now();
    if (nowMs - reportedAtMs < REPORT_EVERY_MS) return;
    reportedAtMs = nowMs;
    report(what);
  };
}
