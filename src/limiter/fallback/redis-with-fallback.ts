import type { RedisClient } from '../../model/redis-client.js';
import { schedule, timerMs } from '../../runtime/schedule.js';
import { withGetters } from '../../runtime/with-getters.js';
import type { Limit } from '../algorithms/algorithm.js';
import { createShares } from '../algorithms/local-share.js';
import type { Anomalies, ChargeRecord, CheckedRequest, EngineResult } from '../charge/charge-request.js';
import { type Decision, type Denial, deny, type PeekedStates, toDecision, toPeekedStates } from '../charge/decision.js';
import { type ChargeReceipt, chargeBehind, receiptOf } from '../charge/receipt.js';
import { createDenialMemory, type DenialMemoryTotals } from '../denials/denial-memory.js';
import type { DenialMemoryOptions } from '../denials/denial-memory-option.js';
import { isQuestion } from '../denials/question.js';
import { withDenialMemory } from '../denials/with-denial-memory.js';
import { createMemoryEngine } from '../memory/memory-engine.js';
import { CONNECT_WAIT_MS, findUnsafeOptions, ioredisClient, unsafeWarning } from '../redis/connect.js';
import { createDeadlines, endWatch, longestWaitMs, type Watch } from '../redis/deadlines.js';
import { type EngineErrorClass, type EngineFailure, isRefusal } from '../redis/failure.js';
import { createInstances } from '../redis/instances.js';
import { createRedisEngine } from '../redis/redis-engine.js';
import type { ResumeScheduler } from '../redis/resume-scheduler.js';
import { createScriptRunner } from '../redis/run-script.js';
import { type BreakerState, createBreaker } from './breaker.js';
import { createCallFailures } from './call-failures.js';
import { decideUnavailable, peekUnavailable } from './decide-locally.js';
import { createLateCharge, type LateCharge } from './late-charge.js';
import { type CallUnderWay, createSetAside } from './set-aside.js';
import { createUnsentReleases, endingAll, type SlotReleaseTotals } from './unsent-releases.js';

/** How one Redis is doing, as it is seen from here. */
export interface PoolHealth {
  pool: string;
  /** Its breaker: `CLOSED` while it answers; else decisions are made without it. */
  state: BreakerState;
  /** Epoch milliseconds: since when it is so. */
  sinceMs: number;
  /** What the last failure before it opened was; undefined while it answers. */
  reason: EngineErrorClass | undefined;
  /** How many instances share it, or did when it last answered. */
  instances: number;
  /** What this one divides each limit by while it decides without it. */
  divisor: number;
}

/** Is notified of what becomes of the Redis of a pool. What it throws is a warning of the process, and fails no decision. */
export interface EngineObserver {
  /** A call failed, and the decision was made without it. */
  failed?(failure: EngineFailure): void;
  /** A decision fell to this process although Redis replied to others: it had to wait too long in between. */
  fellBehind?(pool: string): void;
  /** It was reached for the first time, or its breaker opened, half-opened or closed. */
  changed?(health: PoolHealth): void;
  /**
   * A client was passed in that may charge twice, or late: `options` are those to change, each with what it should be.
   * @default a warning of the process
   */
  unsafe?(pool: string, options: readonly string[]): void;
  /** A counter in this process made room for another one, though something was used of it: whose it was may spend it again. */
  forgot?(pool: string): void;
}

