import type { StopSignal } from '../../runtime/wait-for.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import type { CheckedRequest } from '../charge/checked-request.js';
import type { Decision } from '../charge/decision.js';
import type { Queued } from './fair-queue.js';
import { indexOfCounter } from './may-wait.js';

/** Reason for which an operation no longer waits. */
export const WAIT_OUTCOMES = ['admitted', 'denied', 'expired', 'full', 'left', 'closed'] as const;
export type WaitOutcome = (typeof WAIT_OUTCOMES)[number];
/** Reason that ends a wait before its charge is decided. */
export type WaitEnding = Exclude<WaitOutcome, 'admitted' | 'denied'>;

/** A charge that may wait for a slot. */
export interface PatientCharge {
  readonly request: CheckedRequest;
  readonly pool: string | undefined;
  /** Name of the caller. Callers take turns. */
  readonly caller: string;
  /** Signal that ends the wait, because the caller has left. */
  readonly signal: StopSignal | undefined;
  /** Returns the request with the limits that are in force now; undefined if they are the same. */
  readonly current: (() => CheckedRequest | undefined) | undefined;
}

/** One charge that waits for a slot, or that is charged for the first time and may have to wait. */
export class Waiter implements Queued {
  readonly caller: string;
  readonly pool: string | undefined;
  turn = 0;
  request: CheckedRequest;
  /** Limit for whose slots it waits. */
  limit: Limit;
  /** Reason for which it must not continue to wait, once the charge in flight is decided. */
  ending: WaitEnding | undefined;
  /** Length of the wait for which its timer was started, in milliseconds. */
  armedMs: number | undefined;
  /** Time at which it began to wait; undefined before it waits. */
  waitsSinceMs: number | undefined;
  /** Number of times that slots had been freed when it was last charged. */
  freesSeen: number | undefined;
  /** Cancels its timer and its listener. */
  disarm = () => {};
  readonly signal: StopSignal | undefined;
  readonly #current: PatientCharge['current'];

  constructor(
    charge: PatientCharge,
    limit: Limit,
    readonly decide: (decision: Decision) => void,
    readonly fail: (error: unknown) => void,
  ) {
    this.caller = charge.caller;
    this.pool = charge.pool;
    this.request = charge.request;
    this.signal = charge.signal;
    this.limit = limit;
    this.#current = charge.current;
  }

  /** Number of slots that it needs. */
  get cost(): number {
    return this.request.costs[indexOfCounter(this.request, this.limit)] ?? 1;
  }

  /** Adopts the limits that are in force now. Throws the error of the function that returns them. */
  refresh(): void {
    this.request = this.#current?.() ?? this.request;
  }
}
