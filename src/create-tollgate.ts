import type { ApolloServerPlugin } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import type { Cluster, Redis } from 'ioredis';
import { pino } from 'pino';
import { type CostAnalyzer, type CostAnalyzerOptions, createCostAnalyzer } from './cost/create-cost-analyzer.js';
import type { Identify } from './identity/types.js';
import { createLimiter } from './limiter/create-limiter.js';
import type { Limiter, LimitState } from './limiter/types.js';
import { enforced, outcomesOf } from './plugin/answer.js';
import { quotaCharges } from './plugin/bind-charges.js';
import { createPreview } from './plugin/preview.js';
import { createPlugin, type DecisionRecord } from './plugin.js';
import { createRuleset, type Ruleset } from './rules/match.js';
import { createRulesStore, type RulesStore } from './rules/store.js';
import type { Scope, Subject, Tier } from './rules/types.js';
import { parsePolicy, type RuleInput, type TierInput } from './rules/validate.js';
import type { Db } from './store/db.js';
import { migrate } from './store/migrate.js';
import { createPgDb } from './store/pg-db.js';

/** Where the library says what it does: pino's, or anything alike. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(details: object, message: string): void;
}

export interface TollgateOptions<Context extends object = object> {
  /** The schema to protect. */
  schema: GraphQLSchema;
  /** Says who is asking. A bad credential is thrown, never answered with anonymity. */
  identify: Identify<Context>;
  /** Where the counters live: a client, or a URL. @default in memory, for this process alone */
  redis?: Redis | Cluster | string;
  /**
   * Where tiers live, so that they can be administered: a URL, or a database that is migrated already. @default in memory,
   * as given in `tiers`
   */
  postgres?: Db | string;
  /**
   * The plans and their buckets; one is the default. With `postgres`, those that it does not have yet are added, and its
   * own are left as they are. @default one tier with a bucket of 1,000 tokens, 50 a second
   */
  tiers?: readonly TierInput[];
  /** What is limited besides the buckets. @default none */
  rules?: readonly RuleInput[];
  /** How operations are priced. */
  cost?: CostAnalyzerOptions;
  /** `SHADOW` evaluates and reports every limit and denies nobody. @default 'ENFORCE' */
  mode?: 'ENFORCE' | 'SHADOW';
  /** The status of a THROTTLED answer. @default 429 */
  denialStatus?: 429 | 200;
  /** Who may ask for the cost of each field with the header `GraphQL-Cost: report`. @default nobody */
  mayReportCost?: (subject: Subject) => boolean;
  /** Aborted when the client is gone. */
  abortSignal?: (contextValue: Context) => AbortSignal | undefined;
  /** Told of every decision; must not throw. */
  onDecision?: (record: DecisionRecord) => void;
  /** @default pino, to standard output */
  logger?: Logger;
}

/** A limit of a subject as it stands. Times are milliseconds, `resetAtMs` since 1970. */
export interface QuotaEntry extends Pick<LimitState, 'limit' | 'used' | 'remaining' | 'resetAtMs' | 'retryAfterMs'> {
  /** The rule's name, or `tier:NAME`. */
  rule: string;
  scope: Scope;
  field: string;
}

export interface Tollgate<Context extends object = object> {
  /** The Apollo Server plugin: `new ApolloServer({ schema, plugins: [tollgate.plugin()] })`. */
  plugin(): ApolloServerPlugin<Context>;
  readonly analyzer: CostAnalyzer;
  readonly limiter: Limiter;
  /** What a subject has left, of every limit that may apply to it. Charges nothing. */
  quota(subject: Subject): Promise<QuotaEntry[]>;
  /** What would become of an operation, and what it costs, without charging or running it. */
  readonly preview: ReturnType<typeof createPreview>;
  /** Tiers, subjects and keys in PostgreSQL; undefined without `postgres`. */
  readonly store: RulesStore | undefined;
  /** Lets go of what Tollgate opened; a Redis client or database that was given stays open. */
  close(): Promise<void>;
}

const DEFAULT_TIERS: readonly TierInput[] = [
  { name: 'default', capacity: 1000, refillAmount: 50, refillPeriodMs: 1000, isDefault: true },
];

/**
 * Protects a GraphQL API: prices each operation and charges it to every limit that applies, or to none.
 *
 * @throws TypeError that lists every mistake in the tiers and rules.
 * @example
 * const tollgate = await createTollgate({ schema, identify: ({ header }) => ({ user: header('x-user') }) });
 * const server = new ApolloServer({ schema, plugins: [tollgate.plugin()] });
 */
