import type { GraphQLSchema } from 'graphql';
import type { CostAnalyzerOptions } from '../cost/settings/cost-analyzer-options.js';
import type { DocumentLimits } from '../documents/measure-document.js';
import type { DocumentPolicy } from '../documents/registered-documents.js';
import type { IdentityOptions } from '../identity/caller-identification.js';
import type { DenialMemoryOptions } from '../limiter/denials/denial-memory-option.js';
import type { LeaseSettings } from '../limiter/lease/lease-options.js';
import type { DecisionRecord } from '../model/decision-record.js';
import type { Identify } from '../model/identify.js';
import type { Precision } from '../model/limit-parameters.js';
import type { Logger } from '../model/logger.js';
import type { RedisClient } from '../model/redis-client.js';
import type { RegionOptions } from '../model/region-mode.js';
import type { Subject } from '../model/subject.js';
import type { MetricsRegistry } from '../observability/metrics-registry.js';
import type { CounterOptions } from '../options/counter-options.js';
import type { Db } from '../postgres/db.js';
import type { BatchPlace } from '../protection/batch-place.js';
import type { LiveRulesObserver } from '../rules/live/live-rules-observer.js';
import type { RuleInput, TierInput } from '../rules/policy/parse-policy.js';
import type { UsageOptions } from '../usage/record/start-usage.js';
import type { PoolOptions } from './connect-pools.js';

