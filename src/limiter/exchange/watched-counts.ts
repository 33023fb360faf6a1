import { MAX_COST } from '../../model/limit-parameters.js';
import type { ChargeSubject } from '../../model/subject.js';
import { type Limit, SHAPE } from '../algorithms/limit-algorithm.js';
import { type ChargeReceipt, chargeBehind } from '../charge/charge-receipt.js';
import { type ChargeRecord, stampMsOf } from '../charge/checked-request.js';
import type { LimitCharge } from '../charge/create-limit-compiler.js';
import type { Receipt } from '../charge/decision.js';
import { definitionOf } from '../charge/portable-charge.js';
import { sourceOf } from '../charge/source-of.js';
import { keysFor } from '../redis/keys-for.js';

/** Counts of limits with the mode `WATCH` that this process has not published yet. */
export interface WatchedCounts {
  /** Adds the costs of an admitted charge. */
  admitted(receipt: Receipt): void;
  /** Adds the difference of a settlement. Call it once per charge, after the settlement. */
  settled(receipt: Receipt, actual: Readonly<Record<string, number>>): void;
  /** Removes at most `most` counts and returns them, in the order of their first charges. */
  take(most: number): WatchedCount[];
  /** Number of counts that were dropped, because too many waited. */
  readonly dropped: number;
}

/** Correction of one counter: from `charged` to `actual` at the time `stampMs`. */
export interface WatchedCount {
  readonly pool: string;
  readonly subject: ChargeSubject;
  readonly limit: LimitCharge;
  readonly stampMs: number;
  /** Id of the charge in a list; '' for counters that sum their charges. */
  readonly chargeId: string;
  charged: number;
  actual: number;
}

/** Maximum number of counts that are queued while the Redis of the region is unavailable. */
const MAX_WAITING = 100_000;

export function createWatchedCounts(): WatchedCounts {
  let waiting = new Map<string, WatchedCount>();
  let dropped = 0;

  function add(record: ChargeRecord & Pick<ChargeReceipt, 'pool'>, place: number, difference: Difference): void {
    const { request, pool } = record;
    const limit = request.limits[place]!;
    const stampMs = stampMsOf(record, place);
    const chargeId = limit.shape === SHAPE.LIST ? record.chargeId : '';
    const counter = `${keysFor(request.subject)(limit)}|${limit.identity.name}|${pool}`;
    const key = `${counter}|${chargeId === '' ? spanOf(limit, stampMs) : chargeId}`;
    const known = waiting.get(key);
    if (known !== undefined && merge(known, difference)) return;
    if (waiting.size >= MAX_WAITING) {
      dropped++;
      return;
    }
    const { user, tenant, apiKey, ip, billingAnchor } = request.subject;
    const subject = { user, tenant, apiKey, ip, billingAnchor };
    // The receiver charges the counter of the whole limit, as this region does.
    const { regionMode: _mode, ...definition } = definitionOf(limit);
    waiting.set(known === undefined ? key : `${key}|${waiting.size}`, {
      pool,
      subject,
      limit: definition,
      stampMs,
      chargeId,
      ...difference,
    });
  }

  return {
    admitted(receipt) {
      for (const record of partsOf(receipt)) {
        for (const [i, limit] of record.request.limits.entries()) {
          const cost = record.request.costs[i]!;
          if (cost > 0 && isWatched(limit)) add(record, i, { charged: 0, actual: cost });
        }
      }
    },

    settled(receipt, actual) {
      for (const record of partsOf(receipt)) {
        for (const [i, limit] of record.request.limits.entries()) {
          const charged = record.request.costs[i]!;
          const spent = actual[limit.id];
          if (spent === undefined || spent === charged || !isWatched(limit)) continue;
          add(record, i, { charged, actual: spent });
        }
      }
    },

    take(most) {
      const taken = [...waiting.values()].slice(0, most);
      if (taken.length === waiting.size) waiting = new Map();
      else for (const key of [...waiting.keys()].slice(0, most)) waiting.delete(key);
      return taken.filter(({ charged, actual }) => charged !== actual);
    },

    get dropped() {
      return dropped;
    },
  };
}

type Difference = Pick<WatchedCount, 'charged' | 'actual'>;

function isWatched(limit: Limit): boolean {
  return (sourceOf(limit) as LimitCharge | undefined)?.regionMode === 'WATCH';
}

/** Returns the parts of a charge: one, or two if leases covered only some of the limits. */
function partsOf(receipt: Receipt): readonly ChargeReceipt[] {
  const charged = chargeBehind(receipt);
  return charged.unleased === undefined ? [charged] : [charged, charged.unleased.receipt];
}

/** Adds a difference to a count. Returns false if the sum would be larger than a settlement may be. */
function merge(count: WatchedCount, { charged, actual }: Difference): boolean {
  if (count.chargeId !== '') {
    // The later correction begins with the amount that the earlier one ended with.
    count.actual = actual;
    return true;
  }
  const sum = count.actual - count.charged + actual - charged;
  if (Math.abs(sum) > MAX_COST) return false;
  count.charged = Math.max(0, -sum);
  count.actual = Math.max(0, sum);
  return true;
}

/** Returns a number that is the same for charges that a limit counts in the same window or part. */
function spanOf({ shape, calendar, windowMs, partMs }: Limit, stampMs: number): number {
  if (shape === SHAPE.BUCKET) return 0;
  if (shape === SHAPE.LIST) return stampMs;
  // Periods of calendars begin at whole seconds.
  if (calendar !== undefined) return Math.floor(stampMs / 1000);
  return Math.floor(stampMs / (shape === SHAPE.STRICT ? partMs : windowMs));
}
