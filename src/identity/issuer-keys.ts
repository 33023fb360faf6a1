import type * as Jose from 'jose';
import { identityUnavailable } from './authentication-error.js';

interface IssuerKeysOptions {
  jose: Pick<typeof Jose, 'createRemoteJWKSet' | 'errors'>;
  url: string;
  /** Maximum time for the issuer to respond, in milliseconds. */
  timeoutMs: number;
  /** Time after a fetch during which an unknown key id causes no other fetch, in milliseconds. */
  cooldownMs: number;
  /** Clock with monotonic milliseconds. @default performance.now */
  clock?: () => number;
}

/**
 * Function that finds the key that a token names. It rejects with 503 if the keys of the issuer
 * cannot be determined.
 */
export type IssuerKeys = (header: Jose.JWSHeaderParameters, token: Jose.FlattenedJWSInput) => Promise<Jose.CryptoKey>;

/** Age at which keys are fetched again. The old keys stay valid until the fetch has succeeded. */
const REFRESH_AFTER_MS = 600_000;
/** Time between calls to an issuer that fails, however many tokens arrive. */
const RETRY_AFTER_MS = 1_000;

/**
 * Creates an in-memory store of the keys of an issuer. However many tokens arrive, an issuer that
 * fails is called once a second at most. Unknown key ids cause at most one call per `cooldownMs`.
 *
 * A request waits for the issuer only if the response may determine whether its token is valid.
 * That is so before the first fetch, for an unknown key, and while the keys are old and the last
 * fetch has not failed. All times use the monotonic clock, because the wall clock may jump.
 */
export function createIssuerKeys({
  jose: { createRemoteJWKSet, errors },
  url,
  timeoutMs,
  cooldownMs,
  clock = () => performance.now(),
}: IssuerKeysOptions): IssuerKeys {
  // This function decides when to fetch, so the timers of jose are disabled.
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

  /** Fetches the keys, unless the last attempt is so recent that the result would be the same. */
  async function fetchUnlessJustTried(afterMs: number): Promise<void> {
    const nextAtMs = failure ? failure.atMs + RETRY_AFTER_MS : fetchedAtMs + afterMs;
    if (fetching || clock() >= nextAtMs) await fetchKeys();
  }

  return async (header, token) => {
    const known: Jose.JSONWebKeySet | undefined = remote.jwks();
    if (!known) await fetchUnlessJustTried(0);
    else if (clock() >= fetchedAtMs + REFRESH_AFTER_MS) {
      const fetched = fetchUnlessJustTried(REFRESH_AFTER_MS);
      // If the last fetch failed, the keys are fetched in the background, without a wait.
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
        // The key may be a new one that could not be fetched.
        if (failure && stillUnknown instanceof errors.JWKSNoMatchingKey) throw unavailable();
        throw stillUnknown;
      }
    }
  };

  function unavailable() {
    return identityUnavailable('the keys of the token issuer are unavailable', failure?.error);
  }
}
