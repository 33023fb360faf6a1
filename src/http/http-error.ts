import { ERRORS, type ErrorCode } from '../errors.js';

/** What a request did wrong before GraphQL was reached. Its message is for the client. */
export class HttpError extends Error {
  readonly status: number;

  constructor(
    readonly code: ErrorCode,
    detail: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(`${ERRORS[code].message}: ${detail}`);
    this.status = ERRORS[code].status;
  }
}

/** The same of what a body parser threw, which names a status and a mistake; undefined for a failure of ours. */
export function toHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  if (!(error instanceof Error) || !('status' in error) || typeof error.status !== 'number') return undefined;
  if (error.status < 400 || error.status >= 500) return undefined;
  if (error.status === 413) return new HttpError('PAYLOAD_TOO_LARGE', 'send less');
  if (error.status === 415) return new HttpError('UNSUPPORTED_MEDIA_TYPE', error.message);
  return new HttpError('BAD_REQUEST', error.message);
}
