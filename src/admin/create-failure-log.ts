import type { Logger } from '../model/logger.js';
import { isOutage } from '../postgres/is-outage.js';
import { whyUnusable } from '../postgres/with-postgres.js';

interface FailureLogOptions {
  readonly logger: Pick<Logger, 'error'>;
  /** Returns whether the log already reports that PostgreSQL cannot be used. */
  readonly isReported: () => boolean;
  /** Time in which the check of PostgreSQL notices an outage, in milliseconds. @default 3000 */
  readonly noticeMs?: number;
}

interface FailureLog {
  /** Logs a failure of a request. Outages of PostgreSQL are reported once, not for each request. */
  failed(error: unknown, message: string): void;
  close(): void;
}

/** Minimum time between two lines about outages that the check of PostgreSQL does not notice. */
const EVERY_MS = 60_000;
const LOOKS = 20;

/**
 * Creates a log of failed requests. During an outage of PostgreSQL, one page of the console causes
 * many failures. The check that keeps the rules up to date logs the start and the end of the
 * outage, so these failures are not logged. If that check still works, only the connections of the
 * admin API have a problem, and one line per minute reports it.
 */
export function createFailureLog({ logger, isReported, noticeMs = 3_000 }: FailureLogOptions): FailureLog {
  let timer: NodeJS.Timeout | undefined;
  let loggedAtMs = Number.NEGATIVE_INFINITY;

  function end(): void {
    clearInterval(timer);
    timer = undefined;
  }

  /**
   * Checks several times whether the outage is reported, because it may end before the last check.
   */
  function logUnlessReported(error: unknown): void {
    let looks = 0;
    timer = setInterval(() => {
      if (isReported()) return end();
      if (++looks < LOOKS) return;
      end();
      loggedAtMs = performance.now();
      logger.error({ reason: whyUnusable(error) }, 'Requests of the admin API failed: PostgreSQL did not respond');
    }, noticeMs / LOOKS).unref();
  }

  return {
    failed(error, message) {
      if (!isOutage(error)) return logger.error({ err: error }, message);
      if (timer !== undefined || isReported() || performance.now() - loggedAtMs < EVERY_MS) return;
      logUnlessReported(error);
    },
    close: end,
  };
}
