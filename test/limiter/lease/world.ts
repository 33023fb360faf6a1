import { createChargeIds, receiptOf } from '../../../src/limiter/charge/charge-receipt.js';
import type { CheckedRequest } from '../../../src/limiter/charge/checked-request.js';
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
  /** Returns the travel time of a message. It is called for each message. */
  latencyMs(): number;
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
  run(): void;
}

interface HolderState {
  isPaused: boolean;
  isDead: boolean;
}

export function createWorld({ count, leaseMs, after, latencyMs, startsAtMs = START, onEvent }: WorldOptions): World {
  let nowMs = 0;
  let serverOffsetMs = startsAtMs;
  let order = 0;
  let events: Event[] = [];
  const serverNow = () => Math.floor(nowMs + serverOffsetMs);
  const engine = createMemoryEngine({ clock: serverNow });
  const nextChargeId = createChargeIds();

  function at(atMs: number, holder: HolderState | undefined, run: () => void): Event {
    const event = { atMs, order: order++, holder, run };
    events.push(event);
    return event;
  }

  /**
   * Runs `work` on the server when the call of a holder arrives. The reply arrives only if the
   * holder has not been killed by then.
   */
  function ask<T>(holder: HolderState, work: () => T): Promise<T> {
    return new Promise((resolve) => {
      at(nowMs + latencyMs(), undefined, () => {
        const reply = work();
        at(nowMs + latencyMs(), holder, () => resolve(reply));
      });
    });
  }

  function createHolder(): Holder {
    const state: HolderState = { isPaused: false, isDead: false };
    const charge = (request: CheckedRequest): Promise<Decision> =>
      ask(state, () => {
        const chargeId = nextChargeId();
        const result = engine.charge(request, chargeId, request.impossible);
        return toDecision(request, result, false, receiptOf(request, result, chargeId, 'default', false));
      });
    const shared: RedisWithFallback = {
      charge,
      settle: (receipt, actual) => ask(state, () => engine.settle(receipt, actual)),
      renew: async () => {},
      take: (request) => ask(state, () => engine.charge(request, nextChargeId(), false)),
      async refund(record, actual) {
        await ask(state, () => engine.settle(record, actual));
        return true;
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
          events = events.filter((one) => one !== event);
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

  function nextEvent(untilMs: number): Event | undefined {
    let first: Event | undefined;
    for (const event of events) {
      if (event.atMs > untilMs || event.holder?.isPaused || event.holder?.isDead) continue;
      if (first === undefined || event.atMs < first.atMs || (event.atMs === first.atMs && event.order < first.order)) {
        first = event;
      }
    }
    return first;
  }

  async function advance(byMs: number): Promise<void> {
    const untilMs = nowMs + byMs;
    await promises();
    for (let event = nextEvent(untilMs); event !== undefined; event = nextEvent(untilMs)) {
      events.splice(events.indexOf(event), 1);
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
