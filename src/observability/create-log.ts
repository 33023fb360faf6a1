import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';

/** What must not be read in a log, wherever in what is logged it stands. */
const SECRET_PATHS = ['authorization', 'x-api-key', 'cookie', 'token', 'secret', 'password', 'variables'].flatMap(
  (name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`],
);
const HIDDEN = '[hidden]';

/**
 * A log of JSON lines that keeps secrets to itself. Of an error it has the type, message, code and stack, and no other
 * members: those of a driver's error hold what was sent, passwords and callers' data included.
 */
export function createLog(options: Pick<LoggerOptions, 'level' | 'name'>, destination?: DestinationStream): Logger {
  const all: LoggerOptions = {
    ...options,
    redact: { paths: SECRET_PATHS, censor: HIDDEN },
    serializers: { err: (error: unknown) => describe(error) },
    hooks: {
      logMethod(input, method) {
        method.apply(this, input.map((part) => (typeof part === 'string' ? hideSecrets(part) : part)) as typeof input);
      },
    },
  };
  return destination ? pino(all, destination) : pino(all);
}

/** An error with its causes, at most so many deep. */
function describe(error: unknown, depth = 3): unknown {
  if (!(error instanceof Error)) return hideSecrets(String(error));
  const code = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: hideSecrets(error.message),
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: hideSecrets(error.stack) }),
    ...(error instanceof AggregateError &&
      depth > 0 && { errors: error.errors.map((one) => describe(one, depth - 1)) }),
    ...(error.cause !== undefined && depth > 0 && { cause: describe(error.cause, depth - 1) }),
  };
}

/** Passwords in URLs, bearer tokens and our own keys, as they stand in messages that others wrote. */
export function hideSecrets(text: string): string {
  return text
    .replace(/([a-z][a-z0-9+.-]*:\/\/)[^/\s@]*@/gi, `$1${HIDDEN}@`)
    .replace(/\b(bearer\s+)[^\s"']+/gi, `$1${HIDDEN}`)
    .replace(/\btg_[\w-]+/g, HIDDEN);
}
