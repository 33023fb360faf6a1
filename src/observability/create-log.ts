import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { describeError, HIDDEN, SECRET_NAMES, textForLog } from './hide-secrets.js';

/**
 * pino redacts by path, and each path has a fixed depth. So these paths hide secrets of the logged
 * object, of its members, and of their members, but no deeper ones.
 */
const SECRET_PATHS = SECRET_NAMES.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

/** Creates the platform's log: JSON lines by pino, with secrets hidden. */
export function createLog(options: Pick<LoggerOptions, 'level' | 'name'>, destination?: DestinationStream): Logger {
  const all: LoggerOptions = {
    ...options,
    redact: { paths: SECRET_PATHS, censor: HIDDEN },
    serializers: { err: (error: unknown) => describeError(error) },
    hooks: {
      logMethod(input, method) {
        method.apply(this, input.map((part) => (typeof part === 'string' ? textForLog(part) : part)) as typeof input);
      },
    },
  };
  return destination ? pino(all, destination) : pino(all);
}
