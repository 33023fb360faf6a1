import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type FoundConsoleSession,
  SESSION_IDLE_MS,
  SESSION_LONGEST_MS,
} from '../../rules/store/create-console-session-store.js';
import { hashSecret } from '../../rules/store/hash-secret.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import { type Clock, monotonicClock } from '../../runtime/clock.js';
import type { AdminCaller } from '../context/admin-context.js';
import { SETTINGS_CALLER, unauthenticated } from '../context/create-admin-authenticator.js';
import { toClientError } from '../schema/admin-errors.js';

export interface ConsoleSessionsOptions {
  /** Where the sessions are, for every instance that has the same database. */
  store: Pick<RulesStore, 'openConsoleSession' | 'findConsoleSession' | 'closeConsoleSession'>;
  /** The token of the settings. @default there is none, nor sessions of it */
  token?: string | undefined;
  /** Called when the database does not answer, and sessions of the settings' token go on without it; must not throw. */
  onError(error: unknown): void;
  /** Milliseconds that only go forward. @default monotonicClock */
  now?: Clock;
  /** Runs something later. @default a timer that keeps no process alive */
  later?: (run: () => void, afterMs: number) => void;
}

interface ConsoleSessions {
  /** The secret of a new session, for its cookie alone. Throws the GraphQLError of a 503 where it cannot be kept. */
  open(caller: AdminCaller): Promise<string>;
  /**
   * Whose session it is, and when it ends; undefined when there is none of that secret any more. Throws the GraphQLError of a 503
   * when it cannot be looked up.
   */
  find(secret: string): Promise<{ caller: AdminCaller; endsInMs: number } | undefined>;
  /**
   * Ends a session, and resolves to whether there was one. Throws the GraphQLError of a 503 when the database does not answer: this
   * process then accepts the session no more, and ends it in the database as soon as it can.
   */
  close(secret: string): Promise<boolean>;
  /** A code that opens one session of the settings' token, within two minutes; undefined without such a token. */
  createCode(): string | undefined;
  /** Who a code stands for, once; undefined for a code that there is not, or no more. */
  redeem(code: string): AdminCaller | undefined;
}

interface KnownSession {
  openedMs: number;
  usedMs: number;
  /** Time at which the database last took it for open; undefined for one that the database has never had. */
  checkedMs: number | undefined;
}

const CODE_MS = 2 * 60_000;
const MAX_CODES = 100;
/** How many sessions of the settings' token this process goes on with while the database is away. */
const MAX_KNOWN = 100;
/** For so long after a failure the database is not asked again: no request waits for it to fail once more. */
const AWAY_MS = 5_000;
/**
 * Age up to which the word of the database holds while it is away: another instance may have ended the session since. Whoever
 * has the token of the settings logs in again.
 */
const CHECKED_MS = 10_000;

/**
 * The sessions of the console's pages. They are in the database, so that each instance behind a balancer knows them and a
 * restart ends none. Secrets are 256 random bits and are kept as their hashes; a token is kept nowhere. With the settings' token one
 * can log in and look at what is wrong while the database is away: such a session is good for this process alone.
 */