export async function createTollgate<Context extends object = object>(
  options: TollgateOptions<Context>,
): Promise<Tollgate<Context>> {
  const { schema, identify, redis, postgres, tiers = DEFAULT_TIERS, rules = [] } = options;
  const { logger = pino({ name: 'tollgate' }) } = options;
  if (typeof identify !== 'function') {
    throw new TypeError(
      'identify: expected a function that says who is asking, such as ({ header }) => ({ user: ... })',
    );
  }
  const policy = parsePolicy({ tiers, rules });
  if (policy.problems) throw new TypeError(`Tollgate's tiers and rules:\n  ${policy.problems.join('\n  ')}`);

  const analyzer = createCostAnalyzer(schema, options.cost);
  const limiter = createLimiter(redis === undefined ? {} : { redis });
  if (redis === undefined) {
    logger.info('No Redis: the counters are in the memory of this process, shared with no other and gone with it');
  }
  const db = typeof postgres === 'string' ? await openDatabase(postgres) : postgres;
  const store = db && createRulesStore(db);
  if (store) await addMissingTiers(store, options.tiers ? policy.tiers : []);
  else logger.info('No PostgreSQL: tiers and rules are those given in code, and cannot be administered');

  let ruleset: Ruleset = createRuleset({ ...policy, tiers: (await store?.listTiers()) ?? policy.tiers, version: 1 });
  // A change answered by the admin API is in force on the next request.
  const stopListening = store?.onChange(async ({ entity }) => {
    if (entity !== 'TIER') return;
    try {
      ruleset = createRuleset({ ...ruleset, tiers: await store.listTiers(), version: ruleset.version + 1 });
    } catch (error) {
      logger.error({ err: error }, 'The tiers could not be read again; those from before stay in force');
    }
  });
  const { mode, denialStatus, mayReportCost, abortSignal, onDecision } = options;

  return {
    analyzer,
    limiter,
    store,
    preview: createPreview({ schema, analyzer, limiter, ruleset: () => ruleset, mode: mode ?? 'ENFORCE' }),
    plugin: () =>
      createPlugin<Context>({
        analyzer,
        limiter,
        identify,
        ruleset: () => ruleset,
        onError: (error) => logger.error({ err: error }, 'A settlement failed; the estimate stands'),
        ...(mode && { mode }),
        ...(denialStatus && { denialStatus }),
        ...(mayReportCost && { mayReportCost }),
        ...(abortSignal && { abortSignal }),
        ...(onDecision && { onDecision }),
        ...(options.cost?.minimumCost !== undefined && { minimumCost: options.cost.minimumCost }),
      }),
    async quota(subject) {
      const root = subject.tenant ?? subject.user ?? subject.apiKey ?? subject.ip ?? '';
      const { limits, charges } = quotaCharges(ruleset, ruleset.tier(subject.tier), { subject, root });
      const states = await limiter.peek({ subject, limits: charges });
      return enforced(outcomesOf(limits, states)).map(({ limit, state }) => ({
        rule: limit.ruleName,
        scope: limit.scope,
        field: limit.pattern.text,
        limit: state.limit,
        used: state.used,
        remaining: state.remaining,
        resetAtMs: state.resetAtMs,
        retryAfterMs: state.retryAfterMs,
      }));
    },
    async close() {
      stopListening?.();
      await limiter.close();
      if (typeof postgres === 'string') await db?.close();
    },
  };
}

async function openDatabase(url: string): Promise<Db> {
  const db = await createPgDb({ url });
  try {
    await migrate(db);
    return db;
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Adds the tiers that are not stored yet; a store without any gets the default one, which can then be administered. */
async function addMissingTiers(store: RulesStore, tiers: readonly Tier[]): Promise<void> {
  const actor = { name: 'tollgate', authMethod: 'SYSTEM' as const };
  const withoutVersion = (all: readonly Tier[]) => all.map(({ version: _version, ...tier }) => tier);
  if (tiers.length > 0) await store.ensureTiers(withoutVersion(tiers), actor);
  if ((await store.listTiers()).length > 0) return;
  const policy = parsePolicy({ tiers: DEFAULT_TIERS, rules: [] });
  if (!policy.problems) await store.ensureTiers(withoutVersion(policy.tiers), actor);
}
