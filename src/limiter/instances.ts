import { randomBytes } from 'node:crypto';

/** Counts the instances that share a Redis, by their heartbeats in it. */
export interface Instances {
  /** How many there are, or were when Redis last said so. */
  readonly count: number;
  /** Says that this one is alive, and asks how many are. Rejects when Redis does not answer. */
  beat(): Promise<void>;
  /** Beats from now on. */
  start(): void;
  /** Says that this one leaves. */
  stop(): Promise<void>;
}

export interface InstancesOptions {
  beat: (instance: string, aliveMs: number) => Promise<number>;
  /** Never fewer than this: an instance that has just started is not counted by the others yet. */
  atLeast: number;
  /** Nobody is asked while this is so. */
  isAway: () => boolean;
  onError: (error: unknown) => void;
}

const BEAT_MS = 5000;
const ALIVE_MS = 3 * BEAT_MS;
/** A Redis that was restarted knows of nobody at first: the largest of the latest counts holds. */
const COUNTS_KEPT = 6;

export function createInstances({ beat, atLeast, isAway, onError }: InstancesOptions): Instances {
  const id = randomBytes(9).toString('base64url');
  let counts: number[] = [];
  let count = atLeast;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function ask(): Promise<void> {
    const alive = await beat(id, ALIVE_MS);
    counts = [...counts, alive].slice(-COUNTS_KEPT);
    count = Math.max(atLeast, ...counts);
  }

  function next(afterMs: number): void {
    if (stopped) return;
    timer = setTimeout(() => {
      const done = isAway() ? undefined : ask().catch(onError);
      void Promise.resolve(done).then(() => next(BEAT_MS * (0.8 + Math.random() * 0.4)));
    }, afterMs).unref();
  }

  return {
    get count() {
      return count;
    },
    beat: ask,
    start: () => next(BEAT_MS / 5),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      if (!isAway()) await beat(id, 0).catch(() => {});
    },
  };
}
