import type { RedisClient } from '../../model/redis-client.js';
import type { Rule } from '../../model/rule.js';
import type { Subject } from '../../model/subject.js';
import type { Connections, Db } from '../../postgres/db.js';
import { describeRefusal, isSettingMistake } from '../../postgres/describe-refusal.js';
import { poll } from '../../runtime/poll.js';
import type { Ruleset } from '../matching/ruleset.js';
import type { EndedAccess } from '../store/create-change-log.js';
import type { RulesStore } from '../store/rules-store.js';
import { createChangeFeed, readRecentChanges } from './change-feed.js';
import { createChangeSignals } from './create-change-signals.js';
import { createDatabaseState, type DatabaseState } from './create-database-state.js';
import { createKeyUse } from './create-key-use.js';
import { createLiveRuleset, type LiveRuleset } from './create-live-ruleset.js';
import type { RulesetSource } from './create-ruleset-in-force.js';
import { readShutOut } from './create-shut-out.js';
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
  /** Shared copies, and word of changes. Without it a change is heard of by polling. */
  redis: RedisClient | undefined;
  /** Brings the database to where it can be read: tables and first tiers. Called again until it succeeds. */
  prepare(): Promise<void>;
  rulesInCode?: readonly Rule[];
  /** Where the last good ruleset is kept, for a start without PostgreSQL. @default nowhere */
  snapshotPath?: string;
  observer?: LiveRulesObserver;
  /** Called with each caller whose counters were emptied through some instance. Must not throw. */
  onQuotaReset?(subject: Subject): void;
  /** How often the number of the latest change is asked for. @default 1000 */
  pollMs?: number;
  /** How often it is looked whether the tables were written to past Tollgate. @default 10000 */
  resyncMs?: number;
  /** How long a caller that no cache knows waits for the database. @default 1000 */
  identityDeadlineMs?: number;
}

export interface RulesHealth {
  /** The number of the latest change of a tier or rule that is in force. */
  version: number;
  source: RulesetSource;
  /** Why the stored ruleset is not the one in force; undefined when it is. */
  invalid: string | undefined;
  /** Since when and why PostgreSQL cannot be used, though its server may answer; undefined when it can. */
  databaseAway: { sinceMs: number; reason: string; isAnswering: boolean } | undefined;
  /** Since when and why the snapshot for a start without PostgreSQL cannot be written; undefined when it can. */
  unsaved: Pick<Unsaved, 'sinceMs' | 'reason'> | undefined;
}

/** Rules and subjects as they are now, kept so by the changes of the database. */
export interface LiveRules {
  ruleset(): Ruleset;
  readonly subjects: SubjectCache;
  health(): RulesHealth;
  close(): Promise<void>;
}

/** A disk that is full is asked so much more rarely than PostgreSQL: each time is a line in the log. */
const SAVE_AGAIN_AFTER = 6;

/** PostgreSQL does not answer, or lets nobody in, and nothing was left on disk to start with. */
export class DatabaseAway extends Error {}

/**
 * Loads tiers and rules and keeps them up to date. While PostgreSQL is away, everything goes on with what is known; a
 * start without it takes the snapshot on disk.
 */
export async function startLiveRules(options: LiveRulesOptions): Promise<LiveRules> {
  const { db, store, redis, prepare, observer = {}, onQuotaReset = () => {} } = options;
  const { pollMs = 1000, resyncMs = 10_000, identityDeadlineMs } = options;
  const lookups = db.lookups ?? db;
  let databaseId: string | undefined;
  let isFollowing = false;
  let stopPolling: (() => void) | undefined;

  const shared =
    redis &&
    createSharedCache(
      redis,
      () => databaseId,
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
    // The changes themselves are known by now.
    if (!isAway) subjects.believeAgain();
    observer.databaseAway?.(isAway, error);
  });
  const feed = createChangeFeed({
    db: lookups,
    apply: (changes, news) => putInForce(changes, news, { lookups, subjects, live, observer, onQuotaReset }),
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
  // Who gets the answer to a change finds it in force here; the others are notified once Redis has a copy for them.
  const stopListening = store.onChange(async ({ number }, ended) => {
    if (isFollowing) await feed.look(number);
    signals?.publish(number, ended);
  });

  /** Copies of callers outlive an outage of the database, but not the news that they were revoked. */
  async function endAccess(access: EndedAccess): Promise<void> {
    if (isFollowing) await feed.look();
    if (database.away !== undefined) subjects.end(access);
  }

  /** From here on the database is read: everything as it is now, then every change. */
  async function follow(): Promise<void> {
    await prepare();
    databaseId = await readDatabaseId(lookups);
    const recent = await readRecentChanges(lookups);
    subjects.forget(recent.changes, recent);
    // What changes from here on comes with the feed.
    subjects.shutOut(await readShutOut(lookups));
    await loadFirst(live, recent.changes.filter(isOfRules).at(-1)?.number);
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
    const failure = (await failureToReach(lookups)) ?? (await refusalOf(follow()));
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
  /** Names the database, once it is known. */
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

/** A stored ruleset that cannot be used does not keep the last good one from being served. */
async function loadFirst(live: LiveRuleset, number: number | undefined): Promise<void> {
  try {
    await live.load(number);
  } catch (error) {
    if (live.problem === undefined || !(await live.loadSnapshot())) throw error;
  }
}

/** Puts in force what the last process has left, without the database; returns of which one it is. */
async function loadLeft(live: LiveRuleset, failure: unknown): Promise<string> {
  const reason = reasonOf(failure);
  if (isSettingMistake(failure)) throw new DatabaseAway(reason, { cause: failure });
  const left = await live.loadSnapshot();
  if (!left) {
    throw new DatabaseAway(`${reason}; there is no snapshot of an earlier ruleset to start with`, { cause: failure });
  }
  return left.database;
}

/** A row that was written past Tollgate has no number: the tables themselves say that they have changed. After changes
 * of which only their rows were read, this is the look at all of them. */
async function resync(live: LiveRuleset, lookups: Connections, resyncMs: number): Promise<void> {
  const isToBeSaved = live.unsaved !== undefined && Date.now() - live.unsaved.triedMs > SAVE_AGAIN_AFTER * resyncMs;
  if (isToBeSaved || (await readFingerprint(lookups)) !== live.fingerprint) await live.load();
}

function healthOf(live: LiveRuleset, database: DatabaseState): RulesHealth {
  return {
    version: live.current().version,
    source: live.source ?? 'postgres',
    invalid: live.problem,
    databaseAway: database.away,
    unsaved: live.unsaved,
  };
}

/** The words of the driver, behind ours where there are some. */
function reasonOf(failure: unknown): string {
  if (failure instanceof AggregateError) return failure.errors.map(reasonOf).join('; ');
  const words = failure instanceof Error ? failure.message : String(failure);
  const refusal = describeRefusal(failure);
  return refusal === undefined ? words : `${refusal} (${words})`;
}

async function failureToReach(db: Connections): Promise<unknown> {
  try {
    await db.query('select 1');
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Why the database cannot be used; what went wrong otherwise rejects. */
async function refusalOf(use: Promise<void>): Promise<unknown> {
  try {
    await use;
    return undefined;
  } catch (error) {
    if (describeRefusal(error) === undefined) throw error;
    return error;
  }
}
