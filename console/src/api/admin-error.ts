import { commonText } from '../text/common-text.js';

/** An error that the admin API returned, or the reason why it did not respond. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  /** Error code of the admin API, or UNREACHABLE if there was no response. */
  readonly code: string;
  readonly retryAfterMs: number | undefined;

  constructor(code: string, message: string, options: { retryAfterMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.retryAfterMs = options.retryAfterMs;
  }
}

interface AnsweredError {
  message?: unknown;
  extensions?: { code?: unknown; retryAfterMs?: unknown; retryAfter?: unknown };
}

/**
 * Returns whether the only problem is that no API has published its schema yet. That is the initial
 * state of a platform that runs separately from the APIs.
 */
export function isWithoutSchema({ message }: Error): boolean {
  return message.startsWith('service: no server has published its schema yet');
}

/** Returns the first error of a response, or undefined if the response has no error. */
export function errorOfAnswer(answer: unknown): AdminError | undefined {
  const errors = (answer as { errors?: AnsweredError[] } | null)?.errors;
  const [first] = Array.isArray(errors) ? errors : [];
  if (!first) return undefined;
  const { code, retryAfterMs } = first.extensions ?? {};
  return new AdminError(
    typeof code === 'string' ? code : 'INTERNAL_SERVER_ERROR',
    typeof first.message === 'string' ? first.message : commonText.error.noMessage,
    { retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined },
  );
}
