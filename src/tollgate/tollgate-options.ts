import type { GraphQLSchema } from 'graphql';
import type { CostAnalyzerOptions } from '../cost/settings/cost-analyzer-options.js';
import type { DocumentLimits } from '../documents/measure-document.js';
import type { IdentityOptions } from '../identity/caller-identification.js';
import type { DenialMemoryOptions } from '../limiter/denials/denial-memory-option.js';
import type { LeaseSettings } from '../limiter/lease/lease-options.js';
import type { DecisionRecord } from '../model/decision-record.js';
import type { Identify } from '../model/identify.js';
import type { Precision } from '../model/limit-parameters.js';
import type { Logger } from '../model/logger.js';
import type { RedisClient } from '../model/redis-client.js';
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
  /** What `identify` has not answered by then is refused with 503 `IDENTIFY_FAILED`, so that requests cannot pile up. @default 10000 */
  identifyTimeoutMs?: number;
  /** Where the counters live: a client, or a URL. @default in memory, for this process alone */
  redis?: RedisClient | string;
  /**
   * Redises of their own for some of the operations or callers, each with a breaker of its own: one that hangs slows none of the
   * others. The first pool that takes an operation decides all its limits, and has counters of its own for
   * them. Needs `redis`, for what is in none. @default none
   */
  pools?: readonly PoolOptions[];
  /**
   * `LEASED`: instances that charge the bucket of a caller often take tokens ahead and decide without Redis, within the bounds of
   * [scale](scale.md). Rules have a `precision` of their own. @default 'EXACT'
   */
  tierPrecision?: Precision;
  /** How tokens are taken ahead. */
  leases?: LeaseSettings;
  /**
   * With Redis: callers whom it has denied are denied without asking it again, until there is room for them or something was
   * refunded here. `maxAgeMs` is how late a refund or a reset by another instance may be noticed; false: Redis is always
   * asked. @default half a second, 4 MiB
   */
  denialMemory?: DenialMemoryOptions | false;
  /**
   * Where tiers, rules and subjects live, so that they can be administered: a URL, or a database of `createPostgres`, which
   * takes the sizes of its pools. Its tables are brought up to date. @default in memory, as given in `tiers` and `rules`
   */
  postgres?: Db | string;
  /**
   * The name under which the schema, with its prices, and the rules and tiers given here are published in PostgreSQL, so that
   * `tollgate start` and others that administer it can list them, and explain and simulate with them. Of servers of one
   * name, the one that started last says what there is.
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
  /** The file that keeps the last good tiers and rules of `postgres`, for a start while that is away. @default none is kept */
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
   * `SHADOW` evaluates and reports every limit and never denies, and the log says once an hour what would have been denied: how to
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
  /** Who may ask for an answer in full, with the cost of each field, by the header `GraphQL-Cost: report`; at once, not by a promise. @default no caller */
  mayReportCost?: (subject: Subject) => boolean;
  /** Returns a signal that is aborted when the client leaves. It ends an operation whose answer never comes. @default none: a concurrency slot is then free when its lease ends */
  abortSignal?: (contextValue: Context) => AbortSignal | undefined;
  /**
   * Where the metrics go: a registry of prom-client's, such as its `register`. Two Tollgates of one process need one each.
   * @default nowhere: nothing is counted
   */
  metrics?: MetricsRegistry;
  /** Is notified of every decision. Where it throws or rejects, the log says so, and the operation goes on. */
  onDecision?: (record: DecisionRecord) => void;
  /** Is notified of what an admitted operation has paid in the end, with the record of its decision. It may fail, as `onDecision` may. */
  onSettled?: (record: DecisionRecord, paidCost: number) => void;
  /** Is notified of look-ups, of rulesets that come into force or cannot, and of PostgreSQL going away. It may fail, as `onDecision` may. */
  observer?: LiveRulesObserver;
  /** pino's, or anything alike. @default JSON lines in pino's form, to standard output */
  logger?: Logger;
}
