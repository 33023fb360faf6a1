import type { LimitState, RegionPart } from '../model/limit-parameters.js';
import { type ChargeSubject, callerKey } from '../model/subject.js';
import { withCounterDefaults } from '../options/counter-options.js';
import { rejectMistakes } from '../options/find-mistakes.js';
import { epochClock } from '../runtime/clock.js';
import type { StopSignal } from '../runtime/wait-for.js';
import { admissionOf, createChargeIds, tookNoCall } from './charge/charge-receipt.js';
import type { Anomalies } from './charge/checked-request.js';
import { createChargeReader } from './charge/create-charge-reader.js';
import type { LimitCharge } from './charge/create-limit-compiler.js';
import { type Admission, type Decision, type PeekedStates, type Receipt } from './charge/decision.js';
import { DEFAULT_POOL } from './charge/is-pool-name.js';
import type { PortableCharge } from './charge/portable-charge.js';
import { createPlainCharges } from './create-plain-charges.js';
import type { DenialMemoryTotals } from './denials/denial-memory.js';
import type { CountExchangeState } from './exchange/count-exchange.js';
import { openRegionExchange } from './exchange/open-region-exchange.js';
import type { RegionExchange, RegionShareState } from './exchange/region-exchange.js';
import type { PoolHealth } from './fallback/engine-observer.js';
import { guardEngineObserver } from './fallback/guard-engine-observer.js';
import { endingAll, type SlotReleaseTotals } from './fallback/unsent-releases.js';
import type { LeaseTotals } from './lease/lease-options.js';
import { findLimiterMistakes, type LimiterOptions } from './limiter-options.js';
import { createMemoryEngine } from './memory/memory-engine.js';
import { openSlotQueues } from './open-slot-queues.js';
import { mayWait } from './queue/may-wait.js';
import type { WaitTotals } from './queue/slot-queues.js';
import { createResumeScheduler } from './redis/resume-scheduler.js';
import { RedisPools } from './redis-pools.js';
import { settleCharges } from './settle-charges.js';
import { withRegions } from './with-regions.js';

export interface ChargeRequest {
  /**
   * Caller to charge. Do not change the object before the charge is settled: the settlement reads
   * it again.
   */
  subject: ChargeSubject;
  limits: readonly LimitCharge[];
  /**
   * Name of the Redis that decides, if several are configured. Each has counters of its own.
   * @default 'default'
   */
  pool?: string | undefined;
  /**
   * Whether the charge may wait for slots, if `CONCURRENCY` limits have a `maxWaitMs`. @default true
   */
  wait?: boolean;
  /**
   * Signal that ends the wait, because the caller has left. The promise then rejects with the
   * reason of the signal, and nothing is charged.
   */
  signal?: StopSignal | undefined;
}

/** A charge of the protection of a GraphQL API. */
export interface ProtectedCharge extends ChargeRequest {
  /**
   * Returns the limits that are in force now, if they have changed since the charge began to wait.
   * If it throws, the wait ends, the promise rejects with the error, and nothing is charged.
   */
  currentLimits?: (() => readonly LimitCharge[] | undefined) | undefined;
}

export interface PeekRequest {
  subject: ChargeSubject;
  limits: readonly LimitCharge[];
  pool?: string | undefined;
}

/**
 * A rate limiter. For invalid arguments, `nowMs` throws a `TypeError`, and every other method
 * rejects with one. No method rejects because Redis fails.
 */
export interface Limiter {
  /**
   * Charges the cost to every limit, or to none of them. If only `CONCURRENCY` limits with a
   * `maxWaitMs` lack room, the charge waits for slots, in turn with other callers. A charge that
   * waits holds nothing.
   */
  charge(request: ChargeRequest): Promise<Decision>;
  /**
   * Corrects a charge to the actual cost of the operation, by limit id. Limits whose id is not in
   * `actual` stay as charged, and keep their `CONCURRENCY` slots until `release`. The second
   * settlement of a receipt has no effect.
   */
  settle(receipt: Receipt, actual: Readonly<Record<string, number>>): Promise<void>;
  /**
   * Releases the `CONCURRENCY` slots that a charge still holds. A settlement releases only the
   * slots of the limits in its `actual`. Only the first call has an effect. It may precede or
   * follow the settlement.
   */
  release(receipt: Receipt): Promise<void>;
  /**
   * Makes the `CONCURRENCY` slots that a charge still holds end `leaseMs` from now, for operations
   * without a maximum duration, such as subscriptions. If a slot has expired, or was reset, it is
   * taken again, even without room. Does nothing after `release`.
   */
  renew(receipt: Receipt): Promise<void>;
  /**
   * Returns the state of limits as a charge would find them now, and in `decision` the decision
   * that it would receive. Writes nothing.
   */
  peek(request: PeekRequest): Promise<PeekedStates>;
  /**
   * Resets the counters of these limits, regardless of their costs and parameters. After that,
   * buckets are full, windows are empty and concurrency slots are free. The settlement of a charge
   * that was made before the reset may still refund tokens. Resolves to false if Redis did not
   * confirm the reset.
   */
  reset(request: PeekRequest): Promise<boolean>;
  /**
   * Returns the current time of the clock that the decision used, in milliseconds since 1970. That
   * is the clock of Redis or, if the decision was made without Redis, that of this process.
   * `resetAtMs` minus this time is the time to the reset, even if the two clocks differ.
   */
  nowMs(decision: Pick<Decision, 'degraded'>, pool?: string): number;
  /** Returns the numbers of charges that wait, or have waited, for slots. */
  waits(): WaitTotals;
  /**
   * Denies all charges that wait for slots. Later charges do not wait. Call it when a server begins
   * to stop, so that its clients retry elsewhere.
   */
  endWaits(): Promise<void>;
  /** Closes the connections that the limiter opened. A client that was passed in stays open. */
  close(): Promise<void>;
}

