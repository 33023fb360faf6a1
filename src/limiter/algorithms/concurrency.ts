import { MAX_COUNT, MAX_LEASES } from '../../model/limit.js';
import type { Limit, LimitAlgorithm } from './algorithm.js';
import type { Counter } from './counter.js';
import { addEntry, correctEntry, entryList, reportList } from './entry-list.js';
import { correctCount } from './windows.js';

/** Leases of concurrency slots: each ends by its settlement, whatever the cost, or after `leaseMs`. */
export const concurrency: LimitAlgorithm = {
  ...entryList,

  parse(read) {
    const capacity = read.whole('capacity', 1, MAX_LEASES);
    return { capacity, windowMs: read.whole('leaseMs', 1, MAX_COUNT), leases: true };
  },

  take: addLease,
  takeDenied: addLease,

  correct(_limit, counter, _stampMs, chargeId) {
    correctEntry(counter, chargeId, 0);
  },

  report(_limit, counter, _cost, hasRoom, numbers, offset) {
    // Until the first lease can end.
    reportList(counter, hasRoom, counter.entries[0]?.endsAtMs ?? 0, numbers, offset);
  },

  correctNumbers(limit, numbers, charged) {
    correctCount(limit, numbers, charged, 0);
  },
};

function addLease(limit: Limit, counter: Counter, now: number, cost: number, chargeId: string): void {
  addEntry(counter, { endsAtMs: now + limit.windowMs, cost, chargeId });
}
