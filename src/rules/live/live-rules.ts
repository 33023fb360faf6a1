import type { StreamFilter } from '../../model/open-stream.js';
import type { RedisClient } from '../../model/redis-client.js';
import type { Rule } from '../../model/rule.js';
import type { Subject } from '../../model/subject.js';
import type { Connections, Db } from '../../postgres/db.js';
import { describeRejection, isSettingMistake } from '../../postgres/describe-rejection.js';
import { OWN_MIGRATIONS } from '../../postgres/own-migrations.js';
import { poll } from '../../runtime/poll.js';
import type { Ruleset } from '../matching/ruleset.js';
import { describeUnknown } from '../policy/denying-rule.js';
import type { EndedAccess } from '../store/create-change-log.js';
import type { RulesStore } from '../store/rules-store.js';
import { createChangeFeed, readRecentChanges } from './change-feed.js';
import { createChangeSignals } from './create-change-signals.js';
import { createDatabaseState, type DatabaseState } from './create-database-state.js';
import { readDisabledSubjects } from './create-disabled-subjects.js';
import { createKeyUse } from './create-key-use.js';
import { createLiveRuleset, type LiveRuleset } from './create-live-ruleset.js';
import type { RulesetSource } from './create-ruleset-in-force.js';
import type { Unsaved } from './create-snapshot-saver.js';
import type { LiveRulesObserver } from './live-rules-observer.js';
import { isOfRules, notifyInForce, putInForce } from './put-in-force.js';
import { createSharedCache, type SharedCache } from './shared-cache.js';
import { createSnapshotFile } from './snapshot-file.js';
import { readChangedRules, readDatabaseId, readFingerprint, readStoredRules } from './stored-rules.js';
import { createSubjectCache, type SubjectCache } from './subject-cache.js';

export interface LiveRulesOptions {
  db: Db;
  store: RulesStore;
  /**
   * Redis for shared copies and notifications of changes. Without it, changes are found by polling.
   */
  redis: RedisClient | undefined;
  /**
   * Migrates the database and adds missing tiers, before the rules are read. Called again until it
   * succeeds.
   */
  prepare(): Promise<void>;
  rulesInCode?: readonly Rule[];
  /** Path of the snapshot file, for a start without PostgreSQL. @default no snapshot */
  snapshotPath?: string;
  observer?: LiveRulesObserver;
  /** Called with each caller whose counters were reset by any instance. Must not throw. */
  onQuotaReset?(subject: Subject): void;
  /**
   * Called when an administrator has ended subscriptions and WebSockets, through any instance. Must
   * not throw.
   * @param ageMs age of the change in milliseconds. Streams that opened after it stay open
   */
  onStreamsEnded?(filter: StreamFilter, ageMs: number): void;
  /**
   * Called when registered documents may have changed, and once at the start. If it rejects, it is
   * called again with the next poll.
   */
  onDocumentsChanged?(): Promise<void>;
  /** Interval of polling for changes, in milliseconds. @default 1000 */
  pollMs?: number;
  /** Interval of checks for writes that bypass Tollgate, in milliseconds. @default 10000 */
  resyncMs?: number;
  /**
   * Maximum time that a caller without a cached entry waits for the database, in milliseconds.
   * @default 1000
   */
  identityDeadlineMs?: number;
}

export interface RulesHealth {
  /** Number of the latest change of a tier or rule that is in force. */
  version: number;
  source: RulesetSource;
  /** Reason why the stored ruleset is not in force. Undefined if it is. */
  invalid: string | undefined;
  /** Rules and tiers with features that this version does not know, one sentence each. */
  unknown: readonly string[];
  /**
   * Start and reason of the current outage of PostgreSQL, or undefined. `isAnswering` is set if the
   * server responds but cannot be used.
   */
  databaseAway: { sinceMs: number; reason: string; isAnswering: boolean } | undefined;
  /**
   * Start and reason of the failure to write the snapshot, which a start without PostgreSQL needs.
   * Undefined if the last write succeeded, or if no snapshot is configured.
   */
  unsaved: Pick<Unsaved, 'sinceMs' | 'reason'> | undefined;
}

/** The current rules and subjects, updated with each change in the database. */
export interface LiveRules {
  ruleset(): Ruleset;
  readonly subjects: SubjectCache;
  health(): RulesHealth;
  close(): Promise<void>;
}

