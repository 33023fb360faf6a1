import { ADVISORY_LOCKS } from '../../postgres/advisory-locks.js';
import type { Connections, Tx } from '../../postgres/db.js';

/**
 * The author of a change and their authentication. `SERVER`: authenticated by the server in which
 * the admin API is mounted. `SYSTEM`: Tollgate itself, for settings and demo data. `NONE`: an
 * address that sent wrong tokens. Such an author changes nothing, but their attempts are recorded.
 */
export interface Actor {
  name: string;
  authMethod: 'ADMIN_TOKEN' | 'SERVER' | 'COMMAND_LINE' | 'SYSTEM' | 'NONE';
}

/**
 * Kind of the object in an entry of the record of changes. `SESSION` is the login or logout of a
 * browser and `ACCESS` a denied attempt: neither changes anything. `SCHEMA` is an API behind
 * gateways whose schema or prices have changed. `DOCUMENTS` is a version of an app, with the
 * documents that it has registered.
 */
export type ChangedEntity =
  | 'TIER'
  | 'SUBJECT'
  | 'API_KEY'
  | 'RULE'
  | 'ADMIN_TOKEN'
  | 'SESSION'
  | 'ACCESS'
  | 'SCHEMA'
  | 'DOCUMENTS';

/**
 * Notice that an object has changed, without its content. Instances with a copy of the object read
 * it again.
 */
export interface ChangeNotice {
  /**
   * Number of the change. It rises with every change, in the order in which changes become visible.
   */
  number: number;
  entity: ChangedEntity;
  /**
   * Key of the object: name of a tier, prefix of a key, id of a subject, rule, admin token or
   * session. For `ACCESS` it is the name of the operation, for `SCHEMA` the address of the API, for
   * `DOCUMENTS` the app and the version, separated by a space.
   */
  key: string;
}

/** An API key that was revoked or deleted, or a user or tenant that was disabled or deleted. */
export type EndedAccess =
  | { entity: 'API_KEY'; key: string }
  | { entity: 'SUBJECT'; user: string | null; tenant: string | null; isDisabled: boolean };

/** SQL expression for the access that an inserted change has ended. */
const ENDED = `case
    when entity = 'API_KEY' and (after is null or after ->> 'revokedAt' is not null)
    then jsonb_build_object('entity', entity, 'key', entity_key)
    when entity = 'SUBJECT' and action not in ('RESET_QUOTA', 'END_STREAMS') and (after is null or after ->> 'disabledAt' is not null)
    then jsonb_build_object('entity', entity, 'user', coalesce(after, before) -> 'user',
      'tenant', coalesce(after, before) -> 'tenant', 'isDisabled', after is not null)
  end as ended`;

export interface ChangeRecord {
  entity: ChangedEntity;
  key: string;
  action:
    | 'CREATE'
    | 'UPDATE'
    | 'RETIRE'
    | 'RESTORE'
    | 'OVERRIDE'
    | 'RESET_QUOTA'
    | 'END_STREAMS'
    | 'DISABLE'
    | 'ENABLE'
    | 'ROTATE'
    | 'REVOKE'
    | 'DELETE'
    | 'LOGIN'
    | 'LOGOUT'
    | 'DENIED';
  /** The object before and after the change, without secrets. Null where it did not exist. */
  before: object | null;
  after: object | null;
}

/** One entry of the record of changes. */
export interface ChangeEntry extends ChangeNotice {
  action: ChangeRecord['action'];
  actor: string;
  authMethod: Actor['authMethod'];
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
  comment: string | null;
  changedAt: Date;
}

/**
 * An entry in the history of an object. It may be about another object that belongs to this one.
 */
export interface OwnedChange extends ChangeEntry {
  /** Key of the object whose history contains the entry. */
  owner: string;
}

/** Conditions for the changes in a list. */
export interface ChangeFilter {
  entity?: ChangedEntity | undefined;
  key?: string | undefined;
  /**
   * Name of the object: its current or a former name. Users and tenants have their id as a name,
   * API keys their prefix, denied attempts the operation, and schemas the address of the API.
   */
  name?: string | undefined;
  actor?: string | undefined;
  /** Start of the period, inclusive. */
  since?: Date | undefined;
  /** End of the period, exclusive. */
  until?: Date | undefined;
}

/** Page of a list, newest first: changes with numbers below `before`. */
export interface ChangePage {
  before: number;
  limit: number;
}

