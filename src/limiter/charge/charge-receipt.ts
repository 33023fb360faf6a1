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

/**
 * One admitted charge, with the charged amounts and the counters, so that the settlement corrects
 * the same counters.
 */
export interface ChargeReceipt extends Receipt, ChargeRecord {
  /**
   * The complete request, including limits that were not charged. `result` is the engine's result
   * for it.
   */
  readonly asked: CheckedRequest;
  readonly result: EngineResult;
  /** Name of the Redis pool that was charged, or whose fallback made the decision. */
  readonly pool: string;
  /** Whether the charge was made in the memory of this process. */
  readonly local: boolean;
  settled: boolean;
  /** Actual costs of the settlement, for a charge with concurrency slots. */
  settledTo?: Readonly<Record<string, number>>;
  settleLaterUntilMs?: number;
  /** Whether the concurrency slots of the charge, if any, were released. */
  released: boolean;
  /** Settlement of an abandoned call to Redis, if this process decided the charge instead. */
  late?: LateSettlement;
  /** Leases that covered the charge, in the order of the limits of `request`. */
  leases?: readonly Lease[];
  /** Limits of the same operation that were charged in Redis, in addition to the leased ones. */
  unleased?: UnleasedPart;
}

interface UnleasedPart {
  readonly receipt: ChargeReceipt;
  /**
   * Bit mask of the limits that leases covered: bit i stands for the limit at index i of the
   * decision.
   */
  readonly paying: number;
}

/**
 * Corrects the charge of a call to Redis that was abandoned, so that this process decided instead.
 * The correction happens immediately, or as soon as the outcome of the call is known.
 */
export interface LateSettlement {
  settle(actual: Readonly<Record<string, number>>): void;
  /** Releases concurrency slots, and corrects nothing else. */
  endSlots(): void;
  /** Makes the concurrency slots end `leaseMs` from now. */
  renew(): Promise<unknown>;
}

/**
 * A charge of one limit in the memory of this process. The rest of its receipt is created only when
 * it is settled.
 */
export interface OneLimitCharge {
  readonly subject: ChargeSubject;
  readonly limit: Limit;
  readonly cost: number;
  readonly now: number;
  readonly used: number;
  /** Second number that the engine reports for the limit, if its algorithm has one. */
  readonly second: number;
  readonly state: LimitState;
  /**
   * The full receipt, once it is created. `chargeBehind` recognizes this type by the member
   * `receipt`, which a `ChargeReceipt` does not have.
   */
  receipt: ChargeReceipt | undefined;
}

/**
 * Returns the admission of a charge of one limit. The function that creates the object also
 * resolves the promise: V8 then knows that the object has no `then` method. Otherwise V8 would look
 * for one, which takes a tenth of the time of a decision.
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

/**
 * Returns the full receipt for the receipt that the calling code has, and creates it if that was
 * deferred.
 */
export function chargeBehind(receipt: Receipt): ChargeReceipt {
  if (!receipt) rejectReceipt(receipt);
  if (!('receipt' in receipt)) return receipt as ChargeReceipt;
  const one = receipt as unknown as OneLimitCharge | OneLeasedCharge;
  one.receipt ??= 'lease' in one ? leasedReceiptOfOne(one) : receiptOfOne(one);
  return one.receipt;
}

function rejectReceipt(receipt: unknown): never {
  throw new TypeError(
    `receipt: expected the receipt of an admitted charge, got ${show(receipt)}: a denied charge has none, and needs no settlement`,
  );
}

/**
 * A charge of one limit that a lease covered. The rest of its receipt is created only when it is
 * settled.
 */
interface OneLeasedCharge {
  readonly lease: Lease;
  readonly cost: number;
  /** `numbers`, `left` and `takenTime` of the lease at the time of the charge. */
  readonly numbers: readonly number[];
  readonly left: number;
  readonly takenTime: EngineTime;
  receipt: ChargeReceipt | undefined;
}

/** Returns the admission of a charge of one limit that was just taken from its lease. */
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

/** Returns the receipt of a charge that an engine admitted; undefined for a denied one. */
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
  // A shadow limit that lacked room was not charged, so there is nothing to correct.
  if (request.hasShadows) receipt = { ...receipt, ...selectCharged(receipt, lacksNothing(request, result)) };
  return receipt as ChargeReceipt;
}

/** Returns the receipt of a charge that leases covered. */
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

/** Returns whether leases covered the whole charge, so that it needed no call to Redis. */
export function tookNoCall({ approximate, receipt }: Admission): boolean {
  return approximate === true && ('lease' in receipt || chargeBehind(receipt).unleased === undefined);
}

/**
 * Returns a receipt for only those limits of a charge that hold concurrency slots; undefined if
 * none does. The receipt excludes the other limits because a window may have the same id as a slot
 * limit, and must not be refunded with it. Leases never cover a slot.
 */
export function slotsOf(receipt: ChargeReceipt): ChargeReceipt | undefined {
  const { leases: _paid, unleased: _other, ...charged } = receipt.unleased?.receipt ?? receipt;
  const { limits } = charged.request;
  if (!limits.some(({ hasSlots }) => hasSlots)) return undefined;
  const slots = { ...charged, ...selectCharged(charged, (i) => limits[i]!.hasSlots) };
  const { late } = charged;
  return (late === undefined ? slots : { ...slots, late: { ...late, settle: late.endSlots } }) as ChargeReceipt;
}

/** Returns all limits that were charged, leased or not. */
export function chargedLimits({ request, unleased }: ChargeReceipt): readonly Limit[] {
  return unleased === undefined ? request.limits : [...request.limits, ...unleased.receipt.request.limits];
}

function lacksNothing(request: CheckedRequest, result: EngineResult): (index: number) => boolean {
  const states = toLimitStates(request, result);
  return (index) => !states[index]!.wouldDeny;
}

/**
 * Returns the states of a charge as they are after its settlement to `actual`, for a response that
 * is sent while the settlement is still in flight. They do not include charges that other
 * operations made in the meantime.
 * @param charged the states that the charge returned
 */
export function toSettledStates(
  receipt: ChargeReceipt,
  actual: Readonly<Record<string, number>>,
  charged: readonly LimitState[],
): LimitState[] {
  const { unleased } = receipt;
  if (unleased === undefined) return settledStatesOf(receipt, actual, charged);
  const isLeased = (_: LimitState, i: number) => (unleased.paying & (1 << i)) !== 0;
  const isUnleased = (_: LimitState, i: number) => (unleased.paying & (1 << i)) === 0;
  const leased = settledStatesOf(receipt, actual, charged.filter(isLeased)).values();
  const others = settledStatesOf(unleased.receipt, actual, charged.filter(isUnleased)).values();
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
    // A shadow limit that lacked room was not charged. While Redis is unavailable, only `LOCAL`
    // limits are charged.
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

/** Numbers of one limit. Every call reuses the array. */
const corrected: number[] = [];

/**
 * Creates a generator of charge ids of six bytes, one per character. The first three bytes differ
 * between processes. Ids need to be distinct only among the charges that are stored under one key
 * at the same time.
 */
export function createChargeIds(): () => string {
  const process = randomBytes(3).toString('latin1');
  let count = 0;
  return () => {
    count = (count + 1) & 0xffffff;
    return process + String.fromCharCode(count & 255, (count >> 8) & 255, count >> 16);
  };
}
