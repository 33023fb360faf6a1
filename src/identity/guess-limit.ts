import type { GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import { ERRORS, errorOf } from '../model/errors.js';
import { atMost } from '../runtime/sized-cache.js';

export interface GuessLimit {
  /** Whether the address has sent as many unknown credentials as are looked up for it. */
  isSpent(address: string | undefined): boolean;
  /** Counts an unknown credential that was looked up. */
  count(address: string | undefined): void;
  /**
   * Looks a credential up; what was found before is looked up again, whoever else shares its address.
   *
   * @param hash of the credential
   * @throws GraphQLError of a 429 where the address has no look-up left
   */
  lookUp<Found>(address: string | undefined, hash: string, find: () => Promise<Found>): Promise<Found>;
}

interface GuessLimitOptions {
  /** Unknown credentials of an address that are looked up at once. @default 100 */
  maxGuesses?: number;
  /** Monotonic milliseconds. @default performance.now */
  now?: () => number;
}

/** For each guess above those, an address waits for so long. */
const REGAINED_MS = 1_000;
const MAX_ADDRESSES = 10_000;
const MAX_FOUND = 10_000;

/**
 * Bounds the look-ups of credentials that do not exist. The fee denies an address that guesses, but only after the
 * look-up: each guess would be a statement of the database, however long the address has been denied.
 */
export function createGuessLimit({
  maxGuesses = 100,
  now = () => performance.now(),
}: GuessLimitOptions = {}): GuessLimit {
  /** By address: the moment at which all its guesses are regained. */
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

/** Its sender may hold a good credential: it was not looked up. */
export function tooManyGuesses(): GraphQLError {
  return errorOf(
    'THROTTLED',
    `${ERRORS.THROTTLED.message}: this address sends credentials that nobody holds; try again in a second, and correct the key or token of what sends them`,
    { headers: new Map([['retry-after', '1']]), extensions: { retryAfterMs: REGAINED_MS } },
  );
}
