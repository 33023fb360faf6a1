import type { Cluster, Redis } from 'ioredis';
import type { Logger } from './model/logger.js';
import { loadOptional } from './model/optional-package.js';
import type { Rule, Tier } from './model/rule.js';
import { createLiveTraffic, type LiveTraffic } from './observability/live/live-traffic.js';
import type { Db } from './postgres/db.js';
import { migrate } from './postgres/migrate.js';
import {
  type LiveRules,
  type LiveRulesObserver,
  type LiveRulesOptions,
  startLiveRules,
  tellRulesObservers,
} from './rules/live/live-rules.js';
import { createRulesStore, type RulesStore } from './rules/store/rules-store.js';
import { createUsageReader, type UsageReader } from './usage/query/usage-reader.js';
import type { UsageRecorder } from './usage/record/create-usage-recorder.js';
import { prepareUsage, type StartUsageOptions, startUsage, type UsageOptions } from './usage/record/start-usage.js';

export interface ConnectPostgresOptions extends Pick<LiveRulesOptions, 'snapshotPath' | 'identityDeadlineMs'> {
  /** A database, which stays open, or the URL of one, which is opened and closed here. */
  postgres: Db | string;
  /** False: none is recorded. */
  usage: UsageOptions | false | undefined;
  logger: Logger;
}

/** What is in PostgreSQL, or goes there. */
export interface ConnectedPostgres {
  readonly db: Db;
  readonly store: RulesStore;
  /** Undefined where no usage is recorded. */
  readonly usage: UsageRecorder | undefined;
  readonly usageReader: UsageReader;
  /** Follows the traffic of all processes that share this Redis, whenever somebody watches it. */
  watchTraffic(redis: Redis | Cluster | undefined): LiveTraffic;
  /** Brings the tables up to date, adds the tiers that are missing, and follows what is stored from then on. */
  follow(options: FollowOptions): Promise<LiveRules>;
  close(): Promise<void>;
}

export interface FollowOptions {
  /** Where copies of rules and callers are shared, and changes announced. */
  redis: Redis | Cluster | undefined;
  rulesInCode: readonly Rule[];
  /** Those that are added where they are not stored yet. */
  tiers: readonly Tier[];
  /** The one that is added where none are stored at all. */
  fallbackTiers: readonly Tier[];
  observers: readonly LiveRulesObserver[];
}

/** Opens what a Tollgate keeps in PostgreSQL. Loaded only where one is given: most of it is administration. */
export async function connectPostgres({
  postgres,
  usage: usageOptions,
  logger,
  ...liveOptions
}: ConnectPostgresOptions): Promise<ConnectedPostgres> {
  const db = typeof postgres === 'string' ? await openDatabase(postgres) : postgres;
  const store = createRulesStore(db);
  const usage = usageOptions === false ? undefined : startUsage({ db, ...usageOptions, ...loggedUsage(logger) });
  let live: LiveRules | undefined;
  let traffic: LiveTraffic | undefined;

  return {
    db,
    store,
    usage,
    usageReader: createUsageReader(db, usageOptions ? usageOptions.retention : undefined),
    watchTraffic(redis) {
      traffic = createLiveTraffic({ redis });
      return traffic;
    },
    async follow({ redis, rulesInCode, tiers, fallbackTiers, observers }) {
      live = await startLiveRules({
        db,
        store,
        redis,
        async prepare() {
          await migrate(db);
          if (usage) await prepareUsage(db);
          await addMissingTiers(store, tiers, fallbackTiers);
        },
        rulesInCode: rulesInCode as Rule[],
        observer: tellRulesObservers([...observers, loggedRules(logger)]),
        ...liveOptions,
      });
      return live;
    },
    async close() {
      await traffic?.close();
      await usage?.close();
      await live?.close();
      if (typeof postgres === 'string') await db.close();
    },
  };
}

async function openDatabase(url: string): Promise<Db> {
  const { createPgDb } = await import('./postgres/pg-db.js');
  return loadOptional('pg', 'postgres: a URL', () => createPgDb({ url }));
}

/** Adds the tiers that are not stored yet; a store without any gets the default one, which can then be administered. */
async function addMissingTiers(store: RulesStore, tiers: readonly Tier[], fallback: readonly Tier[]): Promise<void> {
  const actor = { name: 'tollgate', authMethod: 'SYSTEM' as const };
  const withoutVersion = (all: readonly Tier[]) => all.map(({ version: _version, ...tier }) => tier);
  if (tiers.length > 0) await store.ensureTiers(withoutVersion(tiers), actor);
  if ((await store.listTiers()).length === 0) await store.ensureTiers(withoutVersion(fallback), actor);
}

/** What an operator wants to read in the log. */
function loggedRules(logger: Logger): LiveRulesObserver {
  return {
    rulesetInvalid(problem) {
      if (problem === undefined) logger.info('The stored ruleset is good again and in force');
      else logger.error({ problem }, 'The stored ruleset cannot be used; the last good one stays in force');
    },
    databaseAway(away, error) {
      if (away) logger.error({ err: error }, 'PostgreSQL is away: rules and known subjects stay as they are');
      else logger.info('PostgreSQL is back');
    },
    snapshotFailed: (error) => logger.error({ err: error }, 'The snapshot of the ruleset could not be written'),
  };
}

function loggedUsage(logger: Logger): Pick<StartUsageOptions, 'onState' | 'onRefused' | 'onRetentionError'> {
  return {
    onState(failing) {
      if (failing) logger.error({ err: failing.error }, 'Usage cannot be stored; it waits in memory and is sent again');
      else logger.info('Usage is stored again');
    },
    onRefused: (error) => logger.error({ err: error }, 'PostgreSQL refused a batch of usage: it is lost'),
    onRetentionError: (error) => logger.error({ err: error }, 'Old usage could not be dropped; it is tried again'),
  };
}
