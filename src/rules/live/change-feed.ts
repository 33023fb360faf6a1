import type { Subject } from '../../model/subject.js';
import type { Connections } from '../../postgres/db.js';
import { poll } from '../../runtime/poll.js';
import type { ChangedEntity } from '../store/create-change-log.js';

/** One committed change, with what is needed to forget the copies of it. */
export interface FeedChange {
  number: number;
  entity: ChangedEntity;
  /** A tier's name, a key's prefix, the id of a subject or rule. */
  key: string;
  /** Of a subject: whose row it is; null where it has none. */
  user: string | null;
  tenant: string | null;
  /** Of a subject: it must not use the API from this change on; null where the change says nothing of that. */
  disabled: boolean | null;
  /** Whose counters were emptied; null where none were. */
  reset: Subject | null;
  /** How long ago it was made when it was read, by the clock of the database. */
  ageMs: number;
}

export interface FeedNews {
  number: number;
  /** There were too many to list: these are the ones after it. */
  from?: number;
  /** The number that was in force, of a history that the database no longer has: it was restored, or lost its last changes in a failover. */
  wentBackFrom?: number;
}

interface ChangeFeedOptions {
  db: Connections;
  /**
   * Puts changes in force, in order, up to `number`. When it rejects, the same changes come again with the next look.
   */
  apply(changes: readonly FeedChange[], news: FeedNews): Promise<void>;
  /** Called with the changes that are in force now, and how long after they were read. */
  onApplied?(changes: readonly FeedChange[], tookMs: number): void;
  /** Called with how each look went; an error: the database is away. */
  onLook(error: unknown): void;
  /** @default 1000 */
  pollMs?: number;
}

/**
 * Follows the numbers of committed changes. They only rise, and nothing is ever applied that is older than what is: but where the database
 * itself has gone back, all that it holds is.
 */
export interface ChangeFeed {
  /** Every change up to this number is in force here. */
  readonly number: number;
  /**
   * Looks whether there is something new. `hint` is a number somebody has heard of: one that is in force already costs
   * nothing, and no other is believed before the database has confirmed it. Never rejects.
   */
  look(hint?: number): Promise<void>;
  /** Goes on from `number`, and looks every `pollMs` from now on: that heals a lost message. */
  start(number: number): void;
  close(): Promise<void>;
}

/** More than these at once are not listed one by one: everything is read again. */
const MAX_CHANGES = 1000;
/** So many looks that found nothing are followed by one at whether the database has gone back. */
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
  /** The latest change of which one who waits for that look has heard; infinite: of one without a number. */
  let heardOf = 0;

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
      // The look under way may have read before the change was committed; one more, shared by all who ask, has not.
      heardOf = Math.max(heardOf, hint ?? Number.POSITIVE_INFINITY);
      lookAgain ??= looking.then(() => {
        const latest = heardOf;
        lookAgain = undefined;
        heardOf = 0;
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
       case when action <> 'RESET_QUOTA' then after ->> 'disabledAt' is not null end as disabled,
       case when action = 'RESET_QUOTA' then after -> 'counted' end as reset,
       extract(epoch from clock_timestamp() - changed_at)::double precision * 1000 as "ageMs"
     from changes where number > $1 order by number limit ${MAX_CHANGES + 1}`,
    [after],
  );
}

async function readLatest(db: Connections): Promise<number> {
  const [row] = await db.query<{ number: number }>('select coalesce(max(number), 0) as number from changes');
  return row!.number;
}

/** A standby may only be behind. */
async function hasGoneBack(db: Connections, number: number): Promise<boolean> {
  const [row] = await db.query<{ back: boolean }>(
    'select coalesce(max(number), 0) < $1 and not pg_is_in_recovery() as back from changes',
    [number],
  );
  return row!.back;
}

/** The latest changes, oldest first, and the number up to which they leave out others. For one who comes anew. */
export async function readRecentChanges(
  db: Connections,
): Promise<{ changes: FeedChange[]; number: number; from: number }> {
  const number = await readLatest(db);
  const from = Math.max(0, number - MAX_CHANGES);
  const changes = await readChanges(db, from);
  return { changes: changes.filter((change) => change.number <= number), number, from };
}
