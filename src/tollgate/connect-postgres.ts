import { hostname } from 'node:os';
import type { OperationObserver } from '../model/decision-record.js';
import type { Logger } from '../model/logger.js';
import type { RedisClient } from '../model/redis-client.js';
import type { Rule, Tier } from '../model/rule.js';
import type { StreamsSource } from '../model/stream-totals.js';
import type { Subject } from '../model/subject.js';
import { guardObserver } from '../observability/guard-callback.js';
import { hideSecrets } from '../observability/hide-secrets.js';
import type { AddressUsers } from '../observability/live/address-users.js';
import type { HotCallers } from '../observability/live/hot-callers.js';
import { createLiveTraffic, type LiveTraffic } from '../observability/live/live-traffic.js';
import type { Db, PoolUse } from '../postgres/db.js';
import { isSettingMistake } from '../postgres/describe-rejection.js';
import { isOutage } from '../postgres/is-outage.js';
import { limitReports } from '../postgres/limit-reports.js';
import { migrate } from '../postgres/migrate.js';
import { placeOfPostgres } from '../postgres/place-of-postgres.js';
import { readFromReplica } from '../postgres/read-from-replica.js';
import { whyUnusable } from '../postgres/with-postgres.js';
import { createDocumentRegistry } from '../registry/create-document-registry.js';
import { createDocumentUses } from '../registry/create-document-uses.js';
import { createLiveDocuments, type LiveDocuments } from '../registry/create-live-documents.js';
import { type DocumentsWatch, type WatchDocumentsOptions, watchDocuments } from '../registry/watch-documents.js';
import { DatabaseAway, type LiveRules, type LiveRulesOptions, startLiveRules } from '../rules/live/live-rules.js';
import { broadcastRules, type LiveRulesObserver } from '../rules/live/live-rules-observer.js';
import { createSharedCache } from '../rules/live/shared-cache.js';
import { readDatabaseId } from '../rules/live/stored-rules.js';
import { describeUnknown } from '../rules/policy/denying-rule.js';
import { FEATURES } from '../rules/policy/features.js';
import { findTierDifferences } from '../rules/policy/find-tier-differences.js';
import { createRulesStore, type RulesStore } from '../rules/store/rules-store.js';
import { loadOptional } from '../runtime/packages/load-optional.js';
import { withTimeout } from '../runtime/with-timeout.js';
import { createInstanceRegister, type InstanceRegister, type InstanceState } from '../services/instance-register.js';
import { createUsageReader } from '../usage/query/usage-reader.js';
import type { UsageRecorder } from '../usage/record/create-usage-recorder.js';
import { prepareUsage, type StartUsageOptions, startUsage, type UsageOptions } from '../usage/record/start-usage.js';
import { type AdministerOptions, type Administration, createAdministration } from './create-administration.js';
import { createPublisher, type Published } from './create-publisher.js';

export interface ConnectPostgresOptions extends Pick<LiveRulesOptions, 'snapshotPath' | 'identityDeadlineMs'> {
  /** A database, which stays open, or the URL of one, which is opened and closed here. */
  postgres: Db | string;
  /** Options of usage recording. If false, no usage is recorded. */
  usage: UsageOptions | false | undefined;
  /** Name of the region of this process, by which usage is counted too. @default none */
  region?: string | undefined;
  /**
   * Redis in which processes share copies of rules and callers, and through which they notify each
   * other.
   */
  redis: RedisClient | undefined;
  /** Hot callers of this process: those with the most decisions now. */
  hotCallers: HotCallers;
  /** Maximum estimated size of the texts of registered documents in memory, in bytes. */
  documentCacheBytes: number;
  /** Users of each address in this process. */
  addressUsers: AddressUsers;
  /** Open subscriptions and WebSockets of this process. */
  streams: StreamsSource;
  logger: Logger;
}

/** The parts of a Tollgate that read or write PostgreSQL. */
export interface ConnectedPostgres {
  readonly db: Db;
  readonly store: RulesStore;
  /** Returns the current use of the connections, and the number of running and waiting reports. */
  pools(): PoolUse[];
  /** Registered documents. They are unknown until `follow` has read them. */
  readonly documents: LiveDocuments;
  /** Prepares registered documents for the schema in force. Call it once, after `follow`. */
  watchDocuments(options: Pick<WatchDocumentsOptions, 'schema' | 'warm'>): Pick<DocumentsWatch, 'problems'>;
  /** Counts the uses of registered documents. */
  readonly documentUses: OperationObserver;
  /** Undefined if no usage is recorded. */
  readonly usage: UsageRecorder | undefined;
  /**
   * Live traffic. It is counted only while a subscription is open in this process or in another
   * process that shares the Redis.
   */
  readonly traffic: LiveTraffic;
  /**
   * Returns the interface that administers the API of this process, and the APIs that other servers
   * have published in this database.
   */
  administer(options: AdministerOptions): Administration;
  /** Migrates the tables, adds the missing tiers, and follows the stored rules from then on. */
  follow(options: FollowOptions): Promise<LiveRules>;
  close(): Promise<void>;
}

