import { DEFAULT_POOL } from '../model/pool-name.js';
import { type ChargeRecord, createDemand, type Demand, type Reading, selectCharged } from './charge-request.js';
import { describeAll } from './decision.js';
import { type Limit, SHAPE } from './limit.js';
import type { Admission, ChargeSubject, LimitState, Receipt } from './types.js';

/** Where and what was charged, so that the settlement goes to the same place. */
export interface ChargeReceipt extends Receipt, ChargeRecord {
  /** All that was asked, also what was not charged, and what was found. */
  readonly asked: Demand;
  readonly reading: Reading;
  /** Whose Redis, or what stood in for it. */
  readonly pool: string;
  /** The memory of this process was charged. */
  readonly local: boolean;
  settled: boolean;
}

/** What the memory of this process knows of a charge of one limit: the rest of a receipt is made when a settlement comes. */
export interface OneLimitCharge {
  readonly subject: ChargeSubject;
  readonly limit: Limit;
  readonly cost: number;
  readonly now: number;
  readonly used: number;
  readonly extra: number;
  readonly state: LimitState;
  /** A receipt has no member of this name, which tells the two apart. */
  receipt: ChargeReceipt | undefined;
}

/** What the caller gets of it. */
export function admissionOf(charge: OneLimitCharge): Admission {
  return {
    admitted: true,
    delayMs: 0,
    degraded: false,
    limits: [charge.state],
    receipt: charge as unknown as Receipt,
  };
}

/** What stands behind the receipt that a caller has. */
export function chargeBehind(receipt: Receipt): ChargeReceipt {
  if (!('receipt' in receipt)) return receipt as ChargeReceipt;
  const one = receipt as unknown as OneLimitCharge;
  one.receipt ??= receiptOfOne(one);
  return one.receipt;
}

function receiptOfOne({ subject, limit, cost, now, used, extra }: OneLimitCharge): ChargeReceipt {
  const numbers = limit.shape === SHAPE.FIXED ? [used] : [used, extra];
  const reading: Reading = { admitted: true, clock: now, now, numbers, times: undefined };
  return receiptOf(createDemand(subject, [limit], [cost]), reading, '', DEFAULT_POOL, true)!;
}

/** The receipt of what an engine has admitted. */
export function receiptOf(
  demand: Demand,
  reading: Reading,
  chargeId: string,
  pool: string,
  local: boolean,
): ChargeReceipt | undefined {
  if (!reading.admitted) return undefined;
  const { times } = reading;
  let receipt: Omit<ChargeReceipt, keyof Receipt> = {
    demand,
    chargeId,
    time: reading,
    times,
    asked: demand,
    reading,
    pool,
    local,
    settled: false,
  };
  // A shadow that lacked room was not charged: nothing to correct there.
  if (demand.hasShadows) receipt = { ...receipt, ...selectCharged(receipt, lacksNothing(demand, reading)) };
  return receipt as ChargeReceipt;
}

function lacksNothing(demand: Demand, reading: Reading): (index: number) => boolean {
  const states = describeAll(demand, reading);
  return (index) => !states[index]!.wouldDeny;
}
