import type { OnIdentifyFailed } from '../identity/ask-identify.js';
import type { Logger } from '../model/logger.js';
import type { Tier } from '../model/rule.js';

/** What lasts is said again, this often. */
const REPORT_EVERY_MS = 60_000;
/** Names of tiers that are warned of: a claim of a token, say, may hold anything. */
const MAX_NAMES = 100;

export interface CallerObserver {
  /** It could not be said who is asking. */
  identifyFailed: OnIdentifyFailed;
  /** An operation came from a caller on a tier that there is not. */
  unknownTier(name: string, instead: Tier): void;
}

/**
 * What an operator wants to read of callers: the first of those who could not be named, with the stack, and one a minute; and each
 * name of a tier that there is not, once. `count` is told of all of them.
 */
export function createCallerLog(logger: Logger, count?: CallerObserver): CallerObserver {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  const named = new Set<string>();
  return {
    identifyFailed(kind, error) {
      count?.identifyFailed(kind, error);
      const nowMs = performance.now();
      if (nowMs - saidAtMs < REPORT_EVERY_MS) return;
      saidAtMs = nowMs;
      logger.error({ err: error }, 'Requests are refused with IDENTIFY_FAILED: identify did not say who is asking');
    },
    unknownTier(name, instead) {
      count?.unknownTier(name, instead);
      const shown = name.slice(0, 64);
      if (named.size >= MAX_NAMES || named.has(shown)) return;
      named.add(shown);
      logger.warn(
        `There is no tier ${JSON.stringify(shown)}: callers who are said to be on it have the default tier, ${instead.name}`,
      );
    },
  };
}
