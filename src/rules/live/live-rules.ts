import type { RedisClient } from '../../model/redis-client.js';
import type { Rule } from '../../model/rule.js';
import type { Subject } from '../../model/subject.js';
import type { Connections, Db } from '../../postgres/db.js';
import { describeRefusal, isSettingMistake } from '../../postgres/describe-refusal.js';
import { poll } from '../../runtime/poll.js';
import type { Ruleset } from '../matching/ruleset.js';
import type { ChangedEntity, EndedAccess } from '../store/create-change-log.js';
import type { RulesStore } from '../store/rules-store.js';
import { createChangeFeed, type FeedChange, type FeedNews, readRecentChanges } from './change-feed.js';
import { createChangeSignals } from './create-change-signals.js';
import { createKeyUse } from './create-key-use.js';
import { createLiveRuleset } from './create-live-ruleset.js';
import type { RulesetSource } from './create-ruleset-in-force.js';
import { readShutOut } from './create-shut-out.js';
import type { Unsaved } from './create-snapshot-saver.js';
import { createSharedCache } from './shared-cache.js';
import { createSnapshotFile } from './snapshot-file.js';
import { readChangedRules, readDatabaseId, readFingerprint, readStoredRules } from './stored-rules.js';
import { type CacheLevel, createSubjectCache, type SubjectCache } from './subject-cache.js';

/** What a change is about, for this process: those of administrators' tokens and attempts are kept by nobody. */
export type ChangeKind = 'ruleset' | 'subject' | 'api_key';

