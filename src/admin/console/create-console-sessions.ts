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

export interface ConsoleSessions {
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

/** For so long after a failure the database is not asked again: no request waits for it to fail once more. */
const AWAY_MS = 5_000;

/**
 * The sessions of the console's pages. They are in the database, so that each instance behind a balancer knows them and a
 * restart ends none. Secrets are 256 random bits and are kept as their hashes; a token is kept nowhere. With the settings' token one
 * can log in and look at what is wrong while the database is away: such a session is good for this process alone.
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
      // It was opened while the database was away, which has never heard of it.
      if (inMemory && inMemory.checkedMs === undefined) return known.use(hash);
      const withoutAsking = now() < awayUntilMs ? known.use(hash) : undefined;
      if (withoutAsking) return withoutAsking;
      let found: FoundConsoleSession | null;
      try {
        found = await store.findConsoleSession(hash);
      } catch (error) {
        if (!inMemory) throw toClientError(error);
        isAway(error);
        // Undefined leads to the login, which works without the database.
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
        // Of other secrets it is not known that they are of sessions: anybody could send many.
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