export interface FollowOptions {
  rulesInCode: readonly Rule[];
  /** Tiers that are added if they are not stored yet. */
  tiers: readonly Tier[];
  /** Tiers that are added if no tier is stored. */
  fallbackTiers: readonly Tier[];
  observers: readonly LiveRulesObserver[];
  onQuotaReset(subject: Subject): void;
  /** Description of the API for other processes. @default none */
  published: Published | undefined;
  /** Description of this process for other processes. */
  instance: { version: string; stateOf(): InstanceState };
}

/** Maximum wait of a close for everything except usage, in milliseconds. */
const CLOSE_MS = 5_000;

/**
 * Opens the parts of a Tollgate that use PostgreSQL. The module is loaded only if a database is
 * given, because most of it is administration.
 */
export async function connectPostgres({
  postgres,
  usage: usageOptions,
  region,
  redis,
  hotCallers,
  documentCacheBytes,
  addressUsers,
  streams,
  logger,
  ...liveOptions
}: ConnectPostgresOptions): Promise<ConnectedPostgres> {
  const db = typeof postgres === 'string' ? await openDatabase(postgres) : postgres;
  const { reports, use } = limitReports(db);
  const store = createRulesStore(db, reports);
  const usage =
    usageOptions === false ? undefined : startUsage({ db, region, ...usageOptions, ...loggedUsage(logger) });
  let live: LiveRules | undefined;
  let register: InstanceRegister | undefined;
  const usageReader = createUsageReader(
    db.replica ? readFromReplica({ replica: db.replica, primary: reports, onState: logReplica }) : reports,
    usageOptions ? usageOptions.retention : undefined,
  );
  const lookups = db.lookups ?? db;
  let databaseId: string | undefined;
  const registry = createDocumentRegistry(db, store.write, reports);
  const uses = createDocumentUses({ db });
  const documents = createLiveDocuments({
    db: lookups,
    shared: redis && createSharedCache(redis, () => databaseId),
    maxBytes: documentCacheBytes,
  });
  const traffic = createLiveTraffic({
    ...{ redis, hotCallers, addressUsers },
    streams: () => streams.list?.() ?? [],
    instance: () => register?.id,
  });
  let watch: DocumentsWatch | undefined;

  function logReplica(error: unknown): void {
    if (error === undefined) logger.info('The replica of PostgreSQL responds again, and answers queries about usage');
    else
      logger.warn(
        `The replica of PostgreSQL does not respond, so the primary answers queries about usage: ${whyUnusable(error)}`,
      );
  }

  return {
    db,
    store,
    pools: () => [...(db.pools?.() ?? []), use()],
    documents,
    watchDocuments(given) {
      watch = watchDocuments({ db, documents, logger, ...given });
      return watch;
    },
    documentUses: uses.observer,
    usage,
    traffic,
    administer: (options) =>
      createAdministration({ db, store, registry, usage: usageReader, traffic, instance: register?.id }, options),
    async follow({ rulesInCode, tiers, fallbackTiers, observers, onQuotaReset, published, instance }) {
      const publish = createPublisher(db, published, logger);
      register = createInstanceRegister({
        db,
        host: hostname().slice(0, 255) || 'unknown',
        features: FEATURES,
        published: published?.policy,
        publish,
        ...instance,
        onState(error) {
          if (error === undefined) logger.info('This process is in the list of instances again');
          // Another message reports that the database is unavailable.
          else if (live?.health().databaseAway === undefined)
            logger.error(
              { err: error },
              'This process could not be added to the list of instances; Tollgate tries again',
            );
        },
      });
      const starting = startLiveRules({
        db,
        store,
        redis,
        async prepare() {
          await migrate(db);
          // If this fails, the recorder prepares usage again before it stores any, and then reports
          // a failure.
          if (usage) await prepareUsage(db).catch(() => {});
          const stored = await addMissingTiers(store, tiers, fallbackTiers);
          for (const difference of findTierDifferences(tiers, stored)) logger.info(difference);
          await publish();
        },
        rulesInCode: rulesInCode as Rule[],
        observer: broadcastRules([
          ...observers.map((each) => guardObserver('observer', each, RULES_METHODS, logger)),
          loggedRules(logger),
        ]),
        onQuotaReset,
        onStreamsEnded: (filter, ageMs) => streams.end?.(filter, Date.now() - ageMs),
        async onDocumentsChanged() {
          databaseId ??= await readDatabaseId(lookups);
          await documents.refresh();
        },
        ...liveOptions,
      });
      live = await (typeof postgres === 'string' ? starting.catch((error) => failStart(postgres, error)) : starting);
      register.start();
      return live;
    },
    async close() {
      // Each of these parts sends or writes something when it closes. A database that hangs must
      // not prolong the close.
      const rest = Promise.all([register?.close(), traffic.close(), live?.close(), uses.close(), watch?.close()]);
      await Promise.all([usage?.close(), withTimeout(rest, CLOSE_MS, () => undefined)]);
      if (typeof postgres === 'string') await db.close();
    },
  };
}

