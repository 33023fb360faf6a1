import { ERRORS } from '../../model/errors.js';

/** Codes with which Tollgate closes WebSockets. The stock client of graphql-ws reconnects after 1012, 1013 and 4403. */
export const CLOSE_CODES = {
  /** No operation for `idleTimeoutMs`. */
  IDLE: 1000,
  /** An administrator has ended the connection. The stock client does not reconnect. */
  ENDED: 1008,
  /** The server stops. */
  RESTART: 1012,
  /** Too many connections are open, or the credential cannot be checked now. */
  TRY_LATER: 1013,
  /** The message is no operation, or `connectionParams` are invalid. */
  BAD_REQUEST: 4400,
  /** The credential is not, or no longer, valid. */
  FORBIDDEN: 4403,
} as const;

/** Reasons for a close that no error causes. */
export const CLOSE_REASONS = {
  ENDED: `ENDED_BY_ADMINISTRATOR: ${ERRORS.ENDED_BY_ADMINISTRATOR.message}`,
  STOPPED: 'The server stops: connect again',
  OTHER_CALLER: 'UNAUTHENTICATED: the credential now belongs to another caller: connect again',
} as const;

/** Maximum length of the reason of a close frame, in bytes (RFC 6455, section 5.5). */
const MAX_REASON_BYTES = 123;

/** Returns a reason that fits into a close frame, cut between characters. */
export function cutReason(reason: string): string {
  const bytes = Buffer.from(reason);
  if (bytes.length <= MAX_REASON_BYTES) return reason;
  return bytes
    .subarray(0, MAX_REASON_BYTES)
    .toString()
    .replace(/\uFFFD{1,3}$/, '');
}
