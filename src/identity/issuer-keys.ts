import type * as Jose from 'jose';
import { identityUnavailable } from './authentication-error.js';

interface IssuerKeysOptions {
  jose: Pick<typeof Jose, 'createRemoteJWKSet' | 'errors'>;
  url: string;
  /** How long the issuer may take to answer. */
  timeoutMs: number;
  /** How long no keys are fetched again because of an unknown key id. */
  cooldownMs: number;
  /** Monotonic milliseconds. @default performance.now */
  clock?: () => number;
}

/** Finds the key that a token names. Rejects with 503 where it cannot be known which keys the issuer has. */
export type IssuerKeys = (header: Jose.JWSHeaderParameters, token: Jose.FlattenedJWSInput) => Promise<Jose.CryptoKey>;

/** Keys that are older are fetched again, and are good until that has succeeded. */
const REFRESH_AFTER_MS = 600_000;
/** An issuer that fails is asked once in this time, however many tokens come. */
const RETRY_AFTER_MS = 1_000;

/**
 * The keys of an issuer, in memory. Who sends tokens never makes it be asked more often than once a second, and waits for it only
 * where its answer may decide: with no keys yet, with old ones until it has failed, or for a key that is not among them. The wall
 * clock, which may jump, has no part in it.
 */
export function createIssuerKeys({
  jose: { createRemoteJWKSet, errors },
  url,
  timeoutMs,
  cooldownMs,
  clock = () => performance.now(),
}: IssuerKeysOptions): IssuerKeys {
  // When they are fetched is decided here.
  const remote = createRemoteJWKSet(new URL(url), {
    timeoutDuration: timeoutMs,
    cooldownDuration: Number.POSITIVE_INFINITY,
    cacheMaxAge: Number.POSITIVE_INFINITY,
  });
  let fetchedAtMs = Number.NEGATIVE_INFINITY;
  let failure: { error: unknown; atMs: number } | undefined;
  let fetching: Promise<void> | undefined;

  function fetchKeys(): Promise<void> {
    fetching ??= remote
      .reload()
      .then(
        () => {
          fetchedAtMs = clock();
          failure = undefined;
        },
        (error: unknown) => {
          failure = { error, atMs: clock() };
        },
      )
      .finally(() => {
        fetching = undefined;
      });
    return fetching;
  }

  /** Fetches them, unless that was tried so short a time ago that the outcome would be the same. */
  async function fetchUnlessJustTried(afterMs: number): Promise<void> {
    const nextAtMs = failure ? failure.atMs + RETRY_AFTER_MS : fetchedAtMs + afterMs;
    if (fetching || clock() >= nextAtMs) await fetchKeys();
  }

  return async (header, token) => {
    const known: Jose.JSONWebKeySet | undefined = remote.jwks();
    if (!known) await fetchUnlessJustTried(0);
    else if (clock() >= fetchedAtMs + REFRESH_AFTER_MS) {
      const fetched = fetchUnlessJustTried(REFRESH_AFTER_MS);
      // An issuer that has failed is asked again without anyone waiting for it.
      if (!failure) await fetched;
    }
    if (!remote.jwks()) throw unavailable();
    try {
      return await remote(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      if (known) await fetchUnlessJustTried(cooldownMs);
      try {
        return await remote(header, token);
      } catch (stillUnknown) {
        // The issuer may have a new key that could not be fetched.
        if (failure && stillUnknown instanceof errors.JWKSNoMatchingKey) throw unavailable();
        throw stillUnknown;
      }
    }
  };

  function unavailable() {
    return identityUnavailable('the keys of the token issuer cannot be had', failure?.error);
  }
}
