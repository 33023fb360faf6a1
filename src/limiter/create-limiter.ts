// The global is a getter, which costs as much as half a reading.
import { performance } from 'node:perf_hooks';
import type { Cluster, Redis } from 'ioredis';
import { createChargeIds } from './charge-ids.js';
import { checkActual, createDemandReader } from './check-request.js';
import { describeAll, toDecision } from './decision.js';
import type { Anomalies, Demand } from './engine.js';
import { createMemoryEngine } from './memory-engine.js';
import { type ChargeReceipt, receiptOf } from './receipt.js';
import { createRemote, type EngineObserver, type PoolHealth, type Remote } from './remote.js';
import { describeSettled } from './settled-states.js';
import { createTurns } from './turns.js';
import type { Decision, Limiter, LimitState, Receipt } from './types.js';

export interface LimiterOptions {
  /**
   * Where the counters live: an ioredis client, or a URL (`redis://`, `rediss://`, `redis-cluster://a,b,c`,
   * `redis-sentinel://a,b,c/name`). Without it they live in this process.
   */
  redis?: Redis | Cluster | string;
  /** Epoch milliseconds; only for tests: replaces the time of Redis too. */
  now?: () => number;
  /** In memory: users, tenants, addresses ... kept at most. @default 100_000 */
  maxPartitions?: number;
  /** A decision that Redis has not made by then is made without it; the call is never repeated. @default 25 */
  deadlineMs?: number;
  /** At least how many instances share the limits: what each divides by without Redis, which counts them. @default 1 */
  instances?: number;
  /** Told of failures, and of Redis going away and coming back. */
  observer?: EngineObserver;
}

export interface AccountableLimiter extends Limiter {
  /**
   * The limits of a charge as they are once it is settled to `actual`, for the answer that goes out meanwhile. Works
   * nothing out with the engine and settles nothing.
   */
  settledStates(receipt: Receipt, actual: Readonly<Record<string, number>>): LimitState[];
  /**
   * For what an admitted operation does: a turn of the event loop of its own, as one reply of Redis admits many. Undefined
   * in memory, where each has one anyway.
   */
  ownTurn(): Promise<void> | undefined;
  /**
   * Resolves when all settlements are on their way, to be waited for before an answer goes out: those of one wave of
   * answers travel together. Undefined when they are.
   */
  settlementsSent(): Promise<void> | undefined;
  /** Resolves once Redis was reached, or could not be; decisions wait for it. Within two seconds. */
  readonly opened: Promise<void>;
  /** How each Redis is doing; empty without one. */
  health(): PoolHealth[];
  /** What was wrong with stored state, and repaired, so far. */
  readonly anomalies: Readonly<Anomalies>;
}

/** The limiter alone: no GraphQL needed. */
export function createLimiter(options: LimiterOptions = {}): AccountableLimiter {
  const { redis, now, maxPartitions = 100_000, observer = {} } = options;
  const deadlineMs = wholeFrom1('deadlineMs', options.deadlineMs ?? 25);
  const instances = wholeFrom1('instances', options.instances ?? 1);
  const readDemand = createDemandReader();
  const nextChargeId = createChargeIds();
  const clock = now ?? monotonicClock;
  const memory = createMemoryEngine({ clock, maxPartitions });
  const turns = createTurns();
  const remote: Remote | undefined =
    redis === undefined
      ? undefined
      : createRemote({
          pool: 'default',
          redis,
          now,
          localClock: clock,
          maxPartitions,
          deadlineMs,
          instances,
          nextChargeId,
          turns,
          observer,
        });

  function chargeLocally(demand: Demand): Decision {
    // Only entries are told apart by it.
    const chargeId = demand.hasLists ? nextChargeId() : '';
    const reading = memory.charge(demand, chargeId, demand.impossible);
    return toDecision(demand, reading, false, receiptOf(demand, reading, chargeId, true));
  }

  return {
    ownTurn: () => (remote === undefined ? undefined : turns.own()),
    settlementsSent: () => remote?.sent(),
    opened: remote?.opened ?? Promise.resolve(),
    health: () => (remote === undefined ? [] : [remote.health()]),

    get anomalies() {
      return remote?.anomalies ?? memory.anomalies;
    },

    charge({ subject, limits }) {
      try {
        const demand = readDemand(subject, limits);
        return remote === undefined ? Promise.resolve(chargeLocally(demand)) : remote.charge(demand);
      } catch (error) {
        return Promise.reject(error);
      }
    },

    async settle(receipt, actual) {
      const charged = receipt as ChargeReceipt;
      for (const limit of charged.demand.limits) checkActual(limit.id, actual[limit.id]);
      if (charged.settled) return;
      // Consumed before it is sent: a settlement that got lost leaves the estimate, and is never made twice.
      charged.settled = true;
      if (remote === undefined) memory.settle(charged, actual);
      else await remote.settle(charged, actual);
    },

    settledStates(receipt, actual) {
      return describeSettled(receipt as ChargeReceipt, actual);
    },

    async peek({ subject, limits }) {
      const demand = readDemand(subject, limits);
      if (remote !== undefined) return remote.peek(demand);
      return describeAll(demand, memory.charge(demand, nextChargeId(), true));
    },

    async reset({ subject, limits }) {
      const demand = readDemand(subject, limits);
      if (remote !== undefined) return remote.reset(demand);
      memory.reset(demand);
      return true;
    },

    async close() {
      await remote?.close();
    },
  };
}

function wholeFrom1(name: string, value: number): number {
  if (Number.isInteger(value) && value >= 1) return value;
  throw new TypeError(`${name}: expected a whole number of 1 or more, got ${value}`);
}

const TIME_ORIGIN_MS = performance.timeOrigin;

function monotonicClock(): number {
  return Math.floor(TIME_ORIGIN_MS + performance.now());
}
