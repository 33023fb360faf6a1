import { randomBytes } from 'node:crypto';
import { MAX_INSTANCES } from '../../model/limit-parameters.js';
import { poll } from '../../runtime/poll.js';

/**
 * Counts the instances that share a Redis by their heartbeats, and computes the share of every
 * limit that this instance may use while Redis is unavailable. The sum of the shares of all
 * instances never exceeds the limit (lua/heartbeat.lua).
 */
export interface Instances {
  /** Number of instances: the largest that Redis recently reported, and at least `atLeast`. */
  count(): number;
  /** Divisor of every limit for this instance while Redis is unavailable. */
  divisor(): number;
  /**
   * Reports that this instance is alive and reads the number of instances. Rejects if Redis does
   * not reply.
   */
  beat(): Promise<void>;
  /** Starts sending heartbeats. */
  start(): void;
  /** Reports that this instance shuts down. */
  stop(): Promise<void>;
}

export interface Heartbeat {
  instance: string;
  /** Time for which the instance counts as alive, in milliseconds. 0 if it shuts down. */
  aliveMs: number;
  /** Minimum divisor. */
  least: number;
  /** Divisor that the instance uses until it receives another one. 0 if it has not received any. */
  holds: number;
}

/** Number of instances that are alive, and the divisor of this one. */
export interface Pulse {
  count: number;
  divisor: number;
}

interface InstancesOptions {
  beat: (heartbeat: Heartbeat) => Promise<Pulse>;
  /**
   * Minimum count. An instance that starts while Redis is unavailable has no count yet, and uses
   * this one.
   */
  atLeast: number;
  /** Whether Redis is unavailable. No heartbeat is sent then. */
  isAway: () => boolean;
  onError: (error: unknown) => void;
}

const BEAT_MS = 5000;
const ALIVE_MS = 3 * BEAT_MS;
/**
 * First pause between heartbeats, in milliseconds. Pauses are short after a start, because other
 * instances of a fleet often start at the same time. They are also short while this instance holds
 * less than its share.
 */
const FIRST_BEAT_MS = 250;
/**
 * Number of recent counts that are kept. A restarted Redis has no instances stored at first, so the
 * largest recent count applies.
 */
const COUNTS_KEPT = 6;

export function createInstances({ beat, atLeast, isAway, onError }: InstancesOptions): Instances {
  const instance = randomBytes(9).toString('base64url');
  let counts: number[] = [];
  let count = atLeast;
  let holds = 0;
  let stopPolling: (() => void) | undefined;

  async function sendBeat(): Promise<Pulse> {
    const least = Math.min(MAX_INSTANCES, Math.max(atLeast, ...counts.slice(1 - COUNTS_KEPT)));
    const pulse = await beat({ instance, aliveMs: ALIVE_MS, least, holds });
    counts = [...counts, pulse.count].slice(-COUNTS_KEPT);
    count = Math.max(atLeast, ...counts);
    return pulse;
  }

  async function ask(): Promise<void> {
    const before = holds;
    holds = (await sendBeat()).divisor;
    // Other instances may use the share that this instance gave up, but only after this instance
    // has confirmed its new divisor.
    if (before > 0 && holds > before) holds = (await sendBeat()).divisor;
  }

  function pauseMs(beats: number): number {
    const afterMs = holds > count ? FIRST_BEAT_MS : Math.min(BEAT_MS, FIRST_BEAT_MS * 2 ** Math.min(beats, 10));
    return afterMs * (0.8 + Math.random() * 0.4);
  }

  return {
    beat: ask,
    start() {
      stopPolling = poll(() => (isAway() ? undefined : ask().catch(onError)), pauseMs);
    },
    async stop() {
      stopPolling?.();
      if (!isAway()) await beat({ instance, aliveMs: 0, least: 1, holds: 0 }).catch(() => {});
    },
    count: () => count,
    divisor: () => (holds === 0 ? atLeast : holds),
  };
}
