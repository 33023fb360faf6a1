import type { LimitState } from '../model/limit-parameters.js';
import type { ChargeSubject } from '../model/subject.js';
import { COUNTER_OPTIONS } from '../options/counter-options.js';
import { refuseMistakes } from '../options/find-mistakes.js';
import { epochClock } from '../runtime/clock.js';
import { admissionOf, createChargeIds, receiptOf, tookNoCall } from './charge/charge-receipt.js';
import type { Anomalies, CheckedRequest } from './charge/checked-request.js';
import { createChargeReader } from './charge/create-charge-reader.js';
import type { LimitCharge } from './charge/create-limit-compiler.js';
import {
  type Admission,
  type Decision,
  type PeekedStates,
  type Receipt,
  toDecision,
  toPeekedStates,
} from './charge/decision.js';
import { DEFAULT_POOL } from './charge/is-pool-name.js';
import type { DenialMemoryTotals } from './denials/denial-memory.js';
import type { PoolHealth } from './fallback/engine-observer.js';
import { guardEngineObserver } from './fallback/guard-engine-observer.js';
import type { SlotReleaseTotals } from './fallback/unsent-releases.js';
import type { LeaseTotals } from './lease/lease-options.js';
import { findLimiterMistakes, type LimiterOptions } from './limiter-options.js';
import { createMemoryEngine } from './memory/memory-engine.js';
import { createResumeScheduler } from './redis/resume-scheduler.js';
import { RedisPools } from './redis-pools.js';
import { settleCharges } from './settle-charges.js';

export interface ChargeRequest {
  /** Not to be changed before the charge is settled: that is asked of the same object. */
  subject: ChargeSubject;
  limits: readonly LimitCharge[];
  /** Which Redis decides, where several are configured: it has counters of its own. @default 'default' */
  pool?: string | undefined;
}

export interface PeekRequest {
  subject: ChargeSubject;
  limits: readonly LimitCharge[];
  pool?: string | undefined;
}

/** Every method rejects with a `TypeError` for invalid arguments, and for nothing else. */
export interface Limiter {
  /** Takes every cost, or none. */
  charge(request: ChargeRequest): Promise<Decision>;
  /**
   * Corrects a charge to what the operation really cost, per limit id; ids that are missing stay as charged, and keep their
   * `CONCURRENCY` slots until `release`. The second settlement of a receipt does nothing.
   */
  settle(receipt: Receipt, actual: Readonly<Record<string, number>>): Promise<void>;
  /**
   * Ends the `CONCURRENCY` slots of a charge that its settlement has left running, as it does those that it does not name. Once; and
   * good before the settlement as after it.
   */
  release(receipt: Receipt): Promise<void>;
  /**
   * The state of limits as a charge would find them now, and as `decision` beside them what it would be answered; writes
   * nothing.
   */
  peek(request: PeekRequest): Promise<PeekedStates>;
  /**
   * Empties the counters of these limits, whatever their costs and parameters: full buckets, empty windows, free concurrency slots.
   * What is charged from now on counts; a settlement of an earlier charge that refunds something may still do so.
   * Resolves to false when Redis did not confirm it.
   */
  reset(request: PeekRequest): Promise<boolean>;
  /**
   * What time it is by the clock that decided: that of Redis, or of this process where it decided alone. Milliseconds since 1970, as
   * `resetAtMs`: the difference of the two says how long it takes, however far the clocks are apart.
   */
  nowMs(decision: Pick<Decision, 'degraded'>, pool?: string): number;
  /** Ends what the limiter opened itself; a client that was passed in stays open. */
  close(): Promise<void>;
}

/** A limiter, and how it is doing. */
export interface MonitoredLimiter extends Limiter {
  /**
   * Resolves once Redis was reached, or could not be; decisions wait for it. Within two seconds. Rejects, as they do then,
   * with a `TypeError` where ioredis is not installed.
   */
  readonly opened: Promise<void>;
  /** The pools that a charge may name: `default` first. */
  readonly pools: readonly string[];
  /** How each Redis is doing; empty without one. */
  health(): PoolHealth[];
  /** What was wrong with stored state, and repaired, so far. */
  readonly anomalies: Readonly<Anomalies>;
  /** Concurrency slots that have ended and of which Redis is not told yet, of all pools. */
  slotReleases(): SlotReleaseTotals;
  /** What became of tokens that were taken ahead for limits with `precision: LEASED`, and how many are held now. */
  leases(): LeaseTotals & { held: number };
  /** Callers that Redis has denied, and how many of their charges were denied without asking it again. */
  readonly rememberedDenials: Readonly<DenialMemoryTotals>;
}

/** What only the protection of a GraphQL API asks of its limiter. */
export interface ProtectionLimiter extends MonitoredLimiter {
  /** Whether it is worth asking `refuses`. */
  readonly knowsDenials: boolean;
  /** Whether one of these limits is known to refuse its cost, without a call to Redis; false where nothing is known. */
  refuses(request: ChargeRequest): boolean;
  /**
   * Forgets what this process keeps of these counters beside Redis, where it was told that another has emptied them: tokens that
   * were taken ahead, and denials. Without a Redis there is nothing to forget.
   */
  forget(request: PeekRequest): void;
  /**
   * A copy of a limit that need not be compared with those known, for callers who charge it often: the same but for the cost of
   * copies made of it. Throws a `TypeError` where the limit is none.
   */
  prepare(charge: LimitCharge): LimitCharge;
  /**
   * The limits of a charge as they are once it is settled to `actual`, for the answer that goes out meanwhile. Works
   * nothing out with the engine and settles nothing.
   */
  settledStates(charge: Admission, actual: Readonly<Record<string, number>>): LimitState[];
  /** As `settle`, for those who wait for nothing: no promise is made where it is done at once. What it would reject with is told. */
  settleUnawaited(receipt: Receipt, actual: Readonly<Record<string, number>>, onError: (error: unknown) => void): void;
  /**
   * For what an admitted operation does: resolves in a turn of the event loop in which only a few others go on, as one reply
   * of Redis admits many. Undefined: it may go on; always where no reply was waited for, as each has a turn anyway.
   */
  turn(charge: Admission): Promise<void> | undefined;
  /**
   * How far the clock that decides is ahead of that of this process: that of Redis, or a monotonic one.
   * @param isDegraded it was decided without Redis
   */
  clockAheadMs(pool: string | undefined, isDegraded: boolean): number;
  /**
   * Resolves when all settlements are on their way, to be waited for before an answer goes out: those of one wave of
   * answers travel together. Undefined when they are.
   */
  settlementsSent(): Promise<void> | undefined;
}