/**
 * Number of resyncs between attempts to write the snapshot after a failure. Attempts are rare
 * because each failure, for example on a full disk, writes a line to the log.
 */
const SAVE_AGAIN_AFTER = 6;

/**
 * Number of the latest migration of this version, for the keys of copies in Redis. A copy that an
 * older version wrote lacks the columns of later migrations.
 */
const SCHEMA = Number(Object.keys(OWN_MIGRATIONS).sort().at(-1)?.slice(0, 4));

/**
 * Thrown at the start when PostgreSQL is unavailable and no snapshot exists. It is also thrown when
 * a setting is wrong, such as the password or the name of the database, because a retry cannot
 * succeed.
 */
export class DatabaseAway extends Error {}

/**
 * Loads tiers and rules and keeps them up to date. While PostgreSQL is unavailable, the last known
 * state stays in use. A start without PostgreSQL uses the snapshot on disk.
 * @throws DatabaseAway if PostgreSQL is unavailable without a snapshot, or if a setting is wrong
 */
export async function startLiveRules(options: LiveRulesOptions): Promise<LiveRules> {
  const {
    db,
    store,
    redis,
    prepare,
    observer = {},
    onQuotaReset = () => {},
    onStreamsEnded = () => {},
    onDocumentsChanged = async () => {},
  } = options;
  const { pollMs = 1000, resyncMs = 10_000, identityDeadlineMs } = options;
  const lookups = db.lookups ?? db;
  let databaseId: string | undefined;
  let isFollowing = false;
  let stopPolling: (() => void) | undefined;

  const shared =
    redis &&
    createSharedCache(
      redis,
      () => (databaseId === undefined ? undefined : `${databaseId}:${SCHEMA}`),
      () => observer.copyRepaired?.(),
    );
  const live = rulesetFor(options, { lookups, shared, database: () => databaseId });
  const keyUse = createKeyUse({ db });
  const subjects = createSubjectCache({
    db: lookups,
    shared,
    onKeyUsed: keyUse.seen,
    onLookup: (kind, level) => observer.lookedUp?.(kind, level),
    ...(identityDeadlineMs !== undefined && { deadlineMs: identityDeadlineMs }),
  });
  const database = createDatabaseState((isAway, error) => {
    // The feed reports success only after it has applied the changes, including those that were
    // made during the outage.
    if (!isAway) subjects.believeAgain();
    observer.databaseAway?.(isAway, error);
  });
  const feed = createChangeFeed({
    db: lookups,
    apply: (changes, news) =>
      putInForce(changes, news, {
        lookups,
        subjects,
        live,
        observer,
        onQuotaReset,
        onStreamsEnded,
        onDocumentsChanged,
      }),
    onApplied: (changes, tookMs) => notifyInForce(observer, changes, tookMs),
    onLook: database.report,
    pollMs,
  });
  const signals =
    redis &&
    createChangeSignals(redis, {
      changed: (number) => void (isFollowing && feed.look(number)),
      ended: (access) => void endAccess(access),
    });
  // The change is in force here before its author receives the response. Other instances are
  // notified afterwards.
  const stopListening = store.onChange(async ({ number }, ended) => {
    if (isFollowing) await feed.look(number);
    signals?.publish(number, ended);
  });

  /**
   * Ends the access of a caller after a report of another instance. Normally, the feed reads the
   * change from the database, and the report is not needed. During an outage of the database, only
   * the report prevents a cached caller from keeping its access.
   */
  async function endAccess(access: EndedAccess): Promise<void> {
    if (isFollowing) await feed.look();
    if (database.away !== undefined) subjects.end(access);
  }

  /** Starts to follow the database: reads its current state, then every change. */
  async function follow(): Promise<void> {
    await prepare();
    databaseId = await readDatabaseId(lookups);
    const recent = await readRecentChanges(lookups);
    subjects.forget(recent.changes, recent);
    // The feed delivers the changes that are committed after this read.
    subjects.replaceDisabled(await readDisabledSubjects(lookups));
    await loadFirst(live, recent.changes.filter(isOfRules).at(-1)?.number);
    await onDocumentsChanged();
    feed.start(recent.number);
    isFollowing = true;
    database.report(undefined);
  }

  async function close(): Promise<void> {
    stopPolling?.();
    stopListening();
    signals?.close();
    await feed.close();
    await live.close();
    await keyUse.close();
  }

  try {
    const failure = (await failureToReach(lookups)) ?? (await rejectionOf(follow()));
    if (failure !== undefined) {
      databaseId = await loadLeft(live, failure);
      database.report(failure);
    }
  } catch (error) {
    await close();
    throw error;
  }
  stopPolling = poll(
    () => (isFollowing ? resync(live, lookups, resyncMs) : follow()).catch(database.report),
    () => (isFollowing ? resyncMs : pollMs),
  );

  return { ruleset: live.current, subjects, health: () => healthOf(live, database), close };
}

