import { type ChargeReceipt, createChargeIds, receiptOf } from '../../../src/limiter/charge/charge-receipt.js';
import type { CheckedRequest, EngineResult } from '../../../src/limiter/charge/checked-request.js';
import { type Decision, toDecision } from '../../../src/limiter/charge/decision.js';
import { toLimitStates } from '../../../src/limiter/charge/to-limit-states.js';
import type { RedisWithFallback } from '../../../src/limiter/fallback/redis-with-fallback.js';
import { createLeasedRedis, type LeasedRedis } from '../../../src/limiter/lease/leased-redis.js';
import { createMemoryEngine } from '../../../src/limiter/memory/memory-engine.js';
import type { LimitState } from '../../../src/model/limit-parameters.js';

// This file simulates several instances that share one engine, as they would share one Redis, with
// simulated time. Each history defines how long calls and replies travel. An instance can be
// killed. It can also be paused, so that its timers and replies are delayed.

export interface World {
  /**
   * Returns the milliseconds since the world was created. Changes of the server's clock do not
   * affect this time.
   */
  nowMs(): number;
  /** Moves the clock of the engine by this number of milliseconds. */
  stepServerClock(byMs: number): void;
  /**
   * Fails over to a replica that has not received the charges of the last `lostMs`. Until `awayMs`
   * have passed, no lease is taken or returned, and charges in flight wait. Returns the amounts of
   * the lost charges.
   */
  failOver(by: { lostMs: number; awayMs: number }): number;
  /** Whether the server executes calls. */
  readonly isServerAway: boolean;
  serverNow(): number;
  holders: readonly Holder[];
  /** Returns the states of limits in the engine. */
  look(request: CheckedRequest): LimitState[];
  /**
   * Advances the time by this number of milliseconds and runs the events that are due, one after
   * the other.
   */
  advance(byMs: number): Promise<void>;
  /** Waits until all messages in flight have arrived and all leases have lapsed. */
  settleDown(): Promise<void>;
}

/** A simulated instance, which holds leases. */
export interface Holder extends LeasedRedis {
  pause(): void;
  resume(): void;
  kill(): void;
  readonly isPaused: boolean;
  readonly isDead: boolean;
}

export interface WorldOptions {
  count: number;
  leaseMs: number;
  after: number;
  /**
   * Returns the travel time of a message of an instance. It is called for each message, with the
   * index of the instance.
   */
  latencyMs(holder: number): number;
  /** Time of the engine's clock at the start, in epoch milliseconds. */
  startsAtMs?: number;
  /** Called after every event. */
  onEvent?: () => void;
}

const START = 1_700_000_000_000;

interface Event {
  atMs: number;
  order: number;
  holder: HolderState | undefined;
  isCancelled: boolean;
  run(): void;
}

interface HolderState {
  index: number;
  isPaused: boolean;
  isDead: boolean;
  /** Events that became due while the instance was paused. */
  late: Event[];
}

interface LoggedCharge {
  atMs: number;
  receipt: ChargeReceipt;
}

/** Time for which the server remembers its charges, for `failOver`. */
const LOG_MS = 1_000;

