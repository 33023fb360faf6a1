import { MAX_LOG_AMOUNT } from '../../model/limit-parameters.js';
import type { Counter } from './counter.js';
import { windowsToRepay } from './create-shares.js';
import { addEntry, correctEntry, entryList, reportList, roomAtMs } from './entry-list.js';
import type { Limit, LimitAlgorithm } from './limit-algorithm.js';
import { correctCount, parseWindow } from './parse-window.js';

export const slidingWindowLog: LimitAlgorithm = {
  ...entryList,

  parse: (read) => parseWindow(read, MAX_LOG_AMOUNT),

  take: addCharge,
  takeDenied: addCharge,

  correct(limit, counter, stampMs, chargeId, charged, actual) {
    // A charge of zero has no entry yet. An entry whose window is over is dropped when the counter
    // is read.
    if (charged > 0) correctEntry(counter, chargeId, actual);
    else addCharge(limit, counter, stampMs, actual, chargeId);
  },

  report(limit, counter, cost, hasRoom, numbers, offset) {
    reportList(counter, hasRoom, roomAtMs(limit, counter, cost), numbers, offset);
  },

  correctNumbers: correctCount,
};

function addCharge(limit: Limit, counter: Counter, now: number, cost: number, chargeId: string): void {
  addEntry(counter, { endsAtMs: now + limit.windowMs * windowsToRepay(limit, cost), cost, chargeId });
}