/** A limiter with its health and totals. */
export interface MonitoredLimiter extends Limiter {
  /**
   * Resolves when the first attempt to reach Redis has succeeded or failed. Decisions wait for it.
   * The attempt takes at most two seconds, or three for a client that was passed in. Rejects with a
   * `TypeError` if ioredis is not installed; decisions then reject too.
   */
  readonly opened: Promise<void>;
  /** Names of the pools that a charge may use, `default` first. */
  readonly pools: readonly string[];
  /** Returns the health of each Redis; empty without one. */
  health(): PoolHealth[];
  /** Numbers of faults in stored state that were repaired, and of counters that were lost. */
  readonly anomalies: Readonly<Anomalies>;
  /**
   * Returns the numbers of operations, over all pools, whose slots Redis has not released although
   * the operations have ended.
   */
  slotReleases(): SlotReleaseTotals;
  /**
   * Returns the totals of the tokens leased for limits with `precision: LEASED`, and the number
   * held now.
   */
  leases(): LeaseTotals & { held: number };
  /** Returns the share of the region; undefined if regions do not move their shares. */
  regionShare(): RegionShareState | undefined;
  /** Returns the state of the exchange of counts; undefined if regions exchange none. */
  regionCounts(): CountExchangeState | undefined;
  /** Counters and size of the denial memory, over all pools. */
  readonly rememberedDenials: Readonly<DenialMemoryTotals>;
}

/** A limiter with the methods that only the protection of a GraphQL API needs. */
export interface ProtectionLimiter extends MonitoredLimiter {
  charge(request: ProtectedCharge): Promise<Decision>;
  /**
   * Whether `denies` can return true: a denial by Redis is remembered, or the memory of this
   * process decides.
   */
  readonly knowsDenials: boolean;
  /**
   * Returns, without a call to Redis, whether one of these limits is known to deny its cost.
   * Returns false if nothing is known.
   */
  denies(request: ChargeRequest): boolean;
  /**
   * Discards the leased tokens and remembered denials of these counters in this process, because
   * another instance has reset the counters. Without Redis there is nothing to discard.
   */
  forget(request: PeekRequest): void;
  /**
   * Validates a limit and returns a copy that later charges use without validating it again, for
   * callers that charge the limit often. A copy of the result may differ only in its cost.
   * @throws TypeError if the limit is invalid
   */
  prepare(charge: LimitCharge): LimitCharge;
  /**
   * Returns the part of a limit that the region of this process enforces now. Returns undefined
   * unless the limit is split between regions.
   * @throws TypeError if the limit is invalid
   */
  regionPart(charge: LimitCharge): RegionPart | undefined;
  /**
   * Returns the limits of a charge as they are after its settlement to `actual`, for a response
   * that does not wait for the settlement. It calls no engine and settles nothing.
   */
  settledStates(charge: Admission, actual: Readonly<Record<string, number>>): LimitState[];
  /**
   * Settles like `settle`, for callers that do not wait. It creates no promise if the settlement
   * completes immediately. `onError` receives the error if the settlement fails.
   */
  settleUnawaited(receipt: Receipt, actual: Readonly<Record<string, number>>, onError: (error: unknown) => void): void;
  /**
   * Resolves when an admitted operation may continue. One reply of Redis can admit many operations.
   * They continue in small groups, each in its own turn of the event loop. Returns undefined if the
   * operation may continue now. That is always so if its charge did not wait for Redis.
   */
  turn(charge: Admission): Promise<void> | undefined;
  /**
   * Returns the number of milliseconds by which the clock that decides is ahead of the system clock
   * of this process. The clock that decides is that of Redis or, without Redis, a monotonic clock.
   * @param isDegraded whether the decision was made without Redis
   */
  clockAheadMs(pool: string | undefined, isDegraded: boolean): number;
  /**
   * Returns an admitted charge as JSON, for its settlement by another process that shares the
   * Redis. Returns undefined for a charge in the memory of this process.
   */
  exportCharge(receipt: Receipt): PortableCharge | undefined;
  /**
   * Returns the receipts of an exported charge. Each has to be settled. The calling code must
   * ensure that only one process settles them, once.
   */
  importCharge(charge: PortableCharge): Receipt[];
  /**
   * Resolves when all settlements are sent; undefined if they already are. A response waits for
   * this promise, so that the settlements of responses that are sent together share a call.
   */
  settlementsSent(): Promise<void> | undefined;
}

