import { MAX_WAITING_OPERATIONS } from '../../model/limit-parameters.js';
import type { Timings } from '../../runtime/timings.js';
import type { Limit } from '../algorithms/limit-algorithm.js';
import type { CheckedRequest } from '../charge/checked-request.js';
import type { Decision, PeekedStates, Receipt } from '../charge/decision.js';
import { DEFAULT_POOL } from '../charge/is-pool-name.js';
import { keysFor } from '../redis/keys-for.js';
import { CallerLines } from './caller-lines.js';
import { denialOfWait, mayWait, onlyCountingDenials, withoutCountingDenials } from './may-wait.js';
import { type QueueHost, SlotQueue } from './slot-queue.js';
import { type PatientCharge, WAIT_OUTCOMES, type WaitEnding, Waiter, type WaitOutcome } from './waiter.js';

/** Numbers of operations that wait, or have waited, for slots of concurrency limits. */
export interface WaitTotals {
  /** Number of operations that wait now. */
  waiting: number;
  /** Total number of operations that no longer wait, by reason. */
  ended: Readonly<Record<WaitOutcome, number>>;
}

/** Notices between the processes that share slots. */
export interface SlotNotices {
  /** Returns the number of callers that wait in other processes for slots of a counter. */
  callersElsewhere(key: string): number;
  /** Notifies other processes of the number of callers that wait here. */
  waiting(key: string, callers: number): void;
  /** Notifies the processes in which callers wait that a slot is free. */
  freed(key: string): void;
}

/** Sources of time and randomness. */
interface WaitTimings extends Timings {
  /** Works like `schedule`, with a timer that keeps the process alive: callers await its end. */
  scheduleAwaited: Timings['schedule'];
}

interface SlotQueuesOptions {
  timings: WaitTimings;
  charge(request: CheckedRequest, pool: string | undefined): Promise<Decision>;
  peek(request: CheckedRequest, pool: string | undefined): Promise<PeekedStates>;
  /** Refunds a charge whose caller has left. */
  refund(receipt: Receipt, request: CheckedRequest): void;
  /**
   * Returns the notices of a pool; undefined if no other process shares its slots, or if they are
   * not open yet.
   */
  notices(pool: string | undefined): SlotNotices | undefined;
  /** Opens the notices of a pool, unless they are open. Returns whether the pool has any. */
  openNotices(pool: string | undefined): boolean;
  closeNotices(): void;
}

/**
 * Average time until the first process charges for a freed slot, in milliseconds, if callers wait
 * for it in several processes.
 */
const RACE_MS = 4;
/** Maximum time that one process waits before it charges for such a slot, in milliseconds. */
const LONGEST_RACE_MS = 100;

/**
 * Maximum number of polls in `POLLS_MS` milliseconds, over all queues. A poll charges a waiter
 * although no free slot is known. Charges of the same moment share calls to Redis.
 */
const MAX_POLLS = 64;
const POLLS_MS = 100;

/**
 * The queues of operations that wait for slots of concurrency limits with `maxWaitMs`, one for each
 * counter. A waiting operation has charged nothing. Only the operations whose turn is next are
 * charged: when a slot was freed, and at intervals, because a slot may have expired.
 *
 * Processes compete for the slots that they share. When a slot is freed, each process waits for a
 * random time before it charges. The times are exponentially distributed, with a rate that is
 * proportional to the number of callers that wait in the process. Each caller thus has the same
 * chance, in whichever process it waits.
 */
export class SlotQueues {
  readonly #options: SlotQueuesOptions;
  readonly #queues = new Map<string, SlotQueue>();
  readonly #waiters = new Set<Waiter>();
  /** Waiters whose wait has not ended. */
  readonly #staying = new CallerLines<Waiter>();
  readonly #ended = Object.fromEntries(WAIT_OUTCOMES.map((outcome) => [outcome, 0])) as Record<WaitOutcome, number>;
  readonly #host: QueueHost;
  /** Number of times that slots were freed. */
  #frees = 0;
  #polls = 0;
  #pollsSinceMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  #hasNotices = false;
  readonly #onAllEnded: (() => void)[] = [];

