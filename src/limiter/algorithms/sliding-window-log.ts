import { MAX_LOG_AMOUNT } from '../../model/limit.js';
import { windowsToRepay } from '../outage/local-share.js';
import type { Limit, LimitAlgorithm } from './algorithm.js';
import type { Counter } from './counter.js';
import { addEntry, correctEntry, entryList, reportList, roomAtMs } from './entry-list.js';
import { correctCount, parseWindow } from './windows.js';

export const slidingWindowLog: LimitAlgorithm = {
  ...entryList,

  parse: (read) => parseWindow(read, MAX_LOG_AMOUNT),

  take: addCharge,
  takeDenied: addCharge,

  correct(_limit, counter, _stampMs, chargeId, _charged, actual) {
    correctEntry(counter, chargeId, actual);
  },

  report(limit, counter, cost, hasRoom, numbers, offset) {
    reportList(counter, hasRoom, roomAtMs(limit, counter, cost), numbers, offset);
  },

  correctNumbers: correctCount,
};

function addCharge(limit: Limit, counter: Counter, now: number, cost: number, chargeId: string): void {
  addEntry(counter, { endsAtMs: now + limit.windowMs * windowsToRepay(limit, cost), cost, chargeId });
}
