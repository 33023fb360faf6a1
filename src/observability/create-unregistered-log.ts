import type { OperationObserver } from '../model/decision-record.js';
import type { Logger } from '../model/logger.js';

/** Maximum number of operation names that are logged. */
const MAX_NAMES = 1000;

/**
 * Logs the first operation of each name whose document is not registered. Callers on a tier of
 * `bypassTiers` are ignored, because they may send any document.
 */
export function createUnregisteredLog(logger: Logger, bypassTiers: readonly string[] = []): OperationObserver {
  const logged = new Set<string>();
  return {
    onDecision({ document, operationName = '(unnamed)', tier }) {
      if (document || bypassTiers.includes(tier) || logged.has(operationName) || logged.size >= MAX_NAMES) return;
      logged.add(operationName);
      logger.warn(`The document of ${JSON.stringify(operationName)} (tier ${tier}) is not registered`);
    },
  };
}
