import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import { ERRORS, errorOf } from '../model/errors.js';
import type { Clock } from '../runtime/clock.js';
import { atMost } from '../runtime/sized-cache.js';
import { withTimeout } from '../runtime/with-timeout.js';

/** Holder of a token. */
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
/** Time after which a known token is looked up again, while its requests are still served. */
const FRESH_MS = 5_000;
/** Time for which a known token is valid while the database is unavailable. */
const STALE_MS = 3_600_000;
/** Maximum time to wait for the look-up of an unknown token, in milliseconds. */
const LOOK_UP_MS = 1_000;
const MAX_TOKENS = 1_000;

interface KnownToken {
  readonly decider: Decider;
  readonly knownAtMs: number;
  refreshing: boolean;
}

/**
 * Creates the check of tokens. It caches valid tokens by their hashes: a decision must not wait for
 * the database. A revoked token stays valid for at most five seconds and its look-up, or for an
 * hour while the database is unavailable.
 */
export function createDecisionAccess({ authenticate, maxPerSecond, clock }: DecisionAccessOptions): DecisionAccess {
  const known = new LRUCache<string, KnownToken>(atMost(MAX_TOKENS));
  /** Decisions of each token that count now, and the time to which the number refers. */
  const used = new LRUCache<string, { count: number; atMs: number }>(atMost(MAX_TOKENS));

  async function lookUp(authorization: string, request: IncomingMessage): Promise<Decider> {
    const decider = await authenticate(authorization, request);
    if (MAY_DECIDE.has(decider.role)) return decider;
    throw errorOf('FORBIDDEN', `${ERRORS.FORBIDDEN.message}: decisions need a token with the role DECIDER or ADMIN`);
  }

  function remember(hash: string, decider: Decider): void {
    known.set(hash, { decider, knownAtMs: clock(), refreshing: false });
  }

  function refresh(hash: string, token: KnownToken, authorization: string, request: IncomingMessage): void {
    token.refreshing = true;
    lookUp(authorization, request).then(
      (decider) => remember(hash, decider),
      (error: unknown) => {
        token.refreshing = false;
        const code = error instanceof GraphQLError ? error.extensions['code'] : undefined;
        const isInvalid = code === 'UNAUTHENTICATED' || code === 'FORBIDDEN';
        if (isInvalid || clock() - token.knownAtMs > STALE_MS) known.delete(hash);
      },
    );
  }

  return {
    async check(request) {
      const authorization = authorizationOf(request);
      const hash = createHash('sha256').update(authorization).digest('base64');
      const token = known.get(hash);
      if (token) {
        if (!token.refreshing && clock() - token.knownAtMs > FRESH_MS) refresh(hash, token, authorization, request);
        return token.decider;
      }
      const decider = await withTimeout(lookUp(authorization, request), LOOK_UP_MS, () => {
        throw errorOf('UNAVAILABLE', 'The token cannot be looked up at the moment');
      });
      remember(hash, decider);
      return decider;
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
