/** Names of members whose values must not appear in a log. */
export const SECRET_NAMES = [
  'authorization',
  'x-api-key',
  'cookie',
  'token',
  'secret',
  'password',
  'variables',
] as const;
export const HIDDEN = '[hidden]';

/** Maximum length of a text. Many log collectors truncate longer lines. */
const MAX_LETTERS = 16_384;

/** Returns the text without secrets, truncated to 16,384 characters. */
export function textForLog(text: string): string {
  // Secrets are hidden before truncation. Otherwise, the `@` that marks the password of a URL could
  // be cut off.
  const hidden = hideSecrets(text);
  return hidden.length <= MAX_LETTERS ? hidden : `${hidden.slice(0, MAX_LETTERS)}...`;
}

/**
 * Hides passwords in URLs, bearer tokens and Tollgate keys, wherever they appear in messages of
 * other libraries.
 */
export function hideSecrets(text: string): string {
  return (
    text
      // A database password that is not percent-encoded may contain "/" and "@", so the pattern
      // matches up to the last "@".
      .replace(/((?:rediss?|redis-cluster|redis-sentinel|postgres(?:ql)?):\/\/)[^\s"'`<>]{0,1000}@/gi, `$1${HIDDEN}@`)
      .replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s"'`<>/]{0,1000}@/gi, `$1${HIDDEN}@`)
      .replace(/([?&](?:password|sslpassword|secret|token|api_?key)=)[^\s"'`&]{1,1000}/gi, `$1${HIDDEN}`)
      .replace(/\b(bearer\s+)[^\s"']+/gi, `$1${HIDDEN}`)
      .replace(/\btg_[\w-]+/g, HIDDEN)
  );
}

/**
 * Returns the loggable parts of an error: its type, message, code, stack and causes. Other members
 * are omitted, because the error of a driver contains the data that was sent, including passwords
 * and data of callers. Causes are at most `depth` deep.
 */
export function describeError(error: unknown, depth = 3): unknown {
  if (!(error instanceof Error)) return textForLog(String(error));
  const code = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: textForLog(error.message),
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: textForLog(error.stack) }),
    ...(error instanceof AggregateError &&
      depth > 0 && { errors: error.errors.map((one) => describeError(one, depth - 1)) }),
    ...(error.cause !== undefined && depth > 0 && { cause: describeError(error.cause, depth - 1) }),
  };
}
