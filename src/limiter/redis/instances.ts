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
  /** A random name, a dot, and the version of the instance's time zone data. */
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
  /** Another version of time zone data that a live instance uses; '' if all have the same. */
  otherZoneData: string;
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
  /** Version of the time zone data of this instance. */
  zoneData?: string;
  /**
   * Receives the version of another instance once, if it differs: the periods of calendar windows
   * may then begin at different times.
   */
  onOtherZoneData?: (version: string) => void;
}

/** Version of the time zone data of this runtime, such as `2025c`. */
export const ZONE_DATA = process.versions['tz'] ?? 'unknown';

/** Returns the warning about an instance with another version of time zone data. */
export function zoneDataWarning(pool: string, version: string): string {
  return (
    `instances that share the Redis of the pool ${pool} have different time zone data: ${ZONE_DATA} here, and ` +
    `${version} in another instance. Periods of calendar windows may begin at different times: use the same ` +
    'version of Node.js for all of them'
  );
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

export function createInstances(options: InstancesOptions): Instances {
  const { beat, atLeast, isAway, onError, zoneData = ZONE_DATA, onOtherZoneData = () => {} } = options;
  // A dot is no character of base64url, and instances of older versions accept any name.
  const instance = `${randomBytes(9).toString('base64url')}.${zoneData}`;
  const reported = new Set<string>();
  let counts: number[] = [];
  let count = atLeast;
  let holds = 0;
  let stopPolling: (() => void) | undefined;

  async function sendBeat(): Promise<Pulse> {
    const least = Math.min(MAX_INSTANCES, Math.max(atLeast, ...counts.slice(1 - COUNTS_KEPT)));
    const pulse = await beat({ instance, aliveMs: ALIVE_MS, least, holds });
    counts = [...counts, pulse.count].slice(-COUNTS_KEPT);
    count = Math.max(atLeast, ...counts);
    const { otherZoneData } = pulse;
    if (otherZoneData !== '' && !reported.has(otherZoneData)) {
      reported.add(otherZoneData);
      onOtherZoneData(otherZoneData);
    }
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
