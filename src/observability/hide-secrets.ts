/** What must not be read in a log, wherever in what is logged it stands. */
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

/** A line that is longer is cut by many collectors of logs. */
const MAX_LETTERS = 16_384;

/** Returns the text as a log may hold it: without secrets, and of at most 16,384 letters. */
export function textForLog(text: string): string {
  // Cut first, the password of a URL could lose the @ by which it is found.
  const hidden = hideSecrets(text);
  return hidden.length <= MAX_LETTERS ? hidden : `${hidden.slice(0, MAX_LETTERS)}...`;
}

/** Hides passwords in URLs, bearer tokens and our own keys, as they stand in messages that others wrote. */
export function hideSecrets(text: string): string {
  return (
    text
      // A password of a database that is not percent-encoded may hold "/" and "@": to the last "@".
      .replace(/((?:rediss?|redis-cluster|redis-sentinel|postgres(?:ql)?):\/\/)[^\s"'`<>]{0,1000}@/gi, `$1${HIDDEN}@`)
      .replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s"'`<>/]{0,1000}@/gi, `$1${HIDDEN}@`)
      .replace(/([?&](?:password|sslpassword|secret|token|api_?key)=)[^\s"'`&]{1,1000}/gi, `$1${HIDDEN}`)
      .replace(/\b(bearer\s+)[^\s"']+/gi, `$1${HIDDEN}`)
      .replace(/\btg_[\w-]+/g, HIDDEN)
  );
}

/**
 * What a log says of an error: its type, message, code, stack and causes, and no other members, as those of a driver's error
 * hold what was sent, passwords and callers' data included. Causes at most `depth` deep.
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
