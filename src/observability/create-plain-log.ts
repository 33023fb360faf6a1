import type { Logger } from '../model/logger.js';
import { describeError, HIDDEN, SECRET_NAMES, textForLog } from './hide-secrets.js';
import { logText } from './log-text.js';

interface PlainLogOptions {
  /** Value of `name` in each line. */
  name: string;
  /**
   * Writes one line, which includes its line end.
   * @default writes to standard output; on a terminal, the line is formatted as text
   */
  write?: (line: string) => void;
}

const SECRETS: ReadonlySet<string> = new Set(SECRET_NAMES);
// The numbers are those of pino, so that tools for logs of pino can read these lines.
const LEVELS = { info: 30, warn: 40, error: 50 } as const;

/**
 * Creates the default log: JSON lines in pino's form, with secrets hidden at any depth. A protected
 * server logs a handful of lines an hour, which does not justify a dependency on a logging library.
 */
export function createPlainLog({ name, write = writeOut }: PlainLogOptions): Logger {
  function log(level: keyof typeof LEVELS, message: string, details: object = {}): void {
    const line = { level: LEVELS[level], time: Date.now(), name, ...details, msg: textForLog(message) };
    write(`${JSON.stringify(line, replace)}\n`);
  }

  return {
    info: (message) => log('info', message),
    warn: (message) => log('warn', message),
    error: (details, message) => log('error', message, details),
  };
}

function writeOut(line: string): void {
  const text = process.stdout.isTTY ? logText(line) : line;
  // biome-ignore lint/suspicious/noConsole: an error of `process.stdout.write`, as on a full disk, would end the process
  console.log(text.slice(0, -1));
}

function replace(key: string, value: unknown): unknown {
  if (SECRETS.has(key)) return HIDDEN;
  // Has no effect on `msg`, whose secrets are already hidden.
  if (typeof value === 'string') return textForLog(value);
  return value instanceof Error ? describeError(value) : value;
}
