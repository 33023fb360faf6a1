import type { RedisClient } from '../../model/redis-client.js';
import type { CounterOptions } from '../../options/counter-options.js';
import { type Clock, monotonicClock } from '../../runtime/clock.js';
import { timerMs } from '../../runtime/schedule.js';
import type { ChargeReceipt } from '../charge/charge-receipt.js';
import type { Anomalies, ChargeRecord, CheckedRequest, EngineResult } from '../charge/checked-request.js';
import { type Decision, type Denial, deny, type PeekedStates } from '../charge/decision.js';
import { DenialMemory, type DenialMemoryTotals } from '../denials/denial-memory.js';
import type { DenialMemoryOptions } from '../denials/denial-memory-option.js';
import { withDenialMemory } from '../denials/with-denial-memory.js';
import { createMemoryEngine } from '../memory/memory-engine.js';
import { findUnsafeOptions, firstWaitMs, ioredisClient, unsafeWarning } from '../redis/connect.js';
import { createScriptRunner } from '../redis/create-script-runner.js';
import { longestWaitMs } from '../redis/deadlines.js';
import type { RedisChannel } from '../redis/redis-channel.js';
import { createRedisEngine } from '../redis/redis-engine.js';
import type { ResumeScheduler } from '../redis/resume-scheduler.js';
import { Corrections } from './corrections.js';
import { Decisions } from './decisions.js';
import type { EngineObserver, PoolHealth } from './engine-observer.js';
import { PoolState } from './pool-state.js';
import { endingAll, type SlotReleaseTotals } from './unsent-releases.js';

/** One Redis, and the fallback that decides while Redis does not respond. */
export interface RedisWithFallback {
  charge(request: CheckedRequest): Promise<Decision>;
  /**
   * Returns the remembered denial that `charge` would return; undefined if nothing is known.
   * Returns 'ASK' if the request was denied recently, and one charge of all its limits has to check
   * whether it is still denied. Further requests wait for this charge.
   */
  recall(request: CheckedRequest): Denial | 'ASK' | undefined;
  /** Counts a result of `recall` that was returned to a caller. */
  answeredRecalled(): void;
  /** Returns whether one of these limits is known to deny its cost, without a call to Redis. */
  denies(request: CheckedRequest): boolean;
  /** Resolves when the settlement has succeeded or was given up. */
  settle(receipt: ChargeReceipt, actual: Readonly<Record<string, number>>): Promise<unknown>;
  /**
   * Makes the slots of a charge end `leaseMs` from now. While Redis is unavailable, only slots in the
   * memory of this process are renewed. Slots that were taken there are added to Redis when it is
   * available.
   * @param receipt the receipt, which notes that its slots are in Redis too
   * @param slots the part of the receipt to renew
   */
  renew(receipt: ChargeReceipt, slots: ChargeRecord): Promise<unknown>;
  /**
   * Charges in Redis, without the fallback. Resolves to undefined if Redis does not reply. If Redis
   * has charged and only the reply is late, the charge is refunded when the reply arrives.
   */
  take(request: CheckedRequest): Promise<EngineResult | undefined>;
  /**
   * Corrects a charge of `take` to the amount that was spent. Resolves to false if Redis did not
   * confirm the correction.
   */
  refund(charge: ChargeRecord, actual: Readonly<Record<string, number>>): Promise<boolean>;
  peek(request: CheckedRequest): Promise<PeekedStates>;
  /**
   * Resets counters in Redis and in this process. Resolves to false if Redis did not confirm the
   * reset.
   */
  reset(request: CheckedRequest): Promise<boolean>;
  /** Discards remembered states of counters that another instance has reset. */
  forget(request: CheckedRequest): void;
  /** Resolves when all corrections are sent; undefined if they already are. */
  sent(): Promise<void> | undefined;
  /**
   * Resolves when the first attempt to reach Redis has ended: within two seconds for a URL, three
   * for a client that was passed in.
   */
  readonly opened: Promise<void>;
  health(): PoolHealth;
  readonly anomalies: Anomalies;
  /** Messages between the processes that share this Redis. */
  readonly channel: RedisChannel;
  /**
   * Returns the number of milliseconds by which the clock of Redis is ahead of that of this
   * process.
   */
  clockAheadMs(): number;
  slotReleases(): Readonly<SlotReleaseTotals>;
  rememberedDenials(): Readonly<DenialMemoryTotals>;
  close(): Promise<void>;
}

export interface RedisWithFallbackOptions extends Required<CounterOptions> {
  pool: string;
  redis: RedisClient | string;
  now: (() => number) | undefined;
  /** Clock of the fallback, in epoch milliseconds. */
  localClock: Clock;
  nextChargeId: () => string;
  scheduler: ResumeScheduler;
  observer: EngineObserver;
  denialMemory?: DenialMemoryOptions | undefined;
}

