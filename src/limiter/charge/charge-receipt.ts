import { randomBytes } from 'node:crypto';
import { show } from '../../model/describe-problems.js';
import type { LimitState } from '../../model/limit-parameters.js';
import type { ChargeSubject } from '../../model/subject.js';
import type { EngineTime, Limit } from '../algorithms/limit-algorithm.js';
import {
  type ChargeRecord,
  type CheckedRequest,
  changes,
  createCheckedRequest,
  type EngineResult,
  selectCharged,
} from './checked-request.js';
import type { Admission, Receipt } from './decision.js';
import { DEFAULT_POOL } from './is-pool-name.js';
import { type Lease, readHeld } from './lease.js';
import { toLimitState, toLimitStates } from './to-limit-states.js';

/** Where and what was charged, so that the settlement goes to the same place. */
export interface ChargeReceipt extends Receipt, ChargeRecord {
  /** All that was asked, also what was not charged, and what was found. */
  readonly asked: CheckedRequest;
  readonly result: EngineResult;
  /** Whose Redis, or what stood in for it. */
  readonly pool: string;
  /** The memory of this process was charged. */
  readonly local: boolean;
  settled: boolean;
  /** Its slots have ended, if it has any. */
  released: boolean;
  /** The call to Redis that was given up, where this was decided in its place. */
  late?: LateSettlement;
  /** What paid, limit by limit, where tokens that were taken ahead did. */
  leases?: readonly Lease[];
  /** What was charged in Redis beside them. */
  beside?: Beside;
}

interface Beside {
  readonly receipt: ChargeReceipt;
  /** Which limits of the decision the leases have paid: one bit each. */
  readonly paying: number;
}

/** Corrects what Redis has charged after the decision was made without it, now or when that is known. */
export interface LateSettlement {
  settle(actual: Readonly<Record<string, number>>): void;
  /** Ends concurrency slots, and corrects nothing else. */
  endSlots(): void;
}

/** What the memory of this process knows of a charge of one limit: the rest of a receipt is made when a settlement comes. */
export interface OneLimitCharge {
  readonly subject: ChargeSubject;
  readonly limit: Limit;
  readonly cost: number;
  readonly now: number;
  readonly used: number;
  /** The second number that an engine reports, where the algorithm has one. */
  readonly second: number;
  readonly state: LimitState;
  /** A receipt has no member of this name, which tells the two apart. */
  receipt: ChargeReceipt | undefined;
}

/**
 * What the caller gets of it. Resolved where it is made, as V8 sees there that it is no promise itself: elsewhere it looks for a
 * `then`, which takes a tenth of the decision.
 */
export function admissionOf(charge: OneLimitCharge): Promise<Admission> {
  return Promise.resolve({
    admitted: true,
    delayMs: 0,
    degraded: false,
    limits: [charge.state],
    receipt: charge as unknown as Receipt,
  });
}

/** What stands behind the receipt that a caller has. */
export function chargeBehind(receipt: Receipt): ChargeReceipt {
  if (!receipt) refuseReceipt(receipt);
  if (!('receipt' in receipt)) return receipt as ChargeReceipt;
  const one = receipt as unknown as OneLimitCharge | OneLeasedCharge;
  one.receipt ??= 'lease' in one ? leasedReceiptOfOne(one) : receiptOfOne(one);
  return one.receipt;
}

function refuseReceipt(receipt: unknown): never {
  throw new TypeError(
    `receipt: expected that of an admitted charge, got ${show(receipt)}: one that was denied has none, and nothing to settle`,
  );
}

/** What a lease has paid for one limit: the rest of a receipt is made when a settlement comes. */
interface OneLeasedCharge {
  readonly lease: Lease;
  readonly cost: number;
  /** As they were then. */
  readonly numbers: readonly number[];
  readonly left: number;
  readonly takenTime: EngineTime;
  receipt: ChargeReceipt | undefined;
}

/** What the caller gets of a charge of one limit that its lease has just paid. */
export function leasedAdmissionOf(lease: Lease, cost: number, state: LimitState): Admission {
  const { left, takenTime } = lease;
  const charge: OneLeasedCharge = { lease, cost, numbers: lease.numbers!, left, takenTime, receipt: undefined };
  const receipt = charge as unknown as Receipt;
  return { admitted: true, delayMs: 0, degraded: false, limits: [state], receipt, approximate: true };
}

function leasedReceiptOfOne({ lease, cost, numbers: reported, left, takenTime }: OneLeasedCharge): ChargeReceipt {
  const { subject, limit } = lease;
  const numbers: number[] = [];
  readHeld(limit, reported, left, numbers);
  const { clock, now } = takenTime;
  const result: EngineResult = { admitted: true, clock, now, numbers, times: [takenTime] };
  return leasedReceiptOf(createCheckedRequest(subject, [limit], [cost]), result, [lease]);
}

function receiptOfOne({ subject, limit, cost, now, used, second }: OneLimitCharge): ChargeReceipt {
  const numbers = limit.algorithm.numberCount === 1 ? [used] : [used, second];
  const result: EngineResult = { admitted: true, clock: now, now, numbers, times: undefined };
  return receiptOf(createCheckedRequest(subject, [limit], [cost]), result, '', DEFAULT_POOL, true)!;
}

