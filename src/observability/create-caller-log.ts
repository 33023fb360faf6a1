import type { OnIdentifyFailed } from '../identity/ask-identify.js';
import type { Logger } from '../model/logger.js';
import type { Tier } from '../model/rule.js';

/** Minimum time between two log lines about a failure that lasts, in milliseconds. */
const REPORT_EVERY_MS = 60_000;
/**
 * Maximum number of tier names to warn about, and of fields. A tier name may come from a token
 * claim, which can contain any text.
 */
const MAX_NAMES = 100;

export interface CallerObserver {
  /** Called when `identify` cannot identify the caller. */
  identifyFailed: OnIdentifyFailed;
  /** Called for an operation of a caller on an unknown tier. */
  unknownTier(name: string, instead: Tier): void;
}

/**
 * Creates an observer that logs problems with callers. It logs the first caller that cannot be
 * identified, with the stack trace, and then at most one per minute. It logs each unknown tier name,
 * and each unknown field of a reported cost, once. `count` is notified of every event.
 */
export function createCallerLog(
  logger: Logger,
  count?: CallerObserver,
): CallerObserver & { unknownField(coordinate: string): void } {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  const named = new Set<string>();
  const fields = new Set<string>();
  return {
    identifyFailed(kind, error) {
      count?.identifyFailed(kind, error);
      const nowMs = performance.now();
      if (nowMs - loggedAtMs < REPORT_EVERY_MS) return;
      loggedAtMs = nowMs;
      logger.error({ err: error }, 'Requests fail with IDENTIFY_FAILED: identify did not identify the caller');
    },
    unknownTier(name, instead) {
      count?.unknownTier(name, instead);
      const shown = name.slice(0, 64);
      if (named.size >= MAX_NAMES || named.has(shown)) return;
      named.add(shown);
      logger.warn(`Unknown tier ${JSON.stringify(shown)}: its callers have the default tier, ${instead.name}`);
    },
    unknownField(coordinate) {
      const shown = coordinate.slice(0, 64);
      if (fields.size >= MAX_NAMES || fields.has(shown)) return;
      fields.add(shown);
      logger.warn(
        `addCost: field: the schema has no field ${JSON.stringify(shown)}: its cost counts for the operation, but not for the field`,
      );
    },
  };
}