  constructor(options: SlotQueuesOptions) {
    this.#options = options;
    this.#host = {
      timings: options.timings,
      charge: async (waiter) => {
        if (waiter.waitsSinceMs !== undefined) waiter.refresh();
        waiter.freesSeen = this.#frees;
        return options.charge(withoutCountingDenials(waiter.request), waiter.pool);
      },
      decided: (waiter, decision, outcome) => this.#decided(waiter, decision, outcome),
      failed: (waiter, error) => this.#fail(waiter, error),
      wait: (waiter) => this.#wait(waiter),
      mayPoll: () => this.#mayPoll(),
      changed: (queue) => this.#changed(queue),
    };
  }

  /**
   * Charges a request. If only limits with `maxWaitMs` deny it, it waits for their slots. Rejects
   * with the reason of the signal if the caller leaves while the request waits.
   */
  charge(charge: PatientCharge): Promise<Decision> {
    const { request, pool, signal } = charge;
    if (this.#isClosed || !mayWait(request)) return this.#options.charge(request, pool);
    if (signal?.aborted) return Promise.reject(signal.reason);
    this.#hasNotices = this.#options.openNotices(pool) || this.#hasNotices;
    return new Promise((resolve, reject) => {
      const { limit, isBusy } = this.#firstLimitOf(request, pool);
      const waiter = new Waiter(charge, limit, resolve, reject);
      const queue = this.#queueOf(waiter);
      if (!isBusy) {
        queue.ask(waiter);
        return;
      }
      const wasEmpty = queue.size === 0;
      this.#wait(waiter);
      // Callers wait in other processes only. This one competes with them at once.
      if (wasEmpty) this.#race(queue, waiter.cost);
    });
  }

  /** Whether freed slots need no report: nothing waits here, and no notices are open. */
  get isIdle(): boolean {
    return this.#queues.size === 0 && !this.#hasNotices;
  }

  /** Reports that a charge no longer holds the slots of the limits that `isEnded` accepts. */
  freed({ subject, limits, costs }: CheckedRequest, pool: string, isEnded: (id: string) => boolean): void {
    const notices = this.#options.notices(pool);
    this.#frees++;
    for (let i = 0; i < limits.length; i++) {
      const limit = limits[i]!;
      if (!limit.hasSlots || !isEnded(limit.id)) continue;
      const key = keysFor(subject)(limit);
      const elsewhere = notices?.callersElsewhere(key) ?? 0;
      if (elsewhere > 0) notices?.freed(key);
      const queue = this.#queues.get(idOf(pool, key));
      if (queue === undefined) continue;
      if (elsewhere > 0) this.#race(queue, costs[i]!);
      else queue.offer(costs[i]!);
    }
  }

  /** Reports that another process has freed a slot. */
  freedElsewhere(pool: string, key: string): void {
    const queue = this.#queues.get(idOf(pool, key));
    if (queue !== undefined && queue.size > 0) this.#race(queue, 1);
  }

  totals(): WaitTotals {
    return { waiting: this.#waiters.size, ended: { ...this.#ended } };
  }

  /** Ends all waits with a denial. Later charges do not wait. */
  async end(): Promise<void> {
    this.#isClosed = true;
    if (this.#waiters.size === 0) return;
    const ended = new Promise<void>((resolve) => this.#onAllEnded.push(resolve));
    for (const waiter of [...this.#waiters]) this.#end(waiter, 'closed');
    await ended;
  }

  async close(): Promise<void> {
    await this.end();
    this.#options.closeNotices();
  }

  /**
   * Returns the limit whose queue a new request uses, and whether other requests wait for its
   * slots. If they do, the request must not take the next free slot.
   */
  #firstLimitOf(request: CheckedRequest, pool: string | undefined): { limit: Limit; isBusy: boolean } {
    let first: Limit | undefined;
    for (let i = 0; i < request.limits.length; i++) {
      const limit = request.limits[i]!;
      if (limit.maxWaitMs === 0 || request.costs[i] === 0) continue;
      const key = keysFor(request.subject)(limit);
      const waitsHere = (this.#queues.get(idOf(pool, key))?.size ?? 0) > 0;
      if (waitsHere || (this.#options.notices(pool)?.callersElsewhere(key) ?? 0) > 0) return { limit, isBusy: true };
      first ??= limit;
    }
    return { limit: first!, isBusy: false };
  }

  /** Makes an operation wait, or continue to wait after it was denied once more. */
  #wait(waiter: Waiter): void {
    const isNew = waiter.waitsSinceMs === undefined;
    if (isNew) {
      waiter.waitsSinceMs = this.#options.timings.clock();
      this.#waiters.add(waiter);
    }
    this.#arm(waiter);
    if (isNew && waiter.ending === undefined && !this.#makeRoom(waiter)) this.#setEnding(waiter, 'full');
    const queue = this.#queueOf(waiter);
    if (waiter.ending !== undefined) {
      void this.#decline(waiter);
      this.#clean(queue);
      return;
    }
    const left = queue.add(waiter, waiter.limit.maxQueue);
    if (left !== undefined) {
      this.#setEnding(left, 'full');
      void this.#decline(left);
    }
    // Slots were freed while its charge was in flight, possibly those of this queue.
    const sawAll = waiter.freesSeen === undefined || waiter.freesSeen === this.#frees;
    if (waiter.turn === 0 && !sawAll) queue.offer(waiter.cost);
  }

  /**
   * Makes room for a new waiter in this process. If the process has the maximum number of waiters,
   * the newest waiter of the caller with the most waiters leaves its queue. Returns false if that
   * would be the new waiter.
   */
  #makeRoom(waiter: Waiter): boolean {
    if (this.#staying.size >= MAX_WAITING_OPERATIONS) {
      const dropped = this.#staying.newestToReplace(waiter.caller);
      if (dropped === undefined) return false;
      this.#end(dropped, 'full');
    }
    this.#staying.add(waiter);
    return true;
  }

  #setEnding(waiter: Waiter, outcome: WaitEnding): void {
    waiter.ending = outcome;
    this.#staying.delete(waiter);
  }

  /** Starts the timer of a wait, and listens for the caller to leave. */
  #arm(waiter: Waiter): void {
    const { maxWaitMs } = waiter.limit;
    const { signal } = waiter;
    if (this.#isClosed && waiter.ending === undefined) this.#setEnding(waiter, 'closed');
    if (signal?.aborted) this.#end(waiter, 'left');
    // A rule may have been edited while the operation waited.
    if (waiter.armedMs === maxWaitMs || waiter.ending !== undefined) return;
    waiter.disarm();
    waiter.armedMs = maxWaitMs;
    const { clock, scheduleAwaited } = this.#options.timings;
    const leftMs = Math.max(0, waiter.waitsSinceMs! + maxWaitMs - clock());
    const cancel = scheduleAwaited(() => this.#end(waiter, 'expired'), leftMs);
    const onLeft = () => this.#end(waiter, 'left');
    signal?.addEventListener('abort', onLeft);
    waiter.disarm = () => {
      cancel();
      signal?.removeEventListener('abort', onLeft);
    };
  }

  /** Ends a wait. If its charge is in flight, the wait ends with the decision on that charge. */
  #end(waiter: Waiter, outcome: WaitEnding): void {
    if (waiter.ending !== undefined || !this.#waiters.has(waiter)) return;
    this.#setEnding(waiter, outcome);
    waiter.disarm();
    const queue = this.#queueOf(waiter);
    const wasWaiting = queue.delete(waiter);
    if (outcome === 'left') {
      waiter.fail(waiter.signal!.reason);
      if (wasWaiting) this.#finish(waiter, outcome);
    } else if (wasWaiting) void this.#decline(waiter);
    this.#clean(queue);
  }

  /** Denies a waiter whose wait has ended. */
  async #decline(waiter: Waiter): Promise<void> {
    const { request, pool, limit, ending } = waiter;
    if (ending === 'left') {
      this.#finish(waiter, ending);
      return;
    }
    try {
      // A charge of the whole request could take a slot for which others wait.
      const counting = onlyCountingDenials(request);
      if (counting !== undefined) await this.#options.charge(counting, pool);
      const states = await this.#options.peek(withoutCountingDenials(request), pool);
      this.#decideWaiter(waiter, denialOfWait(request, limit, states), ending!);
    } catch (error) {
      this.#fail(waiter, error);
    }
  }

  #decided(waiter: Waiter, decision: Decision, outcome: WaitOutcome): void {
    if (waiter.ending === 'left') {
      if (decision.admitted) this.#options.refund(decision.receipt, waiter.request);
      this.#finish(waiter, waiter.ending);
      return;
    }
    const counted = withoutCountingDenials(waiter.request);
    if (decision.admitted || counted === waiter.request) {
      this.#decideWaiter(waiter, decision, outcome);
      return;
    }
    this.#options.charge(waiter.request, waiter.pool).then(
      (last) => this.#decideWaiter(waiter, last, last.admitted ? 'admitted' : outcome),
      (error) => this.#fail(waiter, error),
    );
  }

  #decideWaiter(waiter: Waiter, decision: Decision, outcome: WaitOutcome): void {
    const { waitsSinceMs } = waiter;
    if (waitsSinceMs === undefined) {
      waiter.decide(decision);
      return;
    }
    const waitedMs = Math.max(0, Math.round(this.#options.timings.clock() - waitsSinceMs));
    this.#finish(waiter, outcome);
    waiter.decide({ ...decision, waitedMs });
  }

  #fail(waiter: Waiter, error: unknown): void {
    waiter.fail(error);
    this.#finish(waiter, waiter.ending ?? 'denied');
  }

  #finish(waiter: Waiter, outcome: WaitOutcome): void {
    waiter.disarm();
    this.#staying.delete(waiter);
    if (!this.#waiters.delete(waiter)) return;
    this.#ended[outcome]++;
    if (this.#waiters.size === 0) for (const resolve of this.#onAllEnded.splice(0)) resolve();
  }

  /** Charges for slots that may be free, after a random time. */
  #race(queue: SlotQueue, slots: number): void {
    const { schedule, random } = this.#options.timings;
    const own = Math.max(1, queue.callers);
    const all = own + (this.#options.notices(queue.pool)?.callersElsewhere(queue.key) ?? 0);
    const afterMs = (-Math.log(1 - random()) * RACE_MS * all) / own;
    // Another queue of this counter may have replaced the queue by then.
    schedule(() => this.#queues.get(queue.id)?.offer(slots), Math.min(LONGEST_RACE_MS, afterMs));
  }

  #mayPoll(): boolean {
    const nowMs = this.#options.timings.clock();
    if (nowMs - this.#pollsSinceMs >= POLLS_MS) {
      this.#pollsSinceMs = nowMs;
      this.#polls = 0;
    }
    return ++this.#polls <= MAX_POLLS;
  }

  #changed(queue: SlotQueue): void {
    this.#options.notices(queue.pool)?.waiting(queue.key, queue.size === 0 ? 0 : queue.callers);
    this.#clean(queue);
  }

  #clean(queue: SlotQueue): void {
    if (!queue.isIdle || this.#queues.get(queue.id) !== queue) return;
    queue.stop();
    this.#queues.delete(queue.id);
  }

  #queueOf({ request, limit, pool }: Waiter): SlotQueue {
    const key = keysFor(request.subject)(limit);
    const id = idOf(pool, key);
    let queue = this.#queues.get(id);
    if (queue === undefined) {
      queue = new SlotQueue({ id, key, pool }, this.#host);
      this.#queues.set(id, queue);
    }
    return queue;
  }
}

/** Returns the name of a counter. Counters of different pools may have the same key. */
function idOf(pool: string | undefined, key: string): string {
  return pool === undefined || pool === DEFAULT_POOL ? key : `${pool} ${key}`;
}
