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

/** Passwords in URLs, bearer tokens and our own keys, as they stand in messages that others wrote. */
export function hideSecrets(text: string): string {
  return (
    text
      // To the last "@": a password that is not percent-encoded has some of its own.
      .replace(/([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s"'`<>]{0,1000}@/gi, `$1${HIDDEN}@`)
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
  if (!(error instanceof Error)) return hideSecrets(String(error));
  const code = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: hideSecrets(error.message),
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: hideSecrets(error.stack) }),
    ...(error instanceof AggregateError &&
      depth > 0 && { errors: error.errors.map((one) => describeError(one, depth - 1)) }),
    ...(error.cause !== undefined && depth > 0 && { cause: describeError(error.cause, depth - 1) }),
  };
}