/** Throws an error that names the server of a URL, without its credentials, and a remedy. */
function failStart(url: string, error: unknown): never {
  if (!(error instanceof DatabaseAway)) throw error;
  const reason = error.message.replaceAll('DATABASE_URL', 'the option postgres');
  const remedy = isSettingMistake(error.cause)
    ? ''
    : '. Start PostgreSQL, or correct the host and the port in the option postgres; with snapshotPath, later starts work without PostgreSQL';
  throw new DatabaseAway(
    hideSecrets(`postgres: PostgreSQL cannot be used at ${placeOfPostgres(url)}: ${reason}${remedy}`),
    { cause: error.cause },
  );
}

async function openDatabase(url: string): Promise<Db> {
  const { createPgDb } = await import('../postgres/create-pg-db.js');
  return loadOptional('pg', 'postgres: a URL', () => createPgDb({ url }));
}

/**
 * Adds the tiers that are not stored yet. If no tier is stored or given, adds the fallback tiers.
 * Resolves to all stored tiers.
 */
async function addMissingTiers(store: RulesStore, tiers: readonly Tier[], fallback: readonly Tier[]): Promise<Tier[]> {
  const actor = { name: 'tollgate', authMethod: 'SYSTEM' as const };
  const withoutVersion = (all: readonly Tier[]) => all.map(({ version: _version, ...tier }) => tier);
  if (tiers.length > 0) await store.ensureTiers(withoutVersion(tiers), actor);
  const stored = await store.listTiers();
  if (stored.length > 0) return stored;
  await store.ensureTiers(withoutVersion(fallback), actor);
  return store.listTiers();
}

/** Returns an observer that logs the events an operator needs. */
function loggedRules(logger: Logger): LiveRulesObserver {
  let unknown = '';
  return {
    rulesetLoaded(ruleset) {
      const found = describeUnknown(ruleset);
      const before = unknown;
      unknown = found.join('\n');
      if (unknown !== before) for (const problem of found) logger.warn(`Rules of a newer version: ${problem}`);
    },
    rulesetInvalid(problem) {
      if (problem === undefined) logger.info('The stored ruleset is valid again and in force');
      else logger.error({ problem }, 'The stored ruleset is invalid; the last valid one stays in force');
    },
    databaseAway(away, error) {
      if (away) logger.error(causeOf(error), 'PostgreSQL cannot be used: rules and known subjects stay unchanged');
      else logger.info('PostgreSQL can be used again');
    },
    databaseWentBack: (from, to) =>
      logger.warn(
        `PostgreSQL went back from change ${from} to ${to}: it was restored, or lost the last changes in a failover. Its current state is in force`,
      ),
    snapshotFailed: (error) =>
      logger.error(
        { err: error },
        'The snapshot of the ruleset could not be written; Tollgate tries again. Until then, a start without PostgreSQL has older rules or none',
      ),
  };
}

/** Returns the cause of a failure for the log. The stack of an outage would have no information. */
function causeOf(error: unknown): object {
  return isOutage(error) ? { reason: whyUnusable(error) } : { err: error };
}

function loggedUsage(logger: Logger): Pick<StartUsageOptions, 'onState' | 'onRejected' | 'onRetentionError'> {
  return {
    onState(failing) {
      if (failing) logger.error(causeOf(failing.error), 'Usage cannot be stored yet, and is kept in memory');
      else logger.info('Usage is stored again');
    },
    onRejected: (error) => logger.error({ err: error }, 'PostgreSQL rejected a batch of usage: the batch is lost'),
    onRetentionError: (error) => logger.error({ err: error }, 'Old usage could not be dropped; Tollgate tries again'),
  };
}

const RULES_METHODS = Object.keys(broadcastRules([])) as (keyof LiveRulesObserver)[];