/** One Redis, and what decides in its place while it does not answer. */
export interface RedisWithFallback {
  charge(request: CheckedRequest): Promise<Decision>;
  /**
   * The denial that is remembered of it, where `charge` would answer that; 'ASK': it was denied of late, and a charge of all of it
   * finds out whether it still would be, for those behind it too. Undefined: nothing is known.
   */
  recall(request: CheckedRequest): Denial | 'ASK' | undefined;
  /** What `recall` gave was the answer, to be counted as one. */
  answeredRecalled(): void;
  /** Whether one of these limits is known to refuse its cost, without a call to Redis. */
  refuses(request: CheckedRequest): boolean;
  /** Resolves when that is done, or given up. */
  settle(receipt: ChargeReceipt, actual: Readonly<Record<string, number>>): Promise<unknown>;
  /**
   * Charges in Redis, or not at all: undefined where it does not answer. What it charges all the same is refunded when it
   * says so.
   */
  take(request: CheckedRequest): Promise<EngineResult | undefined>;
  /** Corrects what `take` has taken to what was spent of it; false where Redis did not confirm it. */
  refund(charge: ChargeRecord, actual: Readonly<Record<string, number>>): Promise<boolean>;
  peek(request: CheckedRequest): Promise<PeekedStates>;
  /** Empties counters in Redis and in this process; false when Redis did not say so. */
  reset(request: CheckedRequest): Promise<boolean>;
  /** Forgets what is known of counters that another instance has emptied. */
  forget(request: CheckedRequest): void;
  /** Resolves when all corrections are on their way; undefined: they are. */
  sent(): Promise<void> | undefined;
  /** Resolves once the first attempt to reach it has ended; within two seconds. */
  readonly opened: Promise<void>;
  health(): PoolHealth;
  readonly anomalies: Anomalies;
  /** How far the clock that its decisions are of is ahead of that of this process. */
  clockAheadMs(): number;
  slotReleases(): Readonly<SlotReleaseTotals>;
  readonly rememberedDenials: Readonly<DenialMemoryTotals>;
  close(): Promise<void>;
}

interface RedisWithFallbackOptions {
  pool: string;
  redis: RedisClient | string;
  now: (() => number) | undefined;
  /** The clock of what decides in its place, epoch milliseconds. */
  localClock: () => number;
  maxPartitions: number;
  deadlineMs: number;
  instances: number;
  nextChargeId: () => string;
  scheduler: ResumeScheduler;
  observer: EngineObserver;
  denialMemory?: DenialMemoryOptions | undefined;
}