/** States of a limiter whose region exchanges nothing. */
const WITHOUT_REGIONS = { regionShare: () => undefined, regionCounts: () => undefined };

/**
 * Creates a limiter that needs no GraphQL.
 * @throws TypeError that lists every mistake in the options
 */
export function createLimiter(options: LimiterOptions = {}): MonitoredLimiter {
  return createProtectionLimiter(options);
}

/**
 * Creates a limiter with the methods that the protection of a GraphQL API needs.
 * @param waits whether charges wait for slots of limits with `maxWaitMs`. @default true
 * @param exchange exchange of shares with other regions. @default the one that the options define
 */
export function createProtectionLimiter(
  options: LimiterOptions = {},
  { waits = true, exchange = undefined as RegionExchange | undefined } = {},
): ProtectionLimiter {
  rejectMistakes('createLimiter', findLimiterMistakes(options));
  const { now, denialMemory } = options;
  const counterOptions = withCounterDefaults(options);
  const regions = exchange ?? openRegionExchange(options, counterOptions.deadlineMs);
  const observer = guardEngineObserver(options.observer ?? {});
  const reader = createChargeReader(options.region, regions);
  const readCharge = reader.read;
  const nextChargeId = createChargeIds();
  const clock = now ?? epochClock;
  const onForgotten = () => observer.forgot?.(DEFAULT_POOL);
  const memory = createMemoryEngine({ clock, maxPartitions: counterOptions.maxPartitions, onForgotten });
  const scheduler = createResumeScheduler();
  const pools = new RedisPools({
    ...options,
    ...counterOptions,
    now,
    localClock: clock,
    nextChargeId,
    scheduler,
    observer,
    denialMemory: denialMemory || { maxAgeMs: 0 },
  });
  const defaultRedis = pools.default;

  /**
   * Charges a single limit on a short path. Returns undefined if the charge has to take the general
   * path.
   */
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

  const plain = createPlainCharges({ pools, memory, nextChargeId });
  const queues = openSlotQueues({
    pools,
    charge: plain.charge,
    peek: plain.peek,
    refund: (receipt, request) => settling.settleUnawaited(receipt, endingAll({ request }), () => {}),
  });
  const settling = settleCharges({ pools, memory, queues, read: readCharge });

  const limiter: ProtectionLimiter = {
    ...settling,
    prepare: reader.prepare,
    regionPart: reader.regionPart,
    turn: (charge) => (defaultRedis === undefined || tookNoCall(charge) ? undefined : scheduler.nextTurn()),
    settlementsSent: () => pools.sent(),
    clockAheadMs,
    nowMs: ({ degraded }, pool) => Date.now() + clockAheadMs(pool, degraded),
    opened: pools.opened,
    ...WITHOUT_REGIONS,
    pools: pools.names,
    health: () => pools.all.map((one) => one.health()),
    slotReleases: () => pools.slotReleases(),
    leases: () => pools.leases(),
    waits: () => queues.totals(),
    endWaits: () => queues.end(),

    close: () => queues.close().then(() => pools.close()),

    denies: ({ subject, limits, pool }) => plain.denies(readCharge(subject, limits), pool),

    charge({ subject, limits, pool, wait = waits, signal, currentLimits }: ProtectedCharge) {
      try {
        // Many charges have a single limit, which needs none of the steps that combine several.
        if (pool === undefined && Array.isArray(limits) && limits.length === 1) {
          const admitted = chargeOne(subject, limits[0]);
          if (admitted !== undefined) return admitted;
        }
        const request = readCharge(subject, limits);
        if (!request.hasLists || !wait || !mayWait(request)) return plain.charge(request, pool);
        const current = () => readIfAny(currentLimits?.(), (latest) => readCharge(subject, latest));
        return queues.charge({ request, pool, signal, caller: callerKey(subject), current });
      } catch (error) {
        return Promise.reject(error);
      }
    },

    async peek({ subject, limits, pool }) {
      return plain.peek(readCharge(subject, limits), pool);
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
      return defaultRedis === undefined || pools.remembersDenials();
    },
  };
  return regions === undefined ? limiter : withRegions(limiter, { regions, pools, read: readCharge });
}

function readIfAny<Given, Read>(given: Given | undefined, read: (given: Given) => Read): Read | undefined {
  return given === undefined ? undefined : read(given);
}