/** The receipt of what an engine has admitted. */
export function receiptOf(
  request: CheckedRequest,
  result: EngineResult,
  chargeId: string,
  pool: string,
  local: boolean,
): ChargeReceipt | undefined {
  if (!result.admitted) return undefined;
  const { times } = result;
  let receipt: Omit<ChargeReceipt, keyof Receipt> = {
    request,
    chargeId,
    time: result,
    times,
    asked: request,
    result,
    pool,
    local,
    settled: false,
    released: false,
  };
  // A shadow that lacked room was not charged: nothing to correct there.
  if (request.hasShadows) receipt = { ...receipt, ...selectCharged(receipt, lacksNothing(request, result)) };
  return receipt as ChargeReceipt;
}

/** The receipt of what leases have paid. */
export function leasedReceiptOf(
  request: CheckedRequest,
  result: EngineResult,
  leases: readonly Lease[],
): ChargeReceipt {
  const receipt: Omit<ChargeReceipt, keyof Receipt> = {
    request,
    chargeId: '',
    time: result,
    times: result.times,
    asked: request,
    result,
    pool: DEFAULT_POOL,
    local: false,
    settled: false,
    released: false,
    leases,
  };
  return receipt as ChargeReceipt;
}

/** Leases have paid for all of it. */
export function tookNoCall({ approximate, receipt }: Admission): boolean {
  return approximate === true && ('lease' in receipt || chargeBehind(receipt).beside === undefined);
}

/**
 * What of a charge holds concurrency slots, as a receipt of that alone: a window may have the id of a slot, and is not to be
 * refunded with it. Undefined: nothing does. No lease pays for a slot.
 */
export function slotsOf(receipt: ChargeReceipt): ChargeReceipt | undefined {
  const { leases: _paid, beside: _other, ...charged } = receipt.beside?.receipt ?? receipt;
  const { limits } = charged.request;
  if (!limits.some(({ hasSlots }) => hasSlots)) return undefined;
  const slots = { ...charged, ...selectCharged(charged, (i) => limits[i]!.hasSlots) };
  const { late } = charged;
  return (late === undefined ? slots : { ...slots, late: { ...late, settle: late.endSlots } }) as ChargeReceipt;
}

/** All limits that were charged. */
export function chargedLimits({ request, beside }: ChargeReceipt): readonly Limit[] {
  return beside === undefined ? request.limits : [...request.limits, ...beside.receipt.request.limits];
}

function lacksNothing(request: CheckedRequest, result: EngineResult): (index: number) => boolean {
  const states = toLimitStates(request, result);
  return (index) => !states[index]!.wouldDeny;
}

/**
 * The states of a charge as they are once it is settled to `actual`: for the answer that is sent while the settlement is
 * on its way. Nothing that others have charged in the meantime is in them.
 * @param charged those that the charge was answered with
 */
export function toSettledStates(
  receipt: ChargeReceipt,
  actual: Readonly<Record<string, number>>,
  charged: readonly LimitState[],
): LimitState[] {
  const { beside } = receipt;
  if (beside === undefined) return settledStatesOf(receipt, actual, charged);
  const isLeased = (_: LimitState, i: number) => (beside.paying & (1 << i)) !== 0;
  const isBeside = (_: LimitState, i: number) => (beside.paying & (1 << i)) === 0;
  const leased = settledStatesOf(receipt, actual, charged.filter(isLeased)).values();
  const others = settledStatesOf(beside.receipt, actual, charged.filter(isBeside)).values();
  return charged.map((state, i) => (isLeased(state, i) ? leased : others).next().value ?? state);
}

function settledStatesOf(
  { asked, request, result }: ChargeReceipt,
  actual: Readonly<Record<string, number>>,
  charged: readonly LimitState[],
): LimitState[] {
  const { limits, costs } = asked;
  const states: LimitState[] = new Array(limits.length);
  let offset = 0;
  for (let i = 0; i < limits.length; i++) {
    const limit = limits[i]!;
    const count = limit.algorithm.numberCount;
    const first = offset;
    offset += count;
    // A shadow that lacked room was not charged, nor was what admits unseen.
    const wasCharged = result.numbers[first]! >= 0 && (request === asked || request.limits.includes(limit));
    if (!wasCharged || !changes(asked, i, actual)) {
      states[i] = charged[i]!;
      continue;
    }
    for (let j = 0; j < count; j++) corrected[j] = result.numbers[first + j]!;
    limit.algorithm.correctNumbers(limit, corrected, costs[i]!, actual[limit.id]!);
    states[i] = toLimitState(limit, costs[i]!, result.times?.[i] ?? result, corrected, 0);
  }
  return states;
}

/** Reused by every call: the numbers of one limit. */
const corrected: number[] = [];

/**
 * Ids for charges: six bytes, one per character. The first three differ between processes; only charges that one key
 * holds at the same time have to be told apart.
 */
export function createChargeIds(): () => string {
  const process = randomBytes(3).toString('latin1');
  let count = 0;
  return () => {
    count = (count + 1) & 0xffffff;
    return process + String.fromCharCode(count & 255, (count >> 8) & 255, count >> 16);
  };
}