const ENTRY = `number, entity, entity_key as key, action, actor, auth_method as "authMethod", before, after, comment,
  changed_at as "changedAt"`;

/**
 * SQL condition for changes by name. Each part uses an index, because the record grows for years.
 */
const BY_NAME = `and number in (
    select number from changes
    where entity in ('TIER', 'RULE', 'API_KEY', 'ADMIN_TOKEN') and coalesce(after, before) ->> 'name' = $8
    union all
    select number from changes where entity = 'RULE' and entity_key in (select id::text from rules where name = $8)
    union all
    select number from changes where entity = 'SUBJECT' and coalesce(after, before) ->> 'user' = $8
    union all
    select number from changes where entity = 'SUBJECT' and coalesce(after, before) ->> 'tenant' = $8
    union all
    select number from changes where entity in ('API_KEY', 'ACCESS', 'SCHEMA', 'DOCUMENTS') and entity_key = $8
  )`;

/** Query for a page of the history of each object in $2, newest first. */
const HISTORY = `select entry.*, wanted.entity_key as owner from unnest($2::text[]) as wanted (entity_key)
  cross join lateral (
    select ${ENTRY} from changes c
    where c.entity = $1 and c.entity_key = wanted.entity_key and c.number < $3
    order by c.number desc limit $4
  ) as entry
  order by entry.number desc`;

/**
 * Query for a page of the history of each caller in $1, including the changes of their API keys.
 * Each of its two subqueries uses an index and reads at most one page.
 */
const CALLER_HISTORY = `select entry.*, wanted.id as owner from unnest($1::text[]) as wanted (id)
  cross join lateral (
    (select ${ENTRY} from changes c
     where c.entity = 'SUBJECT' and c.entity_key = wanted.id and c.number < $2
     order by c.number desc limit $3)
    union all
    (select ${ENTRY} from changes c
     where c.entity = 'API_KEY' and coalesce(c.after, c.before) ->> 'subjectId' = wanted.id and c.number < $2
     order by c.number desc limit $3)
    order by number desc limit $3
  ) as entry
  order by entry.number desc`;

/**
 * Receives the latest change of a transaction.
 * @param ended access that the changes of the transaction have ended
 */
type ChangeListener = (latest: ChangeNotice, ended: readonly EndedAccess[]) => void | Promise<void>;

/** Records the changes of one or several objects, in the order in which they come into force. */
export type Recorder = (changed: ChangeRecord | readonly ChangeRecord[]) => Promise<void>;

export interface ChangeWrite {
  actor: Actor;
  comment?: string | null | undefined;
  /**
   * Locks to acquire first. `CHANGES`: the lock of all changes. `BOTH`, for tiers and rules: also
   * the lock of the policy. `POLICY`, for thousands of rules: only the lock of the policy. Such a
   * write calls `record` at its end, and only that call acquires the lock of all changes. So
   * logins, which need that lock too, wait only briefly.
   * @default 'CHANGES'
   */
  locks?: 'CHANGES' | 'BOTH' | 'POLICY';
}

export type ChangeLog = ReturnType<typeof createChangeLog>;

/** Returns the functions that read the record of changes. */
function changeReads(db: Connections) {
  return {
    /** Returns the number of the latest change, 0 before the first. */
    async latestChange(): Promise<number> {
      const [row] = await db.query<{ number: number }>('select coalesce(max(number), 0) as number from changes');
      return row!.number;
    },

    /** Returns the changes after the one with this number, oldest first, at most `limit`. */
    async changesSince(number: number, limit: number = 10_000): Promise<ChangeNotice[]> {
      return db.query<ChangeNotice>(
        `select number, entity, entity_key as key from changes where number > $1 order by number limit $2`,
        [number, limit],
      );
    },

    /** Returns a page of the record of changes, newest first. */
    pageChanges({ entity, key, name, actor, since, until }: ChangeFilter, page: ChangePage): Promise<ChangeEntry[]> {
      return db.query<ChangeEntry>(
        `select ${ENTRY} from changes
         where number < $1
           and ($2::text is null or entity = $2)
           and ($3::text is null or entity_key = $3)
           and ($4::text is null or actor = $4)
           and ($5::timestamptz is null or changed_at >= $5)
           and ($6::timestamptz is null or changed_at < $6)
           ${name === undefined ? '' : BY_NAME}
         order by number desc limit $7`,
        [
          ...[page.before, entity ?? null, key ?? null, actor ?? null, since ?? null, until ?? null, page.limit],
          ...(name === undefined ? [] : [name]),
        ],
      );
    },

    /**
     * Returns the same page of the history of several objects of one kind, in one statement. The
     * history of a caller includes the changes of their API keys.
     */
    historyOf(entity: ChangedEntity, keys: readonly string[], { before, limit }: ChangePage): Promise<OwnedChange[]> {
      return entity === 'SUBJECT'
        ? db.query<OwnedChange>(CALLER_HISTORY, [keys, before, limit])
        : db.query<OwnedChange>(HISTORY, [entity, keys, before, limit]);
    },

    changesByNumber(numbers: readonly number[]): Promise<ChangeEntry[]> {
      return db.query<ChangeEntry>(`select ${ENTRY} from changes where number = any($1::bigint[])`, [numbers]);
    },
  };
}

