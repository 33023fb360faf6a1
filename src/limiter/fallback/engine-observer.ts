import type { EngineErrorClass, EngineFailure } from '../redis/engine-failure.js';
import type { BreakerState } from './breaker.js';

/** State of one Redis, as this process sees it. */
export interface PoolHealth {
  pool: string;
  /**
   * State of its circuit breaker. `CLOSED` while Redis responds; otherwise decisions are made
   * without Redis.
   */
  state: BreakerState;
  /**
   * Start of the outage or, while the breaker is closed, its end, in epoch milliseconds. Probes that
   * fail do not change it.
   */
  sinceMs: number;
  /** Class of the last failure. Undefined if none occurred since the breaker last closed. */
  reason: EngineErrorClass | undefined;
  /**
   * Number of instances that share the Redis: the largest that it recently reported, and at least
   * the option `instances`.
   */
  instances: number;
  /**
   * While this instance decides without Redis, its share of a limit is the limit divided by this
   * number.
   */
  divisor: number;
}

/**
 * Receives events about a Redis pool. If a handler throws or rejects, Tollgate emits a process
 * warning, once for each handler; decisions are unaffected.
 */
export interface EngineObserver {
  /**
   * Receives the failure of a call to Redis. If the call was a charge or a peek, this process then
   * decided without Redis.
   */
  failed?(failure: EngineFailure): void;
  /**
   * Receives the pool of a decision that this process made although Redis replied to other calls.
   * The call of this decision had waited too long in the queue of this process.
   */
  fellBehind?(pool: string): void;
  /**
   * Receives the state when Redis is first reached, and when its breaker opens, half-opens or
   * closes.
   */
  changed?(health: PoolHealth): void;
  /**
   * Receives the pool of a client that was passed in and may charge twice or late. `options` are
   * the options to change, each with its safe value.
   * @default a warning of the process
   */
  unsafe?(pool: string, options: readonly string[]): void;
  /**
   * Receives the pool and the time zone data version of another instance, if it differs from that
   * of this runtime (`process.versions.tz`). Periods of calendar windows may then begin at different
   * times. It is called once for each version.
   * @default a warning of the process
   */
  zoneDataDiffers?(pool: string, version: string): void;
  /**
   * Receives the pool of a counter that this process evicted while it still held usage. Its caller
   * may spend those tokens again.
   */
  forgot?(pool: string): void;
  /**
   * Receives the name of a region when its Redis no longer replies to the exchange of shares, and
   * when it replies again. Until then, no shares move. Only the instance that exchanges the shares
   * of its region calls it.
   */
  regionChanged?(region: string, isReachable: boolean): void;
}
