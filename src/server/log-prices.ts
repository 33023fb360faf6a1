import type { DecisionRecord } from '../model/decision-record.js';
import type { Logger } from '../model/logger.js';
import { monotonicClock } from '../runtime/clock.js';
import { keptName } from '../runtime/stored-text.js';

/**
 * Maximum number of lines in one second: a line takes about 10 µs, as long as pricing the
 * operation.
 */
const LINES_A_SECOND = 10;

/**
 * Returns a function that logs the price of operations, for operators who observe before they
 * enforce limits. It logs the first ten operations of each second. The next line contains the
 * number of operations that were not logged.
 *
 * @param now monotonic milliseconds
 */
export function logPrices(
  logger: Pick<Logger, 'info'>,
  now = monotonicClock,
): (record: DecisionRecord, paidCost: number) => void {
  let second = Number.NaN;
  let lines = 0;
  let leftOut = 0;
  return (record, paidCost) => {
    const current = Math.floor(now() / 1000);
    if (current !== second) {
      second = current;
      lines = 0;
    }
    if (lines === LINES_A_SECOND) {
      leftOut++;
      return;
    }
    lines++;
    const others = leftOut === 0 ? '' : ` (${leftOut} operations before it were not logged)`;
    leftOut = 0;
    logger.info(priceLine(record, paidCost) + others);
  };
}

function priceLine({ operationName, operationType, ...record }: DecisionRecord, paidCost: number): string {
  const { tier, requestedCost, wouldBeDeniedBy } = record;
  const operation = `${operationType} ${operationName === undefined ? 'without a name' : keptName(operationName)}`;
  const denied = wouldBeDeniedBy.length === 0 ? '' : `; without shadow mode denied by ${wouldBeDeniedBy.join(', ')}`;
  return `Price: ${operation}, estimated cost ${requestedCost}, paid cost ${paidCost}, tier ${tier}${denied}`;
}
