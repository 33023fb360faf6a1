import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import {
  type FoundConsoleSession,
  SESSION_IDLE_MS,
  SESSION_LONGEST_MS,
} from '../../rules/store/administrators/console-session-store.js';
import { hashSecret } from '../../rules/store/callers/hash-secret.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import type { AdminCaller } from '../admin-context.js';
import { SETTINGS_CALLER, unauthenticated } from '../authenticate-admin.js';
import { toClientError } from '../schema/admin-errors.js';

export interface ConsoleSessionsOptions {
  /** Where the sessions are, for every instance that has the same database. */
  store: Pick<RulesStore, 'openConsoleSession' | 'findConsoleSession' | 'closeConsoleSession'>;
  /** The token of the settings. @default there is none, nor sessions of it */
  token?: string | undefined;
  /** Called when the database does not answer, and sessions of the settings' token go on without it; must not throw. */
  onError(error: unknown): void;
  /** Milliseconds that only go forward. @default performance.now */
  now?: () => number;
}

export interface ConsoleSessions {
  /** The secret of a new session, for its cookie alone. Throws the GraphQLError of a 503 where it cannot be kept. */
  open(caller: AdminCaller): Promise<string>;
  /**
   * Whose session it is, and when it ends; undefined when there is none of that secret any more. Throws the GraphQLError of a 503
   * when it cannot be looked up.
   */
  find(secret: string): Promise<{ caller: AdminCaller; endsInMs: number } | undefined>;
  /** Whether there was one. Throws the GraphQLError of a 503 when it cannot be looked up. */
  close(secret: string): Promise<boolean>;
  /** A code that opens one session of the settings' token, within two minutes; undefined without such a token. */
  createCode(): string | undefined;
  /** Who a code stands for, once; undefined for a code that there is not, or no more. */
  redeem(code: string): AdminCaller | undefined;
}

const CODE_MS = 2 * 60_000;
const MAX_CODES = 100;
/** How many sessions of the settings' token this process goes on with while the database is away. */
const MAX_KNOWN = 100;
/** For so long after a failure the database is not asked again: no request waits for it to fail once more. */
const AWAY_MS = 5_000;

/**
 * The sessions of the console's pages. They are in the database, so that each instance behind a balancer knows them and a
 * restart ends none. Secrets are 256 random bits and are kept as their hashes; a token is kept nowhere. With the settings' token one
 * can look at what is wrong while the database is away: this process then goes on with the sessions that it has seen.
 */
export function createConsoleSessions(options: ConsoleSessionsOptions): ConsoleSessions {
  const { store, token, onError, now = () => performance.now() } = options;
  /** Of the settings' token, by the hashes of their secrets, the one that was used longest ago first. */
  const known = new Map<string, { openedMs: number; usedMs: number; isStored: boolean }>();
  const codes = new Map<string, number>();
  let awayUntilMs = Number.NEGATIVE_INFINITY;

  function note(hash: string, { openedMs = now(), isStored }: { openedMs?: number; isStored: boolean }): void {
    known.delete(hash);
    if (known.size >= MAX_KNOWN) known.delete([...known.keys()][0]!);
    known.set(hash, { openedMs, usedMs: now(), isStored });
  }

  function findKnown(hash: string) {
    const session = known.get(hash);
    if (!session) return undefined;
    const { openedMs, usedMs, isStored } = session;
    if (now() - openedMs >= SESSION_LONGEST_MS || now() - usedMs >= SESSION_IDLE_MS) {
      known.delete(hash);
      return undefined;
    }
    note(hash, { openedMs, isStored });
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

  return {
    async open({ actor, tokenId }) {
      const secret = newSecret();
      const secretHash = hashSecret(secret);
      if (tokenId === undefined && token === undefined) throw unauthenticated();
      const openedBy = tokenId === undefined ? { settingsProof: proofOf(secret, token!) } : { tokenId };
      try {
        await store.openConsoleSession({ secretHash, openedBy }, actor);
        if (tokenId === undefined) note(secretHash, { isStored: true });
      } catch (error) {
        if (tokenId !== undefined) throw toClientError(error);
        isAway(error);
        note(secretHash, { isStored: false });
      }
      return secret;
    },

    async find(secret) {
      const hash = hashSecret(secret);
      const inMemory = known.get(hash);
      // It was opened while the database was away, which has never heard of it.
      if (inMemory && (!inMemory.isStored || now() < awayUntilMs)) return findKnown(hash);
      let found: FoundConsoleSession | null;
      try {
        found = await store.findConsoleSession(hash);
      } catch (error) {
        const session = findKnown(hash);
        if (!session) throw toClientError(error);
        isAway(error);
        return session;
      }
      const caller = found && callerOf(found, secret);
      if (!caller) {
        known.delete(hash);
        return undefined;
      }
      const { endsInMs, tokenId, openedAt, usedAt } = found!;
      if (tokenId === null) note(hash, { openedMs: now() - (usedAt.getTime() - openedAt.getTime()), isStored: true });
      return { caller, endsInMs };
    },

    async close(secret) {
      const hash = hashSecret(secret);
      const session = known.get(hash);
      known.delete(hash);
      if (session && !session.isStored) return true;
      const found = await store.findConsoleSession(hash).catch((error) => {
        throw toClientError(error);
      });
      const caller = found && callerOf(found, secret);
      if (!caller) return false;
      await store.closeConsoleSession(hash, caller.actor);
      return true;
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
