import type { FoundConsoleSession } from '../../rules/store/create-console-session-store.js';
import { hashSecret } from '../../rules/store/hash-secret.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import { type Clock, monotonicClock } from '../../runtime/clock.js';
import type { AdminCaller } from '../context/admin-context.js';
import { SETTINGS_CALLER, unauthenticated } from '../context/create-admin-authenticator.js';
import { toClientError } from '../schema/to-client-error.js';
import { callerOfSession, proofOf } from './caller-of-session.js';
import { createConsoleCodes } from './create-console-codes.js';
import { createKnownSessions } from './create-known-sessions.js';
import { createSessionEndings } from './create-session-endings.js';
import { newSecret } from './new-secret.js';

export interface ConsoleSessionsOptions {
  /** Store of the sessions, shared by all instances on the same database. */
  store: Pick<RulesStore, 'openConsoleSession' | 'findConsoleSession' | 'closeConsoleSession'>;
  /**
   * Token of the settings. If absent, no session is opened with such a token.
   * @default none
   */
  token?: string | undefined;
  /**
   * Called when the database is unavailable and sessions of the settings' token continue without
   * it. It must not throw.
   */
  onError(error: unknown): void;
  /** Monotonic clock, in milliseconds. @default monotonicClock */
  now?: Clock;
  /** Runs a function after a delay. @default a timer that does not keep the process alive */
  later?: (run: () => void, afterMs: number) => void;
}

export interface ConsoleSessions {
  /**
   * Opens a session and returns its secret. Send the secret only in the cookie.
   * @throws GraphQLError with status 503 if the session cannot be stored, unless the caller used
   * the token of the settings
   */
  open(caller: AdminCaller): Promise<string>;
  /**
   * Returns the caller of a session and the time until it ends. Returns undefined if no open
   * session has this secret.
   * @throws GraphQLError with status 503 if the session cannot be looked up
   */
  find(secret: string): Promise<{ caller: AdminCaller; endsInMs: number } | undefined>;
  /**
   * Ends a session. Resolves to whether it existed. If the database is unavailable and this process
   * knows the session, it rejects the session from now on. It ends the session in the database as
   * soon as possible.
   * @throws GraphQLError with status 503 if the database is unavailable
   */
  close(secret: string): Promise<boolean>;
  /**
   * Creates a code that opens one session of the settings' token within two minutes. Undefined
   * without such a token.
   */
  createCode(): string | undefined;
  /**
   * Redeems a code and returns its caller. Returns undefined for an unknown, used or expired code.
   */
  redeem(code: string): AdminCaller | undefined;
}

/**
 * Time after a failure during which the database is not queried for known sessions, so that their
 * requests do not wait for another failure.
 */
const AWAY_MS = 5_000;

/**
 * Creates the sessions of the console's pages. They are stored in the database, so every instance
 * behind a load balancer accepts them, and a restart ends none. A secret is 256 random bits. Only
 * its hash is stored, and no token is stored. While the database is unavailable, the holder of the
 * settings' token can still log in, for example to diagnose the outage. Such a session is valid in
 * this process only.
 */
export function createConsoleSessions(options: ConsoleSessionsOptions): ConsoleSessions {
  const { store, token, onError, now = monotonicClock } = options;
  const { later = (run, afterMs) => void setTimeout(run, afterMs).unref() } = options;
  const codes = createConsoleCodes(now);
  const known = createKnownSessions(now);
  const endings = createSessionEndings({ store, callerOf, later: (run) => later(run, AWAY_MS) });
  let awayUntilMs = Number.NEGATIVE_INFINITY;

  function isAway(error: unknown): void {
    awayUntilMs = now() + AWAY_MS;
    onError(error);
  }

  function callerOf(found: FoundConsoleSession, secret: string): AdminCaller | undefined {
    return callerOfSession(found, secret, token);
  }

  return {
    async open({ actor, tokenId }) {
      const secret = newSecret();
      const secretHash = hashSecret(secret);
      if (tokenId === undefined && token === undefined) throw unauthenticated();
      const openedBy = tokenId === undefined ? { settingsProof: proofOf(secret, token!) } : { tokenId };
      try {
        await store.openConsoleSession({ secretHash, openedBy }, actor);
        if (tokenId === undefined) known.note(secretHash, { checkedMs: now() });
      } catch (error) {
        if (tokenId !== undefined) throw toClientError(error);
        isAway(error);
        known.note(secretHash, {});
      }
      return secret;
    },

    async find(secret) {
      const hash = hashSecret(secret);
      if (endings.has(hash)) return undefined;
      const inMemory = known.get(hash);
      // The session was opened while the database was unavailable, so the database does not contain
      // it.
      if (inMemory && inMemory.checkedMs === undefined) return known.use(hash);
      const withoutAsking = now() < awayUntilMs ? known.use(hash) : undefined;
      if (withoutAsking) return withoutAsking;
      let found: FoundConsoleSession | null;
      try {
        found = await store.findConsoleSession(hash);
      } catch (error) {
        if (!inMemory) throw toClientError(error);
        isAway(error);
        // If this is undefined, the console shows the login, which works without the database.
        return known.use(hash);
      }
      const caller = found && callerOf(found, secret);
      if (!caller) {
        known.forget(hash);
        return undefined;
      }
      const { endsInMs, tokenId, openedAt, usedAt } = found!;
      if (tokenId === null) {
        known.note(hash, { openedMs: now() - (usedAt.getTime() - openedAt.getTime()), checkedMs: now() });
      }
      return { caller, endsInMs };
    },

    async close(secret) {
      const hash = hashSecret(secret);
      const session = known.get(hash);
      known.forget(hash);
      if (session && session.checkedMs === undefined) return true;
      try {
        return await endings.end(secret);
      } catch (error) {
        // Only secrets of known sessions are stored for a retry. Otherwise, made-up secrets could
        // fill the memory.
        if (session) endings.endLater(secret);
        throw toClientError(error);
      }
    },

    createCode() {
      return token === undefined ? undefined : codes.create();
    },

    redeem: (code) => (codes.redeem(code) ? SETTINGS_CALLER : undefined),
  };
}
