import { SESSION_IDLE_MS, SESSION_LONGEST_MS } from '../../rules/store/create-console-session-store.js';
import type { Clock } from '../../runtime/clock.js';
import type { AdminCaller } from '../context/admin-context.js';
import { SETTINGS_CALLER } from '../context/create-admin-authenticator.js';

interface KnownSession {
  openedMs: number;
  usedMs: number;
  /**
   * Time at which the database last confirmed that the session is open. Undefined if the database
   * has never stored it.
   */
  checkedMs: number | undefined;
}

/**
 * Sessions of the settings' token that this process accepts while the database is unavailable, by
 * the hashes of their secrets.
 */
interface KnownSessions {
  /** Stores a session and marks it as used now. */
  note(hash: string, session: Partial<Pick<KnownSession, 'openedMs' | 'checkedMs'>>): void;
  get(hash: string): Readonly<KnownSession> | undefined;
  /**
   * Marks a session as used. Returns undefined if it has ended, or if the database stores it but
   * has not confirmed it recently.
   */
  use(hash: string): { caller: AdminCaller; endsInMs: number } | undefined;
  forget(hash: string): void;
}

const MAX_KNOWN = 100;
/**
 * Maximum age of a confirmation by the database while the database is unavailable, in milliseconds.
 * It is short, because another instance may have ended the session since then. When the
 * confirmation is too old, the holder of the settings' token can log in again.
 */
const CHECKED_MS = 10_000;

export function createKnownSessions(now: Clock): KnownSessions {
  /** Ordered by last use, the least recently used first. */
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
