import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import { ERRORS, errorOf } from '../model/errors.js';
import type { Clock } from '../runtime/clock.js';
import { atMost } from '../runtime/sized-cache.js';
import { withTimeout } from '../runtime/with-timeout.js';

/** A server that asks for decisions: the holder of a token. */
export interface Decider {
  readonly name: string;
  readonly role: string;
}

interface DecisionAccessOptions {
  /**
   * Looks up the token in an `Authorization` header.
   * @throws GraphQLError if the token is invalid, or cannot be looked up
   */
  authenticate(authorization: string, request: IncomingMessage): Promise<Decider>;
  /** Maximum number of decisions and settlements per second of one token. */
  maxPerSecond: number;
  /** Maximum time for which a request waits for a look-up, in milliseconds. */
  lookUpMs: number;
  /** Monotonic clock in milliseconds. */
  clock: Clock;
}

/** Checks the tokens of the servers that ask for decisions. */
export interface DecisionAccess {
  /** @throws GraphQLError if the request has no valid token with the role DECIDER or ADMIN */
  check(request: IncomingMessage): Promise<Decider>;
  /**
   * Counts items of a request.
   * @throws GraphQLError with status 429 if the token has used up its rate
   */
  count(decider: Decider, items: number): void;
}

/** Header for servers that forward the `Authorization` header of their own callers. */
const TOKEN_HEADER = 'x-tollgate-token';

const MAY_DECIDE: ReadonlySet<string> = new Set(['DECIDER', 'ADMIN']);
/** Time after which a known token is looked up in the background, in milliseconds. */
const FRESH_MS = 5_000;
/** Time after which a request with a known token waits for its look-up, in milliseconds. */
const UNCHECKED_MS = 10_000;
/** Time for which a known token is valid while the database is unavailable, in milliseconds. */
const STALE_MS = 3_600_000;
const MAX_TOKENS = 1_000;

interface KnownToken {
  readonly decider: Decider;
  /** Time of the last look-up that found the token. */
  readonly knownAtMs: number;
  /** Time of the last look-up, even if it failed. */
  checkedAtMs: number;
  /** The look-up in progress. Resolves to undefined if the token is no longer valid. */
  refreshing: Promise<Decider | undefined> | undefined;
}

/**
 * Creates the check of tokens. It caches valid tokens by their hashes, so that decisions do not
 * wait for the database. A token in use is looked up in the background. A token that was idle for
 * more than ten seconds may have been revoked, so its first request waits. A revoked token is
 * accepted for at most ten seconds, or for an hour while the database is unavailable.
 */
export function createDecisionAccess({
  authenticate,
  maxPerSecond,
  lookUpMs,
  clock,
}: DecisionAccessOptions): DecisionAccess {
  const known = new LRUCache<string, KnownToken>(atMost(MAX_TOKENS));
  /** Number of recent decisions of each token. It decreases by `maxPerSecond` in each second after `atMs`. */
  const used = new LRUCache<string, { count: number; atMs: number }>(atMost(MAX_TOKENS));

  async function lookUp(authorization: string, request: IncomingMessage): Promise<Decider> {
    const decider = await authenticate(authorization, request);
    if (MAY_DECIDE.has(decider.role)) return decider;
    throw errorOf('FORBIDDEN', `${ERRORS.FORBIDDEN.message}: decisions need a token with the role DECIDER or ADMIN`);
  }

  function remember(hash: string, decider: Decider): void {
    const nowMs = clock();
    known.set(hash, { decider, knownAtMs: nowMs, checkedAtMs: nowMs, refreshing: undefined });
  }

  /** Looks a known token up again. The promise does not reject. */
  function refresh(hash: string, token: KnownToken, authorization: string, request: IncomingMessage) {
    return lookUp(authorization, request).then(
      (decider) => {
        remember(hash, decider);
        return decider;
      },
      (error: unknown) => {
        token.refreshing = undefined;
        const code = error instanceof GraphQLError ? error.extensions['code'] : undefined;
        const isInvalid = code === 'UNAUTHENTICATED' || code === 'FORBIDDEN';
        if (!isInvalid) return unverified(token);
        known.delete(hash);
        return undefined;
      },
    );
  }

  /** Returns the holder of a token; undefined if its last successful look-up is an hour old. */
  function unverified(token: KnownToken): Decider | undefined {
    const nowMs = clock();
    if (nowMs - token.knownAtMs > STALE_MS) return undefined;
    token.checkedAtMs = nowMs;
    return token.decider;
  }

  /** Returns the holder of a known token, or a promise for it if a request has to wait. */
  function holderOf(hash: string, token: KnownToken, authorization: string, request: IncomingMessage) {
    const ageMs = clock() - token.checkedAtMs;
    if (ageMs <= FRESH_MS) return token.decider;
    token.refreshing ??= refresh(hash, token, authorization, request);
    if (ageMs <= UNCHECKED_MS) return token.decider;
    return withTimeout(token.refreshing, lookUpMs, () => unverified(token));
  }

  return {
    async check(request) {
      const authorization = authorizationOf(request);
      const hash = createHash('sha256').update(authorization).digest('base64');
      const token = known.get(hash);
      const holder = token && (await holderOf(hash, token, authorization, request));
      if (holder) return holder;
      // A look-up that takes too long for this request helps the next one.
      const looking = lookUp(authorization, request).then((decider) => {
        remember(hash, decider);
        return decider;
      });
      return withTimeout(looking, lookUpMs, () => {
        throw errorOf('UNAVAILABLE', 'The token cannot be looked up at the moment');
      });
    },

    count({ name }, items) {
      const nowMs = clock();
      const before = used.get(name) ?? { count: 0, atMs: nowMs };
      const count = Math.max(0, before.count - ((nowMs - before.atMs) * maxPerSecond) / 1000);
      if (count >= maxPerSecond) {
        throw errorOf(
          'THROTTLED',
          `${ERRORS.THROTTLED.message}: a token may make ${maxPerSecond} decisions per second`,
          {
            headers: new Map([['retry-after', '1']]),
            extensions: { retryAfterMs: 1000 },
          },
        );
      }
      used.set(name, { count: count + items, atMs: nowMs });
    },
  };
}

/**
 * Returns the authorization of a request: that of the header `x-tollgate-token`, of the query
 * parameter `token`, for routers that cannot set headers, or of the header `Authorization`.
 */
function authorizationOf(request: IncomingMessage): string {
  const token = request.headers[TOKEN_HEADER] ?? tokenInQuery(request.url ?? '');
  return token === undefined ? (request.headers.authorization ?? '') : `Bearer ${String(token)}`;
}

function tokenInQuery(url: string): string | undefined {
  const at = url.indexOf('?');
  if (at < 0 || !url.startsWith(IN_QUERY)) return undefined;
  return new URLSearchParams(url.slice(at)).get('token') ?? undefined;
}

/** The only path with a token in its query: Apollo Router cannot send headers of its own. */
const IN_QUERY = '/integrations/apollo-router?';
