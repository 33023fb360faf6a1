import { MIN_SLOT_WAIT_MS } from '../../model/limit-parameters.js';
import type { Timings } from '../../runtime/timings.js';
import type { Decision } from '../charge/decision.js';
import { FairQueue } from './fair-queue.js';
import { indexOfCounter, limitToWaitFor, sharesCounter } from './may-wait.js';
import type { Waiter, WaitOutcome } from './waiter.js';

/** Functions of `SlotQueues` that the queue of one counter calls. */
export interface QueueHost {
  readonly timings: Timings;
  /** Charges the request of a waiter. */
  charge(waiter: Waiter): Promise<Decision>;
  /** Ends a wait with a decision. The waiter may have left: the charge is then refunded. */
  decided(waiter: Waiter, decision: Decision, outcome: WaitOutcome): void;
  failed(waiter: Waiter, error: unknown): void;
  /** Makes a denied waiter wait, in this or in another queue. */
  wait(waiter: Waiter): void;
  /** Returns whether a queue may poll now: charge a waiter although no free slot is known. */
  mayPoll(): boolean;
  /** Called when the number of waiting callers has changed. */
  changed(queue: SlotQueue): void;
}

/**
 * Maximum number of charges of one queue that are in flight at the same time. It equals the number
 * of charges that one call to Redis contains.
 */
const MAX_IN_FLIGHT = 32;

/**
 * Maximum time between two polls, in milliseconds. A poll charges a waiter although no free slot is
 * known. It finds a slot that has expired, or whose notice from another process was lost.
 */
const POLL_MS = 1000;

/** Operations of this process that wait for slots of one counter. */
export class SlotQueue {
  /** Name of the counter among those of all pools. */
  readonly id: string;
  readonly key: string;
  readonly pool: string | undefined;
  readonly #host: QueueHost;
  readonly #waiting = new FairQueue<Waiter>();
  /** Number and slots of the charges in flight. */
  #charges = 0;
  #slotsInFlight = 0;
  /** Estimated number of free slots, without those that charges in flight need. */
  #room = 0;
  /**
   * Slots that were freed while charges were in flight. Decisions on these charges may not count
   * them yet.
   */
  #freed = 0;
  #stopPoll: (() => void) | undefined;
  #pollAtMs = 0;
  /** Minimum time until the next poll, in milliseconds. */
  #pollMs = MIN_SLOT_WAIT_MS;

  constructor({ id, key, pool }: Pick<SlotQueue, 'id' | 'key' | 'pool'>, host: QueueHost) {
    this.id = id;
    this.key = key;
    this.pool = pool;
    this.#host = host;
  }

  get size(): number {
    return this.#waiting.size;
  }

  get callers(): number {
    return this.#waiting.callers;
  }

  /** Whether nothing waits, and no charge is in flight that may have to wait. */
  get isIdle(): boolean {
    return this.#waiting.size === 0 && this.#charges === 0;
  }

  /**
   * Adds a waiter. Returns the one that has to leave because the queue is full: the added waiter,
   * or another one.
   */
  add(waiter: Waiter, max: number): Waiter | undefined {
    let left: Waiter | undefined;
    if (waiter.turn > 0) this.#waiting.putBack(waiter);
    else left = this.#waiting.add(waiter, max);
    this.#pollWithin(POLL_MS);
    this.#host.changed(this);
    return left;
  }

  /** Removes a waiter. Returns false if it is not waiting, but its charge is in flight. */
  delete(waiter: Waiter): boolean {
    const wasWaiting = this.#waiting.delete(waiter);
    if (wasWaiting) {
      this.#host.changed(this);
      // If the waiter was the next one, a waiter that needs fewer slots may follow.
      this.#next();
    }
    return wasWaiting;
  }

  /** Stops the polls of a queue in which nothing waits. */
  stop(): void {
    this.#stopPoll?.();
    this.#stopPoll = undefined;
  }