export function createWorld({ count, leaseMs, after, latencyMs, startsAtMs = START, onEvent }: WorldOptions): World {
  let nowMs = 0;
  let serverOffsetMs = startsAtMs;
  let order = 0;
  const events = createEventHeap();
  let awayUntilMs = 0;
  let log: LoggedCharge[] = [];
  const serverNow = () => Math.floor(nowMs + serverOffsetMs);
  const engine = createMemoryEngine({ clock: serverNow });
  const nextChargeId = createChargeIds();

  function at(atMs: number, holder: HolderState | undefined, run: () => void): Event {
    const event = { atMs, order: order++, holder, isCancelled: false, run };
    events.push(event);
    return event;
  }

  /**
   * Runs `work` on the server when the call of a holder arrives. The reply arrives only if the
   * holder has not been killed by then.
   */
  function ask<T>(holder: HolderState, work: () => T, whileAway?: () => T): Promise<T> {
    return new Promise((resolve) => {
      const arrive = () => {
        if (nowMs < awayUntilMs && whileAway === undefined) {
          at(awayUntilMs, undefined, arrive);
          return;
        }
        const reply = nowMs < awayUntilMs ? whileAway!() : work();
        at(nowMs + latencyMs(holder.index), holder, () => resolve(reply));
      };
      at(nowMs + latencyMs(holder.index), undefined, arrive);
    });
  }

  function chargeOnServer(request: CheckedRequest, isReadOnly: boolean) {
    const chargeId = nextChargeId();
    const result = engine.charge(request, chargeId, isReadOnly);
    const receipt = receiptOf(request, result, chargeId, 'default', false);
    if (receipt !== undefined) {
      log.push({ atMs: nowMs, receipt: receipt as ChargeReceipt });
      if (log[0]!.atMs < nowMs - 2 * LOG_MS) log = log.filter(({ atMs }) => atMs >= nowMs - LOG_MS);
    }
    return { result, receipt };
  }

  function createHolder(_: unknown, index: number): Holder {
    const state: HolderState = { index, isPaused: false, isDead: false, late: [] };
    const charge = (request: CheckedRequest): Promise<Decision> =>
      ask(state, () => {
        const { result, receipt } = chargeOnServer(request, request.impossible);
        return toDecision(request, result, false, receipt);
      });
    const shared: RedisWithFallback = {
      charge,
      settle: (receipt, actual) => ask(state, () => engine.settle(receipt, actual)),
      renew: async () => {},
      take: (request) =>
        ask(
          state,
          (): EngineResult | undefined => chargeOnServer(request, false).result,
          () => undefined,
        ),
      async refund(record, actual) {
        return ask(
          state,
          () => {
            engine.settle(record, actual);
            return true;
          },
          () => false,
        );
      },
      reset: (request) =>
        ask(state, () => {
          engine.reset(request);
          return true;
        }),
      forget: () => {},
      peek() {
        throw new Error('peek is not part of this world');
      },
      sent: () => undefined,
      clockAheadMs: () => 0,
      slotReleases: () => ({ waiting: 0, dropped: 0 }),
      channel: { publish() {}, subscribe: () => () => {} },
      opened: Promise.resolve(),
      health: () => ({
        pool: 'default',
        state: 'CLOSED',
        sinceMs: 0,
        reason: undefined,
        instances: count,
        divisor: count,
      }),
      anomalies: engine.anomalies,
      denies: () => false,
      recall: () => undefined,
      answeredRecalled: () => {},
      rememberedDenials: () => ({ answered: 0, kept: 0, bytes: 0 }),
      close: () => Promise.resolve(),
    };
    const leased = createLeasedRedis(shared, {
      lengthMs: leaseMs,
      after,
      clock: () => nowMs,
      schedule(run, afterMs) {
        const event = at(nowMs + afterMs, state, run);
        return () => {
          event.isCancelled = true;
        };
      },
    });
    return {
      ...leased,
      get anomalies() {
        return leased.anomalies;
      },
      pause() {
        state.isPaused = true;
      },
      resume() {
        state.isPaused = false;
        for (const event of state.late.splice(0)) events.push(event);
      },
      kill() {
        state.isDead = true;
      },
      get isPaused() {
        return state.isPaused;
      },
      get isDead() {
        return state.isDead;
      },
    };
  }

  /** Removes and returns the next event that can run. */
  function nextEvent(untilMs: number): Event | undefined {
    for (let event = events.peek(); event !== undefined && event.atMs <= untilMs; event = events.peek()) {
      events.pop();
      if (event.isCancelled || event.holder?.isDead) continue;
      if (!event.holder?.isPaused) return event;
      event.holder.late.push(event);
    }
    return undefined;
  }

  async function advance(byMs: number): Promise<void> {
    const untilMs = nowMs + byMs;
    await promises();
    for (let event = nextEvent(untilMs); event !== undefined; event = nextEvent(untilMs)) {
      // Events of a paused holder arrive late.
      nowMs = Math.max(nowMs, event.atMs);
      event.run();
      await promises();
      onEvent?.();
    }
    nowMs = untilMs;
  }

  const holders = Array.from({ length: count }, createHolder);
  return {
    nowMs: () => nowMs,
    serverNow,
    stepServerClock(byMs) {
      serverOffsetMs += byMs;
    },
    get isServerAway() {
      return nowMs < awayUntilMs;
    },
    failOver({ lostMs, awayMs }) {
      if (lostMs > LOG_MS) throw new RangeError(`lostMs: expected at most ${LOG_MS}, got ${lostMs}`);
      awayUntilMs = nowMs + awayMs;
      const lost = log.filter(({ atMs }) => atMs > nowMs - lostMs);
      log = [];
      let amount = 0;
      for (const { receipt } of lost) {
        engine.settle(receipt, Object.fromEntries(receipt.request.limits.map(({ id }) => [id, 0])));
        amount += receipt.request.costs.reduce((sum, cost) => sum + cost, 0);
      }
      return amount;
    },
    holders,
    look: (request) => toLimitStates(request, engine.charge(request, nextChargeId(), true)),
    advance,
    async settleDown() {
      for (const holder of holders) holder.resume();
      await advance(20 * leaseMs);
    },
  };
}

/** Waits until the continuations of all resolved promises have run. */
async function promises(): Promise<void> {
  for (let i = 0; i < 30; i++) await Promise.resolve();
}

/** Creates a queue of events. The earliest one is first; of several at one time, the oldest. */
function createEventHeap() {
  const heap: Event[] = [];
  const isBefore = (a: Event, b: Event) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);

  return {
    peek: (): Event | undefined => heap[0],
    push(event: Event): void {
      let place = heap.push(event) - 1;
      while (place > 0) {
        const parent = (place - 1) >> 1;
        if (!isBefore(event, heap[parent]!)) break;
        heap[place] = heap[parent]!;
        place = parent;
      }
      heap[place] = event;
    },
    pop(): void {
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return;
      let place = 0;
      for (;;) {
        let child = 2 * place + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
        if (!isBefore(heap[child]!, last)) break;
        heap[place] = heap[child]!;
        place = child;
      }
      heap[place] = last;
    },
  };
}
