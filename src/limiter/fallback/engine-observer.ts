import type { EngineErrorClass, EngineFailure } from '../redis/engine-failure.js';
import type { BreakerState } from './breaker.js';

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