export interface TollgateOptions<Context extends object = object> extends CounterOptions {
  /** Schema to protect. */
  schema: GraphQLSchema;
  /**
   * Identification of callers, as on the platform: by API key (with `postgres`), by token, else by
   * address.
   * @default API keys are looked up if `postgres` is set; see `IdentityOptions`
   */
  identity?: IdentityOptions<Context>;
  /**
   * Returns the caller, if your server can identify them. If it names no caller, `identity`
   * identifies them. It must return verified names only. A name that callers choose, such as a
   * header, gives them a full bucket with every new name. Throw an error for a bad credential;
   * never return an anonymous caller for it. With `postgres`, a user or tenant that you return
   * without a tier gets its stored tier and bucket. Requests of a caller that is stored as disabled
   * are rejected.
   * @default `identity` identifies all callers
   */
  identify?: Identify<Context>;
  /**
   * Timeout of `identify`, in milliseconds. After that, the request is rejected with 503
   * `IDENTIFY_FAILED`, so that requests cannot pile up.
   * @default 10000
   */
  identifyTimeoutMs?: number;
  /** Redis with the counters: a client, or a URL. @default in memory, for this process alone */
  redis?: RedisClient | string;
  /**
   * Pools: separate Redis servers for some of the operations or callers. Each pool has its own
   * circuit breaker, so a Redis that hangs does not slow the others. The first pool that matches an
   * operation decides all its limits, and has its own counters for them. Requires `redis`, for
   * operations that match no pool.
   * @default none
   */
  pools?: readonly PoolOptions[];
  /**
   * Precision of the tier buckets. With `LEASED`, an instance that often charges a caller's bucket
   * leases tokens and decides without Redis, within the bounds of [leases](leases.md). Rules have a
   * `precision` of their own.
   * @default 'EXACT'
   */
  tierPrecision?: Precision;
  /**
   * Client names of agents, for rules with `match.agents`. A request is from an agent if one of
   * these names is in its header `apollographql-client-name` or in `extensions.clientLibrary.name`.
   * Clients can choose any name, so give agents an API key of the kind `AGENT`.
   * @default 'mcp'
   */
  agentClients?: readonly string[];
  /**
   * Region of this server and the shares of all regions, for rules with `regionMode: 'SPLIT'` and,
   * with `tierMode: 'SPLIT'`, for tiers: see [regions](regions.md).
   * @default none: every limit is enforced whole
   */
  region?: RegionOptions;
  /** Settings of leases. */
  leases?: LeaseSettings;
  /**
   * Memory of denials, used with Redis. Repeat denials are answered from memory without calling
   * Redis, until tokens are available again or this process refunds some. `maxAgeMs` bounds how
   * late a refund or reset by another instance is noticed. If false, Redis decides every request.
   * @default half a second, 4 MiB
   */
  denialMemory?: DenialMemoryOptions | false;
  /**
   * PostgreSQL with the tiers, rules and subjects, so that they can be administered. Either a URL,
   * or the result of `createPostgres`, which has options for the sizes of its pools. Tollgate
   * migrates the tables.
   * @default in memory, as given in `tiers` and `rules`
   */
  postgres?: Db | string;
  /**
   * Name under which this server publishes data in PostgreSQL: its schema, its prices, and the
   * tiers and rules from its code. `tollgate start` and other admin APIs can then list this data,
   * and use it to explain operations and simulate rules. If several servers have the same name, the
   * one that started last replaces what the others have published.
   * @default nothing is published
   */
  service?: string;
  /**
   * Tiers and their buckets; one is the default. With `postgres`, missing tiers are added and
   * stored ones are left unchanged.
   * @default one tier with a bucket of 1,000 tokens, 50 a second
   */
  tiers?: readonly TierInput[];
  /**
   * Limits in addition to the tier buckets. With `postgres`, these apply in addition to the stored
   * rules; a stored rule replaces the rule with the same name.
   * @default none
   */
  rules?: readonly RuleInput[];
  /**
   * Path of the snapshot: a file with the last valid tiers and rules of `postgres`, for a start
   * while PostgreSQL is unavailable.
   * @default no snapshot
   */
  snapshotPath?: string;
  /** Maximum wait for PostgreSQL when no cache knows the caller, in milliseconds. @default 1000 */
  identityDeadlineMs?: number;
  /**
   * Recorded usage and its retention, with `postgres`. If false, nothing is recorded.
   * @default every operation, kept for 3 days by minute, 35 by hour, 400 by day; see `UsageOptions`
   */
  usage?: UsageOptions | false;
  /** Pricing of operations. */
  cost?: CostAnalyzerOptions;
  /**
   * Mode of the limits. `SHADOW` evaluates and reports every limit and never denies.
   * `extensions.cost.shadow` of a response names the limit that would have denied the operation.
   * The log contains the first operation that each limit would have denied, and a summary once an
   * hour. Start with this mode.
   * @default 'ENFORCE'
   */
  mode?: 'ENFORCE' | 'SHADOW';
  /** HTTP status of a `THROTTLED` response. @default 429 */
  denialStatus?: 429 | 200;
  /**
   * Fee of a rejected request, in whole tokens of the caller's bucket. It is charged for a request
   * that never got a price, such as a syntax error. It is also charged for a request that can never
   * be admitted, such as an operation above the ceiling of its tier.
   * @default 1
   */
  fee?: number;
  /**
   * Size limits of documents, checked before validation.
   * @default 64 KiB, 2,000 tokens, 30 deep; see `DocumentLimits`
   */
  documentLimits?: Partial<DocumentLimits>;
  /**
   * Handling of operations whose documents are not registered, with `postgres`: see
   * [registered documents](documents.md).
   * @default they are allowed
   */
  documents?: Partial<DocumentPolicy>;
  /**
   * Maximum size of each cache of documents, in estimated bytes of the heap: `documentStore`, the
   * parsed documents of `protect`, and, with `postgres`, the texts of registered documents.
   * @default 33554432
   */
  documentCacheBytes?: number;
  /**
   * Returns the operation's place in a batch that is charged as one (`createBatch`).
   * @default each operation is charged separately
   */
  batchPlace?: (contextValue: Context) => BatchPlace | undefined;
  /**
   * Returns whether a caller may request a full response with the cost of each field, by the header
   * `GraphQL-Cost: report`. It must return a boolean, not a promise.
   * @default no caller
   */
  mayReportCost?: (subject: Subject) => boolean;
  /**
   * Returns a signal that is aborted when the client disconnects. The abort ends an operation that
   * never produces a response.
   * @default none: the concurrency slot of such an operation is freed after `leaseMs`
   */
  abortSignal?: (contextValue: Context) => AbortSignal | undefined;
  /**
   * Registry for the metrics, in the form of prom-client's `register`. Two Tollgates in one process
   * need separate registries.
   * @default no metrics
   */
  metrics?: MetricsRegistry;
  /**
   * Receives every decision. If it throws or rejects, Tollgate logs the error; the operation is
   * unaffected.
   */
  onDecision?: (record: DecisionRecord) => void;
  /**
   * Receives the final cost of an admitted operation in tokens, with the record of its decision. If
   * it fails, Tollgate logs the error, as for `onDecision`.
   */
  onSettled?: (record: DecisionRecord, paidCost: number) => void;
  /**
   * Receives events about look-ups, rulesets and PostgreSQL: rulesets that come into force or
   * cannot, and outages. If it fails, Tollgate logs the error, as for `onDecision`.
   */
  observer?: LiveRulesObserver;
  /**
   * Logger of pino, or a compatible one.
   * @default JSON lines in pino's form, to standard output
   */
  logger?: Logger;
}