interface RulesetParts {
  lookups: Connections;
  shared: SharedCache | undefined;
  /** Returns the id of the database once it is known. */
  database(): string | undefined;
}

function rulesetFor(options: LiveRulesOptions, { lookups, shared, database }: RulesetParts): LiveRuleset {
  const { rulesInCode = [], snapshotPath, observer = {} } = options;
  return createLiveRuleset({
    read: () => readStoredRules(lookups),
    readChanged: (number) => readChangedRules(lookups, number),
    rulesInCode,
    shared,
    snapshot: snapshotPath === undefined ? undefined : createSnapshotFile(snapshotPath),
    database,
    onLoad(source, ruleset) {
      observer.lookedUp?.('ruleset', source === 'snapshot' ? 'none' : source);
      observer.rulesetLoaded?.(ruleset, source);
    },
    onInvalid: (problem) => observer.rulesetInvalid?.(problem),
    onSnapshotFailure: (error) => observer.snapshotFailed?.(error),
  });
}

/** Loads the stored ruleset. If it is invalid, loads the snapshot of the last valid ruleset. */
async function loadFirst(live: LiveRuleset, number: number | undefined): Promise<void> {
  try {
    await live.load(number);
  } catch (error) {
    if (live.problem === undefined || !(await live.loadSnapshot())) throw error;
  }
}

/**
 * Loads the snapshot that an earlier process has written. It is used while the database is
 * unavailable. Returns the id of the snapshot's database.
 */
async function loadLeft(live: LiveRuleset, failure: unknown): Promise<string> {
  const reason = reasonOf(failure);
  if (isSettingMistake(failure)) throw new DatabaseAway(reason, { cause: failure });
  const left = await live.loadSnapshot();
  if (!left) {
    throw new DatabaseAway(`${reason}; there is no snapshot of an earlier ruleset to start with`, { cause: failure });
  }
  return left.database;
}

/**
 * Reloads the ruleset if the tables have changed. A write that bypasses Tollgate has no change
 * number: only the fingerprint reveals it. `update` reads only changed rows and clears the
 * fingerprint, so the next resync reads all rows.
 */
async function resync(live: LiveRuleset, lookups: Connections, resyncMs: number): Promise<void> {
  const isToBeSaved = live.unsaved !== undefined && Date.now() - live.unsaved.triedMs > SAVE_AGAIN_AFTER * resyncMs;
  if (isToBeSaved || (await readFingerprint(lookups)) !== live.fingerprint) await live.load();
}

function healthOf(live: LiveRuleset, database: DatabaseState): RulesHealth {
  return {
    version: live.current().version,
    source: live.source ?? 'postgres',
    invalid: live.problem,
    unknown: describeUnknown(live.current()),
    databaseAway: database.away,
    unsaved: live.unsaved,
  };
}

/** Returns the message of the driver, after Tollgate's explanation if there is one. */
function reasonOf(failure: unknown): string {
  if (failure instanceof AggregateError) return failure.errors.map(reasonOf).join('; ');
  const words = failure instanceof Error ? failure.message : String(failure);
  const rejection = describeRejection(failure);
  return rejection === undefined ? words : `${rejection} (${words})`;
}

async function failureToReach(db: Connections): Promise<unknown> {
  try {
    await db.query('select 1');
    return undefined;
  } catch (error) {
    return error;
  }
}

/**
 * Returns the error with which `use` rejects, if Tollgate can explain it. Rejects with any other
 * error. Returns undefined if `use` resolves.
 */
async function rejectionOf(use: Promise<void>): Promise<unknown> {
  try {
    await use;
    return undefined;
  } catch (error) {
    if (describeRejection(error) === undefined) throw error;
    return error;
  }
}
