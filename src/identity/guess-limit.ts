import type { GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import { ERRORS, errorOf } from '../model/errors.js';
import { atMost } from '../runtime/sized-cache.js';

export interface GuessLimit {
  /** Returns whether the address has used up its look-ups of unknown credentials. */
  isSpent(address: string | undefined): boolean;
  /** Counts an unknown credential that was looked up. */
  count(address: string | undefined): void;
  /**
   * Looks a credential up. A credential that was found before is always looked up, even if other
   * clients at the same address have used up the guesses.
   * @param hash hash of the credential
   * @throws GraphQLError with status 429 if the address has no look-ups left
   */
  lookUp<Found>(address: string | undefined, hash: string, find: () => Promise<Found>): Promise<Found>;
}

interface GuessLimitOptions {
  /**
   * Maximum number of unknown credentials of an address that are looked up in a burst.
   * @default 100
   */
  maxGuesses?: number;
  /** Clock with monotonic milliseconds. @default performance.now */
  now?: () => number;
}

/** Time in which an address regains one guess. */
const REGAINED_MS = 1_000;
const MAX_ADDRESSES = 10_000;
const MAX_FOUND = 10_000;

/**
 * Creates a limit on look-ups of credentials that do not exist. The fee for rejected requests also
 * slows down an address that guesses, but it is charged only after the look-up. Without this limit,
 * each guess would cost a database statement, even while the address is denied.
 */
export function createGuessLimit({
  maxGuesses = 100,
  now = () => performance.now(),
}: GuessLimitOptions = {}): GuessLimit {
  /** Time at which an address has regained all its guesses, by address. */
  const regainedAtMs = new LRUCache<string, number>(atMost(MAX_ADDRESSES));
  const found = new LRUCache<string, true>(atMost(MAX_FOUND));

  function isSpent(address: string | undefined): boolean {
    if (address === undefined || regainedAtMs.size === 0) return false;
    return (regainedAtMs.get(address) ?? 0) - now() > (maxGuesses - 1) * REGAINED_MS;
  }

  function count(address: string | undefined): void {
    if (address !== undefined) regainedAtMs.set(address, Math.max(now(), regainedAtMs.get(address) ?? 0) + REGAINED_MS);
  }

  return {
    isSpent,
    count,
    async lookUp(address, hash, find) {
      if (isSpent(address) && !found.has(hash)) throw tooManyGuesses();
      const one = await find();
      if (one) found.set(hash, true);
      else count(address);
      return one;
    },
  };
}

/**
 * Creates the error for a credential that was not looked up. It may be valid, so it is not rejected
 * as wrong.
 */
export function tooManyGuesses(): GraphQLError {
  return errorOf(
    'THROTTLED',
    `${ERRORS.THROTTLED.message}: this address sends unknown credentials; correct the key or token, and try again in a second`,
    { headers: new Map([['retry-after', '1']]), extensions: { retryAfterMs: REGAINED_MS } },
  );
}
