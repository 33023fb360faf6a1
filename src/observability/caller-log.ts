import type { OnIdentifyFailed } from '../identity/ask-identify.js';
import type { Logger } from '../model/logger.js';

/** What lasts is said again, this often. */
const REPORT_EVERY_MS = 60_000;

/** What an operator wants to read of callers that could not be named: the first failure, with its stack, and one a minute. */
export function createCallerLog(
  logger: Logger,
  count: OnIdentifyFailed = () => {},
): { identifyFailed: OnIdentifyFailed } {
  let saidAtMs = Number.NEGATIVE_INFINITY;
  return {
    identifyFailed(kind, error) {
      count(kind, error);
      const nowMs = performance.now();
      if (nowMs - saidAtMs < REPORT_EVERY_MS) return;
      saidAtMs = nowMs;
      logger.error({ err: error }, 'Requests are refused with IDENTIFY_FAILED: identify did not say who is asking');
    },
  };
}