/**
 * The limiter alone: no GraphQL needed.
 * @throws TypeError that lists every mistake in the options
 */
export function createLimiter(options: LimiterOptions = {}): MonitoredLimiter {
  return createProtectionLimiter(options);
}

export function createProtectionLimiter(options: LimiterOptions = {}): ProtectionLimiter {
  refuseMistakes('createLimiter', findLimiterMistakes(options));
  const {
    now,
    maxPartitions = COUNTER_OPTIONS.maxPartitions.default,
    deadlineMs = COUNTER_OPTIONS.deadlineMs.default,
    instances = COUNTER_OPTIONS.instances.default,
    denialMemory,
  } = options;
  const observer = guardEngineObserver(options.observer ?? {});
  const reader = createChargeReader();
  const readCharge = reader.read;
  const nextChargeId = createChargeIds();
  const clock = now ?? epochClock;
  const onForgotten = () => observer.forgot?.(DEFAULT_POOL);
  const memory = createMemoryEngine({ clock, maxPartitions, onForgotten });
  const scheduler = createResumeScheduler();
  const pools = new RedisPools({
    ...options,
    now,
    localClock: clock,
    maxPartitions,
    deadlineMs,
    instances,
    nextChargeId,
    scheduler,
    observer,
    denialMemory: denialMemory || { maxAgeMs: 0 },
  });
  const defaultRedis = pools.default;

  function chargeLocally(request: CheckedRequest): Decision {
    // Only entries are told apart by it.
    const chargeId = request.hasLists ? nextChargeId() : '';
    const result = memory.charge(request, chargeId, request.impossible);
    return toDecision(request, result, false, receiptOf(request, result, chargeId, DEFAULT_POOL, true));
  }

  /** Undefined: to be charged as any other. */
  function chargeOne(subject: ChargeSubject, charge: LimitCharge): Promise<Admission> | undefined {
    if (defaultRedis !== undefined && charge?.precision !== 'LEASED') return undefined;
    const limit = reader.readOne(subject, charge);
    if (limit === undefined) return undefined;
    if (defaultRedis !== undefined) {
      const admission = limit.isLeased ? defaultRedis.chargeOne(subject, limit, charge.cost) : undefined;
      return admission && Promise.resolve(admission);
    }
    const charged = memory.chargeOne(subject, limit, charge.cost);
    return charged && admissionOf(charged);
  }

  function clockAheadMs(pool: string | undefined, isDegraded: boolean): number {
    const shared = isDegraded ? undefined : pools.of(pool);
    return shared === undefined ? clock() - Date.now() : shared.clockAheadMs();
  }

  return {
    ...settleCharges(pools, memory),
    prepare: reader.prepare,
    turn: (charge) => (defaultRedis === undefined || tookNoCall(charge) ? undefined : scheduler.nextTurn()),
    settlementsSent: () => pools.sent(),
    clockAheadMs,
    nowMs: ({ degraded }, pool) => Date.now() + clockAheadMs(pool, degraded),
    opened: pools.opened,
    pools: pools.names,
    health: () => pools.all.map((one) => one.health()),
    slotReleases: () => pools.slotReleases(),
    leases: () => pools.leases(),
    close: () => pools.close(),

    refuses({ subject, limits, pool }) {
      const request = readCharge(subject, limits);
      return pools.of(pool)?.refuses(request) ?? !memory.charge(request, nextChargeId(), true).admitted;
    },

    charge({ subject, limits, pool }) {
      try {
        // Many have a single limit: that is decided without what tells several apart.
        if (pool === undefined && Array.isArray(limits) && limits.length === 1) {
          const admitted = chargeOne(subject, limits[0]);
          if (admitted !== undefined) return admitted;
        }
        const request = readCharge(subject, limits);
        const shared = pools.of(pool);
        return shared === undefined ? Promise.resolve(chargeLocally(request)) : shared.charge(request);
      } catch (error) {
        return Promise.reject(error);
      }
    },

    async peek({ subject, limits, pool }) {
      const request = readCharge(subject, limits);
      const shared = pools.of(pool);
      if (shared !== undefined) return shared.peek(request);
      return toPeekedStates(request, memory.charge(request, nextChargeId(), true), false);
    },

    async reset({ subject, limits, pool }) {
      const request = readCharge(subject, limits);
      const shared = pools.of(pool);
      if (shared !== undefined) return shared.reset(request);
      memory.reset(request);
      return true;
    },

    forget: ({ subject, limits, pool }) => pools.of(pool)?.forget(readCharge(subject, limits)),
    get anomalies() {
      return defaultRedis === undefined ? memory.anomalies : pools.anomalies();
    },
    get rememberedDenials() {
      return pools.rememberedDenials();
    },
    get knowsDenials() {
      return defaultRedis === undefined || defaultRedis.rememberedDenials.kept > 0;
    },
  };
}