export function createConsoleSessions(options: ConsoleSessionsOptions): ConsoleSessions {
  const { store, token, onError, now = monotonicClock } = options;
  const { later = (run, afterMs) => void setTimeout(run, afterMs).unref() } = options;
  /** Of the settings' token, by the hashes of their secrets, the one that was used longest ago first. */
  const known = new Map<string, KnownSession>();
  /** Hashes of sessions that were ended here and that the database still takes for open. */
  const ended = new Set<string>();
  const codes = new Map<string, number>();
  let awayUntilMs = Number.NEGATIVE_INFINITY;

  function note(hash: string, { openedMs = now(), checkedMs }: Partial<KnownSession>): void {
    known.delete(hash);
    if (known.size >= MAX_KNOWN) known.delete([...known.keys()][0]!);
    known.set(hash, { openedMs, usedMs: now(), checkedMs });
  }

  function findKnown(hash: string) {
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
  }

  function isAway(error: unknown): void {
    awayUntilMs = now() + AWAY_MS;
    onError(error);
  }

  function callerOf({ tokenId, settingsProof, name, role }: FoundConsoleSession, secret: string) {
    if (tokenId !== null) return { actor: { name, authMethod: 'ADMIN_TOKEN' as const }, role, tokenId };
    // An instance with other settings has another administrator.
    if (token === undefined || settingsProof === null) return undefined;
    const isProved = timingSafeEqual(Buffer.from(proofOf(secret, token)), Buffer.from(settingsProof));
    return isProved ? SETTINGS_CALLER : undefined;
  }

  async function endStored(secret: string): Promise<boolean> {
    const hash = hashSecret(secret);
    const found = await store.findConsoleSession(hash);
    const caller = found && callerOf(found, secret);
    if (caller) await store.closeConsoleSession(hash, caller.actor);
    ended.delete(hash);
    return Boolean(caller);
  }

  function endLater(secret: string): void {
    later(() => void endStored(secret).catch(() => endLater(secret)), AWAY_MS);
  }

  return {
    async open({ actor, tokenId }) {
      const secret = newSecret();
      const secretHash = hashSecret(secret);
      if (tokenId === undefined && token === undefined) throw unauthenticated();
      const openedBy = tokenId === undefined ? { settingsProof: proofOf(secret, token!) } : { tokenId };
      try {
        await store.openConsoleSession({ secretHash, openedBy }, actor);
        if (tokenId === undefined) note(secretHash, { checkedMs: now() });
      } catch (error) {
        if (tokenId !== undefined) throw toClientError(error);
        isAway(error);
        note(secretHash, {});
      }
      return secret;
    },

    async find(secret) {
      const hash = hashSecret(secret);
      if (ended.has(hash)) return undefined;
      const inMemory = known.get(hash);
      // It was opened while the database was away, which has never heard of it.
      if (inMemory && inMemory.checkedMs === undefined) return findKnown(hash);
      const withoutAsking = now() < awayUntilMs ? findKnown(hash) : undefined;
      if (withoutAsking) return withoutAsking;
      let found: FoundConsoleSession | null;
      try {
        found = await store.findConsoleSession(hash);
      } catch (error) {
        if (!inMemory) throw toClientError(error);
        isAway(error);
        // Undefined leads to the login, which works without the database.
        return findKnown(hash);
      }
      const caller = found && callerOf(found, secret);
      if (!caller) {
        known.delete(hash);
        return undefined;
      }
      const { endsInMs, tokenId, openedAt, usedAt } = found!;
      if (tokenId === null) {
        note(hash, { openedMs: now() - (usedAt.getTime() - openedAt.getTime()), checkedMs: now() });
      }
      return { caller, endsInMs };
    },

    async close(secret) {
      const hash = hashSecret(secret);
      const session = known.get(hash);
      known.delete(hash);
      if (session && session.checkedMs === undefined) return true;
      try {
        return await endStored(secret);
      } catch (error) {
        // Of other secrets it is not known that they are of sessions: anybody could send many.
        if (session) {
          ended.add(hash);
          endLater(secret);
        }
        throw toClientError(error);
      }
    },

    createCode() {
      if (token === undefined) return undefined;
      const code = newSecret();
      if (codes.size >= MAX_CODES) codes.delete([...codes.keys()][0]!);
      codes.set(hashSecret(code), now() + CODE_MS);
      return code;
    },

    redeem(code) {
      const hash = hashSecret(code);
      const endsMs = codes.get(hash);
      codes.delete(hash);
      return endsMs !== undefined && now() < endsMs ? SETTINGS_CALLER : undefined;
    },
  };
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Only who has both the cookie's secret and the token can make it; of the two it says nothing. */
function proofOf(secret: string, token: string): string {
  return createHmac('sha256', secret).update(token).digest('hex');
}
