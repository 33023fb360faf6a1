import { describeAll } from './decision.js';
import { type ChargeRecord, type Demand, type Reading, selectCharged } from './engine.js';
import type { Receipt } from './types.js';

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