  /** Reports that slots are free. */
  offer(slots: number): void {
    this.#pollMs = MIN_SLOT_WAIT_MS;
    if (this.#charges > 0) this.#freed += slots;
    this.#room += slots;
    this.#next();
  }

  /** Charges a waiter that this queue does not contain. */
  ask(waiter: Waiter): void {
    const { cost } = waiter;
    this.#charges++;
    this.#slotsInFlight += cost;
    const answered = (decision: Decision | undefined) => {
      this.#charges--;
      this.#slotsInFlight -= cost;
      this.#learn(waiter, decision);
    };
    this.#host.charge(waiter).then(
      (decision) => {
        answered(decision);
        this.#decide(waiter, decision);
        this.#next();
        this.#host.changed(this);
      },
      (error) => {
        answered(undefined);
        this.#host.failed(waiter, error);
        this.#next();
        this.#host.changed(this);
      },
    );
  }

  /** Charges the waiters whose turn is next, as long as there may be slots for them. */
  #next(): void {
    for (;;) {
      const next = this.#waiting.peek();
      if (next === undefined || this.#charges >= MAX_IN_FLIGHT || next.cost > this.#room) return;
      this.#room -= next.cost;
      this.ask(this.#waiting.take()!);
    }
  }

  /** Updates the number of free slots by the decision on a charge. */
  #learn(waiter: Waiter, decision: Decision | undefined): void {
    const freed = this.#freed;
    this.#freed = 0;
    if (decision === undefined) {
      // The charge was not made, so the slots for it are free.
      this.#room += waiter.cost;
      return;
    }
    const index = indexOfCounter(waiter.request, waiter.limit);
    // If the request no longer has this limit, its rule was edited or removed. The other operations
    // then need not wait either.
    const left = index < 0 ? Number.POSITIVE_INFINITY : (decision.limits[index]?.remaining ?? 0);
    this.#room = Math.max(0, left - this.#slotsInFlight) + freed;
  }

  #decide(waiter: Waiter, decision: Decision): void {
    if (decision.admitted) {
      this.#host.decided(waiter, decision, 'admitted');
      return;
    }
    const limit =
      decision.code === 'UNDECIDED' && waiter.waitsSinceMs !== undefined
        ? waiter.limit
        : limitToWaitFor(waiter.request, decision);
    if (limit === undefined) {
      this.#host.decided(waiter, decision, 'denied');
      return;
    }
    // In another queue, its turn comes after those of the callers that wait there.
    if (!sharesCounter(limit, waiter.limit)) waiter.turn = 0;
    waiter.limit = limit;
    this.#host.wait(waiter);
    this.#pollWithin(decision.retryAfterMs ?? POLL_MS);
  }

  /**
   * Schedules the next poll after about this time. A poll that is scheduled for an earlier time
   * stays.
   */
  #pollWithin(afterMs: number): void {
    const { clock, schedule, random } = this.#host.timings;
    const waitMs = Math.min(POLL_MS, Math.max(this.#pollMs, afterMs));
    // Jitter: processes that wait for the same slots do not all try at the same moment.
    const pollAtMs = clock() + waitMs * (0.75 + random() / 2);
    if (this.#stopPoll !== undefined && this.#pollAtMs <= pollAtMs) return;
    this.#stopPoll?.();
    this.#pollAtMs = pollAtMs;
    this.#stopPoll = schedule(() => this.#poll(), pollAtMs - clock());
  }

  #poll(): void {
    this.#stopPoll = undefined;
    if (this.#waiting.size === 0) return;
    // Backoff: the expected end of an operation has passed without a free slot.
    this.#pollMs = Math.min(POLL_MS, 2 * this.#pollMs);
    if (this.#charges === 0 && this.#host.mayPoll()) this.ask(this.#waiting.take()!);
    this.#pollWithin(POLL_MS);
  }
}
