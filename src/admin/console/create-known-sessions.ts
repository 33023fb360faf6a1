import { SESSION_IDLE_MS, SESSION_LONGEST_MS } from '../../rules/store/create-console-session-store.js';
import type { Clock } from '../../runtime/clock.js';
import type { AdminCaller } from '../context/admin-context.js';
import { SETTINGS_CALLER } from '../context/create-admin-authenticator.js';

interface KnownSession {
  openedMs: number;
  usedMs: number;
  /** Time at which the database last took it for open; undefined for one that the database has never had. */
  checkedMs: number | undefined;
}

/** Sessions of the settings' token that this process goes on with while the database is away, by the hashes of their secrets. */
interface KnownSessions {
  /** It is used now. */
  note(hash: string, session: Partial<Pick<KnownSession, 'openedMs' | 'checkedMs'>>): void;
  get(hash: string): Readonly<KnownSession> | undefined;
  /** Undefined for a session that ended, and for one that the database was not asked about lately. */
  use(hash: string): { caller: AdminCaller; endsInMs: number } | undefined;
  forget(hash: string): void;
}

const MAX_KNOWN = 100;
/**
 * Age up to which the word of the database holds while it is away: another instance may have ended the session since. Whoever
 * has the token of the settings logs in again.
 */
const CHECKED_MS = 10_000;

export function createKnownSessions(now: Clock): KnownSessions {
  /** The one that was used longest ago first. */
  const known = new Map<string, KnownSession>();

  function note(hash: string, { openedMs = now(), checkedMs }: Partial<KnownSession>): void {
    known.delete(hash);
    if (known.size >= MAX_KNOWN) known.delete([...known.keys()][0]!);
    known.set(hash, { openedMs, usedMs: now(), checkedMs });
  }

  return {
    note,
    get: (hash) => known.get(hash),
    use(hash) {
      const session = known.get(hash);
      if (!session) return undefined;
      const { openedMs, usedMs, checkedMs } = session;
      if (checkedMs !== undefined && now() - checkedMs >= CHECKED_MS) return undefined;
      if (now() - openedMs >= SESSION_LONGEST_MS || now() - usedMs >= SESSION_IDLE_MS) {
        known.delete(hash);
        return undefined;
      }
      note(hash, { openedMs, checkedMs });
      return { caller: SETTINGS_CALLER, endsInMs: Math.min(SESSION_IDLE_MS, SESSION_LONGEST_MS - (now() - openedMs)) };
    },
    forget: (hash) => void known.delete(hash),
  };
}