/** Is notified of what happens, for metrics and logs; must not throw. */
export interface LiveRulesObserver {
  lookedUp?(kind: 'ruleset' | 'api_key' | 'subject', level: CacheLevel): void;
  rulesetLoaded?(ruleset: Ruleset, source: RulesetSource): void;
  /** The stored ruleset cannot be used, and why; undefined: it can be again. */
  rulesetInvalid?(problem: string | undefined): void;
  /** A change is in force here, so long after it was made. */
  changeInForce?(kind: ChangeKind, afterMs: number): void;
  databaseAway?(away: boolean, error: unknown): void;
  /** The database was restored, or lost its last changes in a failover: what it holds is in force, up to change `to` in place of `from`. */
  databaseWentBack?(from: number, to: number): void;
  snapshotFailed?(error: unknown): void;
  /** A copy in Redis was none of ours, and is overwritten. */
  copyRepaired?(): void;
}

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
  const { db, store, redis, prepare, rulesInCode = [], snapshotPath, observer = {} } = options;
  const { onQuotaReset = () => {} } = options;
  const { pollMs = 1000, resyncMs = 10_000, identityDeadlineMs } = options;
  const lookups = db.lookups ?? db;
  let databaseId: string | undefined;
  let isFollowing = false;
  let away: RulesHealth['databaseAway'];
  let stopPolling: (() => void) | undefined;

  const shared =
    redis &&
    createSharedCache(
      redis,
      () => databaseId,
      () => observer.copyRepaired?.(),
    );
  const live = createLiveRuleset({
    read: () => readStoredRules(lookups),
    readChanged: (number) => readChangedRules(lookups, number),
    rulesInCode,
    shared,
    snapshot: snapshotPath === undefined ? undefined : createSnapshotFile(snapshotPath),
    database: () => databaseId,
    onLoad(source, ruleset) {
      observer.lookedUp?.('ruleset', source === 'snapshot' ? 'none' : source);
      observer.rulesetLoaded?.(ruleset, source);
    },
    onInvalid: (problem) => observer.rulesetInvalid?.(problem),
    onSnapshotFailure: (error) => observer.snapshotFailed?.(error),
  });
  const keyUse = createKeyUse({ db });
  const subjects = createSubjectCache({
    db: lookups,
    shared,
    onKeyUsed: keyUse.seen,
    onLookup: (kind, level) => observer.lookedUp?.(kind, level),
    ...(identityDeadlineMs !== undefined && { deadlineMs: identityDeadlineMs }),
  });
  const feed = createChangeFeed({ db: lookups, apply, onApplied: onChangesInForce, onLook: onDatabaseState, pollMs });
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
    if (away !== undefined) subjects.end(access);
  }

  async function apply(changes: readonly FeedChange[], news: FeedNews): Promise<void> {
    if (news.wentBackFrom !== undefined) subjects.startAnew();
    subjects.forget(changes, news);
    for (const { reset } of changes) if (reset !== null) onQuotaReset(reset);
    if (news.from !== undefined) subjects.shutOut(await readShutOut(lookups));
    if (news.wentBackFrom !== undefined) {
      await live.load();
      observer.databaseWentBack?.(news.wentBackFrom, news.number);
      return;
    }
    const ofRules = changes.some(isOfRules);
    if (ofRules || news.from !== undefined) await live.update();
  }

  function onChangesInForce(changes: readonly FeedChange[], tookMs: number): void {
    for (const { entity, ageMs } of changes) {
      const kind = KINDS[entity];
      if (kind) observer.changeInForce?.(kind, ageMs + tookMs);
    }
  }

  /** From here on the database is read: everything as it is now, then every change. */
  async function follow(): Promise<void> {
    await prepare();
    databaseId = await readDatabaseId(lookups);
    const recent = await readRecentChanges(lookups);
    subjects.forget(recent.changes, recent);
    // What changes from here on comes with the feed.
    subjects.shutOut(await readShutOut(lookups));
    await loadFirst(recent.changes.filter(isOfRules).at(-1)?.number);
    feed.start(recent.number);
    isFollowing = true;
    onDatabaseState(undefined);
  }

  /** A stored ruleset that cannot be used does not keep the last good one from being served. */
  async function loadFirst(number: number | undefined): Promise<void> {
    try {
      await live.load(number);
    } catch (error) {
      if (live.problem === undefined || !(await live.loadSnapshot())) throw error;
    }
  }

  function onDatabaseState(error: unknown): void {
    const wasAway = away !== undefined;
    if (error === undefined) away = undefined;
    else {
      const refusal = describeRefusal(error);
      const reason = refusal ?? (error instanceof Error ? error.message : String(error));
      away = { sinceMs: away?.sinceMs ?? Date.now(), reason, isAnswering: refusal !== undefined };
    }
    // The changes themselves are known by now.
    if (wasAway && away === undefined) subjects.believeAgain();
    if (wasAway !== (away !== undefined)) observer.databaseAway?.(!wasAway, error);
  }

  /** A row that was written past Tollgate has no number: the tables themselves say that they have changed. After changes
   * of which only their rows were read, this is the look at all of them. */
  async function resync(): Promise<void> {
    const isToBeSaved = live.unsaved !== undefined && Date.now() - live.unsaved.triedMs > SAVE_AGAIN_AFTER * resyncMs;
    if (isToBeSaved || (await readFingerprint(lookups)) !== live.fingerprint) await live.load();
  }

  async function startWithoutDatabase(failure: unknown): Promise<void> {
    const reason = reasonOf(failure);
    if (isSettingMistake(failure)) throw new DatabaseAway(reason, { cause: failure });
    const left = await live.loadSnapshot();
    if (!left) {
      throw new DatabaseAway(`${reason}; there is no snapshot of an earlier ruleset to start with`, { cause: failure });
    }
    databaseId = left.database;
    onDatabaseState(failure);
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
    if (failure !== undefined) await startWithoutDatabase(failure);
  } catch (error) {
    await close();
    throw error;
  }
  stopPolling = poll(
    () => (isFollowing ? resync() : follow()).catch(onDatabaseState),
    () => (isFollowing ? resyncMs : pollMs),
  );

  return {
    ruleset: live.current,
    subjects,
    health: () => ({
      version: live.current().version,
      source: live.source ?? 'postgres',
      invalid: live.problem,
      databaseAway: away,
      unsaved: live.unsaved,
    }),
    close,
  };
}

const KINDS: Partial<Record<ChangedEntity, ChangeKind>> = {
  TIER: 'ruleset',
  RULE: 'ruleset',
  SUBJECT: 'subject',
  API_KEY: 'api_key',
};

function isOfRules({ entity }: FeedChange): boolean {
  return KINDS[entity] === 'ruleset';
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

/** One observer that notifies several. */
export function broadcastRules(observers: readonly LiveRulesObserver[]): Required<LiveRulesObserver> {
  return {
    lookedUp(kind, level) {
      for (const one of observers) one.lookedUp?.(kind, level);
    },
    rulesetLoaded(ruleset, source) {
      for (const one of observers) one.rulesetLoaded?.(ruleset, source);
    },
    rulesetInvalid(problem) {
      for (const one of observers) one.rulesetInvalid?.(problem);
    },
    changeInForce(kind, afterMs) {
      for (const one of observers) one.changeInForce?.(kind, afterMs);
    },
    databaseWentBack(from, to) {
      for (const one of observers) one.databaseWentBack?.(from, to);
    },
    databaseAway(away, error) {
      for (const one of observers) one.databaseAway?.(away, error);
    },
    snapshotFailed(error) {
      for (const one of observers) one.snapshotFailed?.(error);
    },
    copyRepaired() {
      for (const one of observers) one.copyRepaired?.();
    },
  };
}
