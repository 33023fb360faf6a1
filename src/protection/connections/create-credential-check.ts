import { GraphQLError } from 'graphql';
import { isSameCaller, type Subject } from '../../model/subject.js';
import { httpOfErrors } from '../answer/http-of-errors.js';
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
        if (!isSameCaller({ ...EMPTY, ...subject }, await identify())) end('Another caller');
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

/** Maximum length of the reason of a close frame, in bytes (RFC 6455, section 5.5). */
const MAX_REASON_BYTES = 123;

/** Returns the reason with which a WebSocket closes because of an error. */
export function closeReasonOf(error: unknown): string {
  if (!(error instanceof GraphQLError)) return 'Internal server error';
  const text = Buffer.from(`${error.extensions['code'] ?? 'ERROR'}: ${error.message}`);
  if (text.length <= MAX_REASON_BYTES) return text.toString();
  // Cut between characters.
  return text
    .subarray(0, MAX_REASON_BYTES)
    .toString()
    .replace(/\uFFFD{1,3}$/, '');
}
