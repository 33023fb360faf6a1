import type { StreamFilter } from '../../model/open-stream.js';
import type { Subject } from '../../model/subject.js';
import type { Connections } from '../../postgres/db.js';
import { poll } from '../../runtime/poll.js';
import type { ChangedEntity } from '../store/create-change-log.js';

/** One committed change, with the data needed to invalidate cached copies. */
export interface FeedChange {
  number: number;
  entity: ChangedEntity;
  /** Key of the object: a tier's name, an API key's prefix, or the id of a subject or rule. */
  key: string;
  /** User of the changed subject. Null if it has none. */
  user: string | null;
  tenant: string | null;
  /**
   * Whether the subject is disabled after this change. Null for a quota reset and for ended
   * subscriptions, which do not disable or enable a subject.
   */
  disabled: boolean | null;
  /** Caller whose counters were reset. Null if none were. */
  reset: Subject | null;
  /** Condition of the subscriptions and WebSockets that an administrator has ended. Null if none were. */
  endedStreams: StreamFilter | null;
  /** Age of the change when it was read, in milliseconds by the clock of the database. */
  ageMs: number;
}

/** Position of the feed after a list of changes. */
export interface FeedNews {
  /** Number of the latest change, listed or not. */
  number: number;
  /**
   * Number of the last change before the listed changes. Absent if the list has all changes since
   * the previous call of `apply`.
   */
  from?: number;
  /**
   * Number of the latest change that was in force here, if a restore or failover of the database
   * has removed it.
   */
  wentBackFrom?: number;
}

interface ChangeFeedOptions {
  db: Connections;
  /**
   * Puts changes in force, in order, up to `number`. If it rejects, the next poll passes the same
   * changes again.
   */
  apply(changes: readonly FeedChange[], news: FeedNews): Promise<void>;
  /** Called with the changes that are in force now, and the milliseconds since they were read. */
  onApplied?(changes: readonly FeedChange[], tookMs: number): void;
  /** Called with the result of each poll. An error means that the database is unavailable. */
  onLook(error: unknown): void;
  /** @default 1000 */
  pollMs?: number;
}

/**
 * Follows the committed changes by their rising numbers. The feed never applies a state that is
 * older than the current one. The exception is a database that has returned to an earlier state, by
 * a restore or a failover. The feed then applies its entire content.
 */
export interface ChangeFeed {
  /** Number of the latest change in force here. All earlier changes are in force too. */
  readonly number: number;
  /**
   * Looks for new changes. `hint` is the number of a change from a notification. If this change is
   * already in force, the feed sends no query. Otherwise the feed reads the database and does not
   * rely on the hint. Never rejects.
   */
  look(hint?: number): Promise<void>;
  /**
   * Continues from `number` and polls every `pollMs`. Polling finds changes whose notifications
   * were lost.
   */
  start(number: number): void;
  close(): Promise<void>;
}

/**
 * Maximum number of changes that are passed to `apply`. If there are more, only the latest are
 * passed, and all entries that were cached before these become invalid.
 */
const MAX_CHANGES = 1000;
/**
 * Number of polls without changes after which the feed checks whether the database has returned to
 * an earlier state.
 */
const LOOKS_PER_CHECK = 10;

export function createChangeFeed({
  db,
  apply,
  onApplied = () => {},
  onLook,
  pollMs = 1000,
}: ChangeFeedOptions): ChangeFeed {
  let number = 0;
  let closed = false;
  let quietLooks = 0;
  let stopPolling: (() => void) | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain: Promise<void> | undefined;
  /** Largest hint among the callers of the queued look. Infinity if one of them passed no hint. */
  let latestHint = 0;

  async function lookOnce(): Promise<void> {
    try {
      const changes = await readChanges(db, number);
      const readMs = performance.now();
      if (changes.length > MAX_CHANGES) {
        const recent = await readRecentChanges(db);
        await apply(recent.changes, recent);
        number = recent.number;
      } else if (changes.length > 0) {
        const latest = changes.at(-1)!.number;
        await apply(changes, { number: latest });
        number = latest;
        onApplied(changes, performance.now() - readMs);
      } else if (++quietLooks % LOOKS_PER_CHECK === 0 && (await hasGoneBack(db, number))) {
        const recent = await readRecentChanges(db);
        await apply(recent.changes, { ...recent, wentBackFrom: number });
        number = recent.number;
      }
      if (!closed) onLook(undefined);
    } catch (error) {
      if (!closed) onLook(error);
    }
  }

  const feed: ChangeFeed = {
    get number() {
      return number;
    },
    look(hint) {
      if (closed || (hint !== undefined && hint <= number)) return Promise.resolve();
      if (!looking) {
        looking = lookOnce().finally(() => {
          looking = undefined;
        });
        return looking;
      }
      // The query in flight may have run before the change was committed. One further look, which
      // all callers share, reads the change.
      latestHint = Math.max(latestHint, hint ?? Number.POSITIVE_INFINITY);
      lookAgain ??= looking.then(() => {
        const latest = latestHint;
        lookAgain = undefined;
        latestHint = 0;
        return feed.look(latest);
      });
      return lookAgain;
    },
    start(from) {
      number = Math.max(number, from);
      stopPolling ??= poll(() => feed.look(), pollMs);
    },
    async close() {
      closed = true;
      stopPolling?.();
      await looking;
    },
  };
  return feed;
}

function readChanges(db: Connections, after: number): Promise<FeedChange[]> {
  return db.query<FeedChange>(
    `select number, entity, entity_key as key, coalesce(after, before) ->> 'user' as user,
       coalesce(after, before) ->> 'tenant' as tenant,
       case when action not in ('RESET_QUOTA', 'END_STREAMS') then after ->> 'disabledAt' is not null end as disabled,
       case when action = 'RESET_QUOTA' then after -> 'counted' end as reset,
       case when action = 'END_STREAMS' then after -> 'ended' end as "endedStreams",
       extract(epoch from clock_timestamp() - changed_at)::double precision * 1000 as "ageMs"
     from changes where number > $1 order by number limit ${MAX_CHANGES + 1}`,
    [after],
  );
}

async function readLatest(db: Connections): Promise<number> {
  const [row] = await db.query<{ number: number }>('select coalesce(max(number), 0) as number from changes');
  return row!.number;
}

/**
 * Whether the database has lost changes that were in force here. A standby does not count: it may
 * be behind the primary without having lost changes.
 */
async function hasGoneBack(db: Connections, number: number): Promise<boolean> {
  const [row] = await db.query<{ back: boolean }>(
    'select coalesce(max(number), 0) < $1 and not pg_is_in_recovery() as back from changes',
    [number],
  );
  return row!.back;
}

/**
 * Returns the latest changes, oldest first, for an instance that starts or starts over. Changes up
 * to number `from` are omitted.
 */
export async function readRecentChanges(
  db: Connections,
): Promise<{ changes: FeedChange[]; number: number; from: number }> {
  const number = await readLatest(db);
  const from = Math.max(0, number - MAX_CHANGES);
  const changes = await readChanges(db, from);
  return { changes: changes.filter((change) => change.number <= number), number, from };
}