export function createRedisWithFallback(options: RedisWithFallbackOptions): RedisWithFallback {
  const { pool, redis, now, deadlineMs, nextChargeId, observer } = options;
  let isOpen = false;
  let connectionError: unknown;
  const runner = createScriptRunner({
    redis: ioredisClient(redis),
    now,
    onConnectionError(error) {
      connectionError = error;
    },
  });
  // Longer than a call can take, so that callers who still wait for an answer find their charge.
  const denials = createDenialMemory(options.denialMemory ?? {}, now ?? clock);
  const redisEngine = createRedisEngine({
    runner,
    scheduler: options.scheduler,
    deadlineMs,
    pendingMs: timerMs(2 * longestWaitMs(deadlineMs) + 1000),
    onCancel: denials.cancelled,
  });
  const engine = withDenialMemory(redisEngine, denials);
  const deadlines = createDeadlines({ deadlineMs, clock });
  // The first call meets a new connection and scripts that are not loaded.
  const patient = createDeadlines({ deadlineMs: CONNECT_WAIT_MS, clock });
  const memory = createMemoryEngine({
    clock: options.localClock,
    maxPartitions: options.maxPartitions,
    onForgotten() {
      runner.anomalies.forgotten++;
      observer.forgot?.(pool);
    },
  });
  const divide = createShares();
  if (typeof redis !== 'string') warnOfOptions(redis, pool, observer);
  const shareOf = (limit: Limit) => divide(limit, instances.divisor);
  const setAside = createSetAside({
    instances: () => instances.count,
    keepMs: longestWaitMs(deadlineMs),
    clock,
  });

  const instances = createInstances({
    async beat(heartbeat) {
      const pulse = await inTime((watch) => redisEngine.beat(heartbeat, watch), isOpen ? deadlines : patient);
      connectionError = undefined;
      return pulse;
    },
    atLeast: options.instances,
    isAway: () => !breaker.isClosed,
    onError: (error) => fail(error),
  });
  const failures = createCallFailures({
    pool,
    deadlineMs,
    deadlines,
    onFailure: (failure) => observer.failed?.(failure),
    onCounted: () => breaker.failed(),
    connectionError: () => connectionError,
  });
  const { notify, fail, failLate, lateness, inTime } = failures;
  let sinceMs = Date.now();
  const breaker = createBreaker({
    async probe() {
      await inTime(() => redisEngine.probe());
      // How many there are now; the next beat asks again.
      await instances.beat().catch(notify);
    },
    onChange(state) {
      if (state !== 'HALF_OPEN') sinceMs = Date.now();
      if (state === 'CLOSED') failures.reason = undefined;
      observer.changed?.(health());
      if (state === 'CLOSED') void releases.send();
    },
    clock,
    schedule,
    random: Math.random,
  });
  const releases = createUnsentReleases({
    release,
    isAway: () => !breaker.isClosed,
    clock,
    schedule,
    random: Math.random,
  });

  const opened = runner.opened.then(async () => {
    try {
      await instances.beat();
      observer.changed?.(health());
    } catch (error) {
      notify(error);
      breaker.trip();
    }
    instances.start();
  });
  opened.then(
    () => {
      isOpen = true;
    },
    // Each charge is told.
    () => {},
  );

  function health(): PoolHealth {
    return {
      pool,
      state: breaker.state,
      sinceMs,
      reason: failures.reason,
      instances: instances.count,
      divisor: instances.divisor,
    };
  }

  function decideLocally(request: CheckedRequest, chargeId: string, call?: CallUnderWay): Decision {
    const takenForMs = (i: number) => setAside.takenForMs(request, i, call);
    return decideUnavailable(request, chargeId, pool, memory, shareOf, takenForMs);
  }

  /** One deadline for the whole decision, however many calls it takes. */
  function decide(request: CheckedRequest): Promise<Decision> {
    const chargeId = nextChargeId();
    if (!breaker.isClosed) return Promise.resolve(decideLocally(request, chargeId));
    const known = denials.find(request);
    if (known !== undefined && !isQuestion(known)) return Promise.resolve(deny(request, known, false));
    return new Promise((resolve) => {
      let late: LateCharge | undefined;
      let isCounted = false;
      const watch = deadlines.watch(() => {
        isCounted = gaveUp(watch);
        const decision = decideLocally(request, chargeId, call);
        late = lateChargeOf(request, chargeId, decision);
        if (decision.admitted) {
          setAside.admitted(call);
        } else {
          watch.isRefused = true;
          setAside.gaveUp(call);
        }
        resolve(decision);
      });
      const call = setAside.began(request);
      engine.decide(
        request,
        chargeId,
        watch,
        known,
        (result) => {
          setAside.ended(call);
          const decision = toDecision(request, result, false, receiptOf(request, result, chargeId, pool, false));
          if (!decision.admitted) setAside.refused(request, decision.limits);
          if (!endWatch(watch)) return late?.learned(result);
          breaker.succeeded();
          resolve(decision);
        },
        (error) => {
          if (!endWatch(watch)) {
            failLate(error, isCounted);
            if (isRefusal(error) && breaker.isClosed) void late?.wasNotExecuted().then(() => setAside.ended(call));
            else {
              setAside.ended(call);
              late?.staysUnknown();
            }
            return;
          }
          setAside.ended(call);
          fail(error);
          const decision = decideLocally(request, chargeId);
          // Its slots may have been taken.
          if (request.hasLists && !isRefusal(error)) lateChargeOf(request, chargeId, decision).staysUnknown();
          resolve(decision);
        },
      );
    });
  }

  function lateChargeOf(request: CheckedRequest, chargeId: string, decision: Decision): LateCharge {
    const late = createLateCharge({ engine, request, chargeId, nextChargeId, pool, decision, onLost: releases.keep });
    if (decision.admitted) chargeBehind(decision.receipt).late = late;
    return late;
  }

  /** Refunds all that was charged, as no caller waits for it any more; a refund that is lost leaves it charged. */
  function refundUnclaimed(request: CheckedRequest, result: EngineResult, chargeId: string): void {
    const receipt = receiptOf(request, result, chargeId, pool, false);
    if (receipt === undefined) return;
    engine.settle(receipt, Object.fromEntries(receipt.request.limits.map(({ id }) => [id, 0]))).catch(() => {});
  }

  function correct(charge: ChargeRecord, actual: Readonly<Record<string, number>>): Promise<boolean> {
    const correcting = inTime((watch) => engine.settle(charge, actual, watch));
    if (!charge.request.hasLists) return correcting.then(confirmed, lost);
    return correcting.then(confirmed, (error) => {
      releases.keep(charge, actual);
      return lost(error);
    });
  }

  function confirmed(): boolean {
    breaker.succeeded();
    return true;
  }

  function lost(error: unknown): boolean {
    fail(error);
    return false;
  }

  /** Ends slots of which that was lost. Together they count as one call. */
  async function release(charges: readonly ChargeRecord[], ended: (charge: ChargeRecord) => void): Promise<void> {
    try {
      await inTime(async (watch) => {
        const ending = charges.map((charge) =>
          engine.settle(charge, endingAll(charge), watch).then(() => ended(charge)),
        );
        const failure = (await Promise.allSettled(ending)).find((one) => one.status === 'rejected');
        if (failure !== undefined) throw failure.reason;
      });
      breaker.succeeded();
    } catch (error) {
      fail(error);
      throw error;
    }
  }

  /** A decision was given up; the result is that of `fail`. */
  function gaveUp(watch: Watch): boolean {
    if (clock() - engine.repliedAtMs < deadlineMs) observer.fellBehind?.(pool);
    return fail(lateness(watch));
  }

  async function look(request: CheckedRequest): Promise<PeekedStates> {
    if (breaker.isClosed) {
      try {
        const result = await inTime((watch) => engine.charge(request, nextChargeId(), true, watch));
        breaker.succeeded();
        return toPeekedStates(request, result, false);
      } catch (error) {
        fail(error);
      }
    }
    return peekUnavailable(request, memory, shareOf);
  }

  return withGetters<RedisWithFallback, 'rememberedDenials'>(
    {
      opened,
      health,
      anomalies: runner.anomalies,
      clockAheadMs: () => runner.clockAheadMs,
      slotReleases: () => releases.totals,
      sent: engine.sent,
      refuses: (request) => breaker.isClosed && denials.refuses(request),

      recall(request) {
        if (!isOpen || !breaker.isClosed) return undefined;
        const known = denials.recall(request);
        return known === undefined || known === 'ASK' ? known : deny(request, known, false);
      },

      answeredRecalled: denials.answeredRecalled,

      charge: (request) => (isOpen ? decide(request) : opened.then(() => decide(request))),
      peek: (request) => (isOpen ? look(request) : opened.then(() => look(request))),

      settle(receipt, actual) {
        if (receipt.local) {
          memory.settle(receipt, actual);
          receipt.late?.settle(actual);
          return SETTLED;
        }
        if (breaker.isClosed) return correct(receipt, actual);
        // Lost, as one that fails: the estimate stands. Slots end when Redis is back.
        releases.keep(receipt, actual);
        return SETTLED;
      },

      async take(request) {
        if (!breaker.isClosed) return undefined;
        const chargeId = nextChargeId();
        let isLate = false;
        const charged = inTime((watch) => {
          const charging = engine.charge(request, chargeId, false, watch);
          charging.then((result) => isLate && refundUnclaimed(request, result, chargeId)).catch(() => {});
          return charging;
        });
        try {
          const result = await charged;
          breaker.succeeded();
          return result;
        } catch (error) {
          isLate = true;
          fail(error);
          return undefined;
        }
      },

      refund: async (charge, actual) => breaker.isClosed && (await correct(charge, actual)),

      async reset(request) {
        await opened;
        // Also what was counted here while Redis did not answer.
        memory.reset(request);
        // No caller waits for a decision: it is tried whatever the breaker says.
        try {
          await inTime((watch) => engine.reset(request, watch), patient);
          return true;
        } catch (error) {
          fail(error);
          return false;
        }
      },

      forget(request) {
        denials.emptied(request);
      },

      async close() {
        breaker.stop();
        await opened.catch(() => {});
        await instances.stop();
        await releases.close();
        await engine.close();
      },
    },
    {
      get rememberedDenials() {
        return denials.totals;
      },
    },
  );
}

const SETTLED = Promise.resolve();

/** Clients that the process has been warned about: several limiters may share one. */
const warnedOf = new WeakSet<RedisClient>();

function warnOfOptions(client: RedisClient, pool: string, observer: EngineObserver): void {
  const options = findUnsafeOptions(ioredisClient(client));
  if (options.length === 0) return;
  if (observer.unsafe) {
    observer.unsafe(pool, options);
    return;
  }
  if (warnedOf.has(client)) return;
  warnedOf.add(client);
  process.emitWarning(unsafeWarning(pool, options), 'TollgateWarning');
}

function clock(): number {
  return performance.now();
}