/**
 * Creates the record of changes. Rules, tiers, subjects and keys are changed only through its
 * `write`: a transaction that also records who changed what.
 */
export function createChangeLog(db: Connections) {
  const listeners = new Set<ChangeListener>();

  return {
    /** Runs the writes of one change. `run` passes every object that it touches to `record`. */
    async write<T>(
      { actor, comment, locks = 'CHANGES' }: ChangeWrite,
      run: (tx: Tx, record: Recorder) => Promise<T>,
    ): Promise<T> {
      let latest: ChangeNotice | undefined;
      const ended: EndedAccess[] = [];
      const result = await db.tx(async (tx) => {
        // The locks are acquired before any row is locked. Otherwise two writers could deadlock, if
        // one of them has locked a row and the other has acquired one of these locks.
        if (locks !== 'CHANGES') await tx.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.policy})`);
        if (locks !== 'POLICY') await tx.query('select lock_changes()');
        return run(tx, async (changed) => {
          const entries = Array.isArray(changed) ? (changed as readonly ChangeRecord[]) : [changed as ChangeRecord];
          const rows = await tx.query<ChangeNotice & { ended: EndedAccess | null }>(
            `insert into changes (entity, entity_key, action, actor, auth_method, before, after, comment)
             select entity, key, action, $2, $3, before, after, $4
             from jsonb_to_recordset($1::jsonb) as one (entity text, key text, action text, before jsonb, after jsonb)
             returning number, entity, entity_key as key, ${ENDED}`,
            [JSON.stringify(entries), actor.name, actor.authMethod, comment ?? null],
          );
          for (const { ended: access, ...notice } of rows) {
            latest = notice;
            if (access) ended.push(access);
          }
        });
      });
      // The change is committed, so a failing listener must not make the write fail. Listeners
      // receive only the latest change, and read the earlier ones themselves. Otherwise a policy of
      // 10,000 rules would cause 10,000 notices.
      const notice: ChangeNotice | undefined = latest;
      if (notice) await Promise.allSettled([...listeners].map(async (listen) => listen(notice, ended)));
      return result;
    },

    ...changeReads(db),

    /** Records an attempt to do something that the actor may not do. */
    async recordDenial(actor: Actor, operation: string, comment: string): Promise<void> {
      await this.write({ actor, comment }, (_tx, record) =>
        record({ entity: 'ACCESS', key: operation, action: 'DENIED', before: null, after: null }),
      );
    },

    /**
     * Records that an API behind gateways has changed. It is recorded once, although each of its
     * gateways detects the change.
     * @param after.hash hash of the schema and the prices that are in force now
     */
    async recordSchema(
      { key, before, after }: { key: string; before: object; after: { hash: string } },
      actor: Actor,
      comment: string | undefined,
    ): Promise<void> {
      await this.write({ actor, comment }, async (tx, record) => {
        const [latest] = await tx.query<{ hash: string }>(
          `select after ->> 'hash' as hash from changes where entity = 'SCHEMA' and entity_key = $1
           order by number desc limit 1`,
          [key],
        );
        if (latest?.hash === after.hash) return;
        await record({ entity: 'SCHEMA', key, action: 'UPDATE', before, after });
      });
    },

    /**
     * Calls `listener` with the latest change of each transaction that was committed through this
     * store. The writer waits for the listener, so that the change is in force when the caller
     * receives the response. A listener handles its own failures.
     * @returns a function that removes the listener
     */
    onChange(listener: ChangeListener): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
