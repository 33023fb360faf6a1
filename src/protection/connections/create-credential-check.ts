import { GraphQLError } from 'graphql';
import { isSameCaller, type Subject } from '../../model/subject.js';
import { httpOfErrors } from '../answer/http-of-errors.js';
import { CLOSE_REASONS, cutReason } from './close-codes.js';
import { expiryOf } from './expiry-of.js';

interface CheckedCredential {
  /** Header with which the caller was identified, if there is one. */
  authorization: string | undefined;
  /** Caller of the connection. */
  subject: Subject;
  /** Identifies the caller again. Rejects if the credential is not valid. */
  identify(): Promise<Subject>;
  /** Maximum time between two checks, in milliseconds. */
  recheckMs: number;
  /** Ends the connection, because its credential is no longer valid. */
  end(reason: string): void;
}

/** Checks of the credential of an open connection. */
interface CredentialCheck {
  /** Returns the time until the next check: at the latest when the token expires. */
  nextMs(): number;
  check(): Promise<void>;
}

/** Default of the maximum time between two checks, in milliseconds. */
export const RECHECK_MS = 60_000;
/** Shortest time between two checks of a credential, in milliseconds. */
const SHORTEST_CHECK_MS = 1000;
const EMPTY = { user: undefined, tenant: undefined, apiKey: undefined, ip: undefined };

export function createCredentialCheck(credential: CheckedCredential): CredentialCheck {
  const { authorization, subject, identify, recheckMs, end } = credential;
  const expiresAtMs = expiryOf(authorization);
  return {
    nextMs() {
      const leftMs = expiresAtMs === undefined ? recheckMs : Math.max(SHORTEST_CHECK_MS, expiresAtMs - Date.now());
      return Math.min(recheckMs, leftMs);
    },
    async check() {
      try {
        if (!isSameCaller({ ...EMPTY, ...subject }, await identify())) end(CLOSE_REASONS.OTHER_CALLER);
      } catch (error) {
        // A credential that cannot be checked at the moment may still be valid.
        if (isCredentialError(error)) end(closeReasonOf(error));
      }
    },
  };
}

/** Returns whether the credential of a caller is not valid, for example because it has expired. */
export function isCredentialError(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError)) return false;
  const status = httpOfErrors([error]).status ?? 0;
  return error.extensions['code'] === 'UNAUTHENTICATED' || status === 401 || status === 403;
}

/** Returns the reason with which a WebSocket closes because of an error. */
export function closeReasonOf(error: unknown): string {
  if (!(error instanceof GraphQLError)) return 'Internal server error';
  return cutReason(`${error.extensions['code'] ?? 'ERROR'}: ${error.message}`);
}
