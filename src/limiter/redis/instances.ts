import { randomBytes } from 'node:crypto';
import { MAX_INSTANCES } from '../../model/limit-parameters.js';
import { poll } from '../../runtime/poll.js';

/**
 * Counts the instances that share a Redis, by their heartbeats in it, and keeps this one's share of every limit for when
 * Redis is away. The shares that were given never come to more than the whole (lua/heartbeat.lua).
 */
export interface Instances {
  /** How many there are, or were when Redis last said so. */
  readonly count: number;
  /** What this one divides every limit by while Redis is away. */
  readonly divisor: number;
  /** Says that this one is alive, and asks how many are. Rejects when Redis does not answer. */
  beat(): Promise<void>;
  /** Beats from now on. */
  start(): void;
  /** Says that this one leaves. */
  stop(): Promise<void>;
}

export interface Heartbeat {
  instance: string;
  /** 0: it leaves. */
  aliveMs: number;
  /** The least that it divides by. */
  least: number;
  /** What it divides by until it hears otherwise; 0: it has not been told yet. */
  holds: number;
}

/** How many are alive, and what this one may divide by. */
export interface Pulse {
  count: number;
  divisor: number;
}

interface InstancesOptions {
  beat: (heartbeat: Heartbeat) => Promise<Pulse>;
  /** Never fewer than this: an instance that starts while Redis is away has not counted any. */
  atLeast: number;
  /** Redis is not asked while this is so. */
  isAway: () => boolean;
  onError: (error: unknown) => void;
}

const BEAT_MS = 5000;
const ALIVE_MS = 3 * BEAT_MS;
/** Soon after a start, for the others of a fleet start then too; and while this one lacks its part. */
const FIRST_BEAT_MS = 250;
/** A Redis that was restarted knows of no instances at first: the largest of the latest counts holds. */
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
    // What it has given up is free for others when it has said that it knows.
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
    get count() {
      return count;
    },
    get divisor() {
      return holds === 0 ? atLeast : holds;
    },
  };
}