export function createRedisWithFallback(options: RedisWithFallbackOptions): RedisWithFallback {
  const { runner, denials, engine, memory, state, corrections, decisions } = openParts(options);
  const { releases } = corrections;
  const opened = state.open(runner.opened);
  // Each charge rejects with the same error, so this rejection counts as handled.
  opened.catch(() => {});

  return {
    opened,
    health: () => state.health(),
    anomalies: runner.anomalies,
    channel: runner.channel,
    clockAheadMs: () => runner.clockAheadMs(),
    slotReleases: () => releases.totals(),
    sent: engine.sent,
    denies: (request) => state.mayAsk && denials.denies(request),

    recall(request) {
      if (!state.isOpen || !state.mayAsk) return undefined;
      const known = denials.recall(request);
      return known === undefined || known === 'ASK' ? known : deny(request, known, false);
    },

    answeredRecalled: () => denials.answeredRecalled(),

    charge: (request) => (state.isOpen ? decisions.decide(request) : opened.then(() => decisions.decide(request))),
    peek: (request) => (state.isOpen ? decisions.look(request) : opened.then(() => decisions.look(request))),

    settle(receipt, actual) {
      if (receipt.local) {
        memory.settle(receipt, actual);
        receipt.late?.settle(actual);
        return SETTLED;
      }
      if (state.mayAsk) return corrections.correct(receipt, actual);
      // While Redis is unavailable, the correction is lost, as if its call had failed, and the
      // estimated charge remains. Slots are released when Redis is back.
      releases.keep(receipt, actual);
      return SETTLED;
    },

    renew(receipt, slots) {
      if (!receipt.local) return state.mayAsk ? corrections.renew(slots) : SETTLED;
      memory.renew(slots);
      if (receipt.late !== undefined) return receipt.late.renew();
      if (!state.mayAsk) return SETTLED;
      const endSlots = () => {
        if (state.mayAsk) void corrections.correct(slots, endingAll(slots));
        else releases.keep(slots, endingAll(slots));
      };
      // Other limits of the charge counted in this process alone, and are not corrected in Redis.
      const settle = (actual: Readonly<Record<string, number>>) => {
        if (slots.request.limits.some(({ id }) => actual[id] !== undefined)) endSlots();
      };
      receipt.late = { settle, endSlots, renew: () => (state.mayAsk ? corrections.renew(slots) : SETTLED) };
      return corrections.renew(slots);
    },

    // Not an async function, because its promise would resolve a few microtasks later. Operations
    // whose replies arrive together with this one would then not find the new tokens, and would
    // call Redis.
    take: (request) => (state.mayAsk ? corrections.take(request, options.nextChargeId()) : Promise.resolve(undefined)),
    refund: async (charge, actual) => state.mayAsk && (await corrections.correct(charge, actual)),

    async reset(request) {
      await opened;
      // Also resets the counters that this process charged while Redis did not respond.
      memory.reset(request);
      // The reset is attempted even if the breaker is open, because no decision waits for it.
      try {
        await state.inPatientTime((watch) => engine.reset(request, watch));
        return true;
      } catch (error) {
        state.failures.fail(error);
        return false;
      }
    },

    forget: (request) => denials.emptied(request),

    async close() {
      state.stop();
      await opened.catch(() => {});
      await state.instances.stop();
      await releases.close();
      await engine.close();
    },
    rememberedDenials: () => denials.totals,
  };
}

/** Creates all parts of one Redis. */
function openParts(options: RedisWithFallbackOptions) {
  const { pool, redis, now, deadlineMs, nextChargeId, observer } = options;
  if (typeof redis !== 'string') warnOfOptions(redis, pool, observer);
  const connection = { error: undefined as unknown };
  const runner = createScriptRunner({
    redis: ioredisClient(redis),
    reconnectMs: options.reconnectMs,
    connectWaitMs: firstWaitMs(deadlineMs),
    now,
    onConnectionError(error) {
      connection.error = error;
    },
  });
  const denials = new DenialMemory(options.denialMemory ?? {}, now ?? monotonicClock);
  const redisEngine = createRedisEngine({
    runner,
    scheduler: options.scheduler,
    deadlineMs,
    // This is longer than a call can take, so that no pending charge of a Cluster is refunded while
    // its caller still waits.
    pendingMs: timerMs(2 * longestWaitMs(deadlineMs) + 1000),
    onCancel: (request) => denials.cancelled(request),
  });
  const engine = withDenialMemory(redisEngine, denials);
  const memory = createMemoryEngine({
    clock: options.localClock,
    maxPartitions: options.maxPartitions,
    onForgotten() {
      runner.anomalies.forgotten++;
      observer.forgot?.(pool);
    },
  });
  const state = new PoolState({
    pool,
    engine: redisEngine,
    deadlineMs,
    instances: options.instances,
    thresholds: options,
    connection,
    observer,
    onClosed: () => void releases.send(),
  });
  const corrections = new Corrections(pool, state, engine);
  const { releases } = corrections;
  const decisions = new Decisions({
    pool,
    state,
    engine,
    denials,
    memory,
    releases,
    deadlineMs,
    nextChargeId,
    observer,
  });
  return { runner, denials, engine, memory, state, corrections, decisions };
}

const SETTLED = Promise.resolve();

/**
 * Clients for which the process has already emitted a warning. Several limiters may share one
 * client.
 */
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
