import { monotonicClock } from '../../runtime/clock.js';
import { firstWaitMs } from '../redis/connect.js';
import { createDeadlines, type Deadlines, type Watch } from '../redis/deadlines.js';
import { createInstances, type Instances, zoneDataWarning } from '../redis/instances.js';
import type { RedisEngine } from '../redis/redis-engine.js';
import { type Breaker, type BreakerThresholds, createBreaker } from './breaker.js';
import { type CallFailures, createCallFailures } from './call-failures.js';
import type { EngineObserver, PoolHealth } from './engine-observer.js';

interface PoolStateOptions {
  pool: string;
  engine: Pick<RedisEngine, 'beat' | 'probe'>;
  deadlineMs: number;
  /** Minimum number of instances that share the pool. */
  instances: number;
  thresholds: BreakerThresholds;
  /** The last connection error, if Redis is not connected. */
  connection: { error: unknown };
  observer: EngineObserver;
  /** Called when the breaker has closed again. */
  onClosed: () => void;
}

/**
 * Determines whether the Redis of a pool may be called, and how long this process waits for its
 * replies.
 */
export class PoolState {
  readonly deadlines: Deadlines;
  readonly instances: Instances;
  readonly failures: CallFailures;
  readonly #options: PoolStateOptions;
  readonly #breaker: Breaker;
  /**
   * Longer deadlines, for calls that no decision waits for and for the first call. The first call
   * needs a new connection, and its scripts are not loaded yet.
   */
  readonly #patient: Deadlines;
  #isOpen = false;
  #sinceMs = Date.now();
  #isClosed = true;

  constructor(options: PoolStateOptions) {
    const { pool, engine, deadlineMs, instances, connection, observer } = options;
    this.#options = options;
    this.deadlines = createDeadlines({ deadlineMs, clock: monotonicClock });
    this.#patient = createDeadlines({ deadlineMs: firstWaitMs(deadlineMs), clock: monotonicClock });
    this.failures = createCallFailures({
      pool,
      deadlineMs,
      deadlines: this.deadlines,
      onFailure: (failure) => observer.failed?.(failure),
      onCounted: () => this.#breaker.failed(),
      connectionError: () => connection.error,
    });
    this.instances = createInstances({
      beat: async (heartbeat) => {
        const pulse = await this.inTime(
          (watch) => engine.beat(heartbeat, watch),
          this.#isOpen ? this.deadlines : this.#patient,
        );
        connection.error = undefined;
        return pulse;
      },
      atLeast: instances,
      isAway: () => !this.mayAsk,
      onError: (error) => this.failures.fail(error),
      onOtherZoneData: (version) => {
        if (observer.zoneDataDiffers) observer.zoneDataDiffers(pool, version);
        else process.emitWarning(zoneDataWarning(pool, version), 'TollgateWarning');
      },
    });
    this.#breaker = createBreaker({
      thresholds: options.thresholds,
      probe: async () => {
        await this.inTime(() => engine.probe());
        // Refreshes the number of instances. A failure is only reported, because the next heartbeat
        // requests the number again.
        await this.instances.beat().catch(this.failures.notify);
      },
      onChange: () => this.#changed(),
    });
  }

  /** Whether the first attempt to reach Redis has ended. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Whether Redis may be called: the breaker is closed. */
  get mayAsk(): boolean {
    return this.#breaker.isClosed();
  }

  /**
   * Counts the instances for the first time. `connected` resolves when the first attempt to connect
   * has ended.
   */
  async open(connected: Promise<void>): Promise<void> {
    await connected;
    try {
      await this.instances.beat();
      this.#options.observer.changed?.(this.health());
    } catch (error) {
      this.failures.notify(error);
      this.#breaker.trip();
    }
    this.instances.start();
    this.#isOpen = true;
  }

  succeeded(): void {
    this.#breaker.succeeded();
  }

  /** Rejects a call that takes longer than the deadline. */
  inTime<T>(start: (watch: Watch) => Promise<T>, within?: Deadlines): Promise<T> {
    return this.failures.inTime(start, within);
  }

  /** Works like `inTime` with a longer deadline, for calls that no decision waits for. */
  inPatientTime<T>(start: (watch: Watch) => Promise<T>): Promise<T> {
    return this.failures.inTime(start, this.#patient);
  }

  health(): PoolHealth {
    return {
      pool: this.#options.pool,
      state: this.#breaker.state(),
      sinceMs: this.#sinceMs,
      reason: this.failures.reason,
      instances: this.instances.count(),
      divisor: this.instances.divisor(),
    };
  }

  /** Stops the probes of the breaker. */
  stop(): void {
    this.#breaker.stop();
  }

  #changed(): void {
    const state = this.#breaker.state();
    // A failed probe does not begin another outage.
    if ((state === 'CLOSED') !== this.#isClosed) this.#sinceMs = Date.now();
    this.#isClosed = state === 'CLOSED';
    if (state === 'CLOSED') this.failures.reason = undefined;
    this.#options.observer.changed?.(this.health());
    if (state === 'CLOSED') this.#options.onClosed();
  }
}
