import type { Cluster, Redis } from 'ioredis';
import { createChargeIds } from './charge-ids.js';
import { checkActual, createDemandReader } from './check-request.js';
import { describeAll, toDecision } from './decision.js';
import { type Anomalies, type ChargeRecord, type Demand, type Reading, selectCharged } from './engine.js';
import { createMemoryEngine } from './memory-engine.js';
import { createRedisEngine, type RedisEngine } from './redis-engine.js';
import { describeSettled } from './settled-states.js';
import type { Decision, Limiter, LimitState, Receipt } from './types.js';
import { decideUnavailable } from './unavailable.js';

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
  /** A call to Redis that takes longer is given up: its outcome is unknown, and it is never repeated. @default 1000 */
  commandTimeoutMs?: number;
  /** Told of every failure of Redis that was turned into a decision. */
  onEngineError?: (error: unknown) => void;
}

export interface AccountableLimiter extends Limiter {
  /**
   * The limits of a charge as they are once it is settled to `actual`, for the answer that goes out meanwhile. Works
   * nothing out with the engine and settles nothing.
   */
  settledStates(receipt: Receipt, actual: Readonly<Record<string, number>>): LimitState[];
  /** Decisions come from Redis, many in one reply. */
  readonly isRemote: boolean;
  /** What was wrong with stored state, and repaired, so far. */
  readonly anomalies: Readonly<Anomalies>;
}

/** Where and what was charged, so that the settlement goes to the same place. */
interface ChargeReceipt extends Receipt, ChargeRecord {
  /** All that was asked, also shadows that were not charged, and what was found. */
  readonly asked: Demand;
  readonly reading: Reading;
  readonly local: boolean;
  settled: boolean;
}

/** The limiter alone: no GraphQL needed. */
export function createLimiter(options: LimiterOptions = {}): AccountableLimiter {
  const { redis, now, maxPartitions = 100_000, commandTimeoutMs = 1000, onEngineError = () => {} } = options;
  const readDemand = createDemandReader();
  const nextChargeId = createChargeIds();
  const memory = createMemoryEngine({ clock: now ?? monotonicClock, maxPartitions });
  const engine = redis === undefined ? undefined : createRedisEngine({ redis, now, commandTimeoutMs });

  function chargeLocally(demand: Demand): Decision {
    // Only entries are told apart by it.
    const chargeId = demand.hasLists ? nextChargeId() : '';
    const reading = memory.charge(demand, chargeId, demand.impossible);
    return toDecision(demand, reading, false, receiptOf(demand, reading, chargeId, true));
  }

  async function chargeRemotely(remote: RedisEngine, demand: Demand): Promise<Decision> {
    const chargeId = nextChargeId();
    let reading: Reading;
    try {
      reading = await remote.charge(demand, chargeId, demand.impossible);
    } catch (error) {
      onEngineError(error);
      return decideUnavailable(demand, chargeId, memory, (local, found) => receiptOf(local, found, chargeId, true));
    }
    return toDecision(demand, reading, false, receiptOf(demand, reading, chargeId, false));
  }

  return {
    isRemote: engine !== undefined,

    get anomalies() {
      return engine?.anomalies ?? memory.anomalies;
    },

    charge({ subject, limits }) {
      try {
        const demand = readDemand(subject, limits);
        return engine === undefined ? Promise.resolve(chargeLocally(demand)) : chargeRemotely(engine, demand);
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
      if (charged.local || engine === undefined) {
        memory.settle(charged, actual);
        return;
      }
      try {
        await engine.settle(charged, actual);
      } catch (error) {
        onEngineError(error);
      }
    },

    settledStates(receipt, actual) {
      const { asked, reading } = receipt as ChargeReceipt;
      return describeSettled(asked, reading, actual);
    },

    async peek({ subject, limits }) {
      const demand = readDemand(subject, limits);
      const chargeId = nextChargeId();
      if (engine !== undefined) {
        try {
          return describeAll(demand, await engine.charge(demand, chargeId, true));
        } catch (error) {
          onEngineError(error);
        }
      }
      return describeAll(demand, memory.charge(demand, chargeId, true));
    },

    async reset({ subject, limits }) {
      const demand = readDemand(subject, limits);
      // Also what was counted here while Redis did not answer.
      memory.reset(demand);
      try {
        await engine?.reset(demand);
        return true;
      } catch (error) {
        onEngineError(error);
        return false;
      }
    },

    async close() {
      await engine?.close();
    },
  };
}

function receiptOf(demand: Demand, reading: Reading, chargeId: string, local: boolean): ChargeReceipt | undefined {
  if (!reading.admitted) return undefined;
  const { times } = reading;
  let receipt: Omit<ChargeReceipt, keyof Receipt> = {
    demand,
    chargeId,
    time: reading,
    times,
    asked: demand,
    reading,
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

const TIME_ORIGIN_MS = performance.timeOrigin;

function monotonicClock(): number {
  return Math.floor(TIME_ORIGIN_MS + performance.now());
}
