import type { Connections, Queryable, Tx } from '../../postgres/db.js';
import type { AdminRole } from './create-admin-token-store.js';
import type { Actor, ChangeLog } from './create-change-log.js';
import { type ChangeOptions, done, type Outcome, rejected } from './outcome.js';

/** Maximum durations of a console session: half an hour without use, twelve hours in total. */
export const SESSION_IDLE_MS = 30 * 60_000;
export const SESSION_LONGEST_MS = 12 * 3_600_000;
/**
 * Maximum number of open sessions per token. It bounds the size of the table. A further login ends
 * another session of the same token, never one of another token.
 */
const MAX_SESSIONS_OF_A_TOKEN = 20;
/**
 * Precision of `usedAt`, in milliseconds. A request does not update `usedAt` within this time of
 * the last update.
 */
const USED_TO_MS = 60_000;

/** An open console session, without its secret, for administrators. */
export interface ConsoleSessionRecord {
  id: number;
  /** Name of the token that opened the session. `admin` stands for the token of the settings. */
  name: string;
  role: AdminRole;
  openedAt: Date;
  /** Time of the last request, to the minute. */
  usedAt: Date;
}

export interface FoundConsoleSession extends ConsoleSessionRecord {
  /** Id of the stored token that opened the session. Null for the token of the settings. */
  tokenId: number | null;
  /**
   * Proof that the token of the settings opened the session. It can be computed only from that
   * token and the session's secret together. Null for a stored token.
   */
  settingsProof: string | null;
  endsInMs: number;
}

export interface NewConsoleSession {
  secretHash: string;
  openedBy: { tokenId: number } | { settingsProof: string };
}

export interface ConsoleSessionReference extends ChangeOptions {
  id: number;
}

const COLUMNS = `s.id, coalesce(t.name, 'admin') as name, coalesce(t.role, 'ADMIN') as role,
  s.opened_at as "openedAt", s.used_at as "usedAt"`;

/**
 * SQL tables and condition for open sessions. A session ends together with the token that opened
 * it.
 */
const OPEN = `console_sessions s left join admin_tokens t on t.id = s.token_id
  where s.opened_at > now() - interval '${SESSION_LONGEST_MS} milliseconds'
    and s.used_at > now() - interval '${SESSION_IDLE_MS} milliseconds'
    and (s.token_id is null or (t.revoked_at is null and (t.expires_at is null or t.expires_at > now())))`;

/**
 * Creates the store of console sessions. Every instance that uses the database finds a session by
 * the hash of its secret.
 */
export function createConsoleSessionStore(db: Connections, changes: ChangeLog) {
  async function end(tx: Tx, record: Parameters<Parameters<ChangeLog['write']>[1]>[1], session: ConsoleSessionRecord) {
    await tx.query('delete from console_sessions where id = $1', [session.id]);
    await record({ entity: 'SESSION', key: String(session.id), action: 'LOGOUT', before: session, after: null });
  }

  return {
    /** Opens a session. If its token has too many sessions, the least recently used one ends. */
    openConsoleSession({ secretHash, openedBy }: NewConsoleSession, actor: Actor): Promise<void> {
      const tokenId = 'tokenId' in openedBy ? openedBy.tokenId : null;
      const proof = 'tokenId' in openedBy ? null : openedBy.settingsProof;
      return changes.write({ actor }, async (tx, record) => {
        await tx.query(`delete from console_sessions where id not in (select s.id from ${OPEN})`);
        await tx.query(
          `delete from console_sessions where id in (
             select id from console_sessions where token_id is not distinct from $1
             order by used_at desc, id desc offset ${MAX_SESSIONS_OF_A_TOKEN - 1})`,
          [tokenId],
        );
        const [made] = await tx.query<{ id: number }>(
          'insert into console_sessions (secret_hash, token_id, settings_proof) values ($1, $2, $3) returning id',
          [secretHash, tokenId, proof],
        );
        const [after] = await readSessions(tx, 'and s.id = $1', made!.id);
        await record({ entity: 'SESSION', key: String(made!.id), action: 'LOGIN', before: null, after: after! });
      });
    },

    /**
     * Returns the open session with this secret, or null. Updates `usedAt` at most once a minute.
     */
    async findConsoleSession(secretHash: string): Promise<FoundConsoleSession | null> {
      const [found] = await db.query<FoundConsoleSession & { openForMs: number; unusedForMs: number }>(
        `select ${COLUMNS}, s.token_id as "tokenId", s.settings_proof as "settingsProof",
           (extract(epoch from now() - s.opened_at) * 1000)::bigint as "openForMs",
           (extract(epoch from now() - s.used_at) * 1000)::bigint as "unusedForMs"
         from ${OPEN} and s.secret_hash = $1`,
        [secretHash],
      );
      if (!found) return null;
      const { openForMs, unusedForMs, ...session } = found;
      if (unusedForMs >= USED_TO_MS) {
        await db.query('update console_sessions set used_at = now() where id = $1', [session.id]);
      }
      return { ...session, endsInMs: Math.min(SESSION_IDLE_MS, SESSION_LONGEST_MS - openForMs) };
    },

    /** Ends the session with this secret, if it is open. */
    closeConsoleSession(secretHash: string, actor: Actor): Promise<void> {
      return changes.write({ actor }, async (tx, record) => {
        const [session] = await readSessions(tx, 'and s.secret_hash = $1', secretHash);
        if (session) await end(tx, record, session);
      });
    },

    /** Ends the session of any browser, by its id, on behalf of an administrator. */
    endConsoleSession(input: ConsoleSessionReference, actor: Actor): Promise<Outcome<ConsoleSessionRecord>> {
      return changes.write({ actor, comment: input.comment }, async (tx, record) => {
        const [session] = await readSessions(tx, 'and s.id = $1', input.id);
        if (!session) {
          return rejected([{ code: 'NOT_FOUND', field: ['id'], message: 'there is no open session with this id' }]);
        }
        if (!input.dryRun) await end(tx, record, session);
        return done(session);
      });
    },

    /** Returns a page of the open sessions, in the order in which they were opened. */
    pageConsoleSessions({ after, limit }: { after: number; limit: number }): Promise<ConsoleSessionRecord[]> {
      return readSessions(db, 'and s.id > $1 order by s.id limit $2', after, limit);
    },

    consoleSessionsById: (ids: readonly number[]) => readSessions(db, 'and s.id = any($1::bigint[])', ids),
  };
}

function readSessions(on: Queryable, where: string, ...params: (number | string | readonly number[])[]) {
  return on.query<ConsoleSessionRecord>(`select ${COLUMNS} from ${OPEN} ${where}`, params);
}
