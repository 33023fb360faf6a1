/** What the administration answered in place of data, or why it did not answer. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  /** As the reference lists them; UNREACHABLE: there was no answer. */
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

/** Whether it is only that the platform knows no API yet: where it runs beside those that it is to speak of, that is how it begins. */
export function isWithoutSchema({ message }: Error): boolean {
  return message.startsWith('service: no server has published its schema yet');
}

/** The first of the errors of an answer; undefined where there are none. */
export function errorOfAnswer(answer: unknown): AdminError | undefined {
  const errors = (answer as { errors?: AnsweredError[] } | null)?.errors;
  const [first] = Array.isArray(errors) ? errors : [];
  if (!first) return undefined;
  const { code, retryAfterMs } = first.extensions ?? {};
  return new AdminError(
    typeof code === 'string' ? code : 'INTERNAL_SERVER_ERROR',
    typeof first.message === 'string' ? first.message : 'The administration failed to answer',
    { retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : undefined },
  );
}
