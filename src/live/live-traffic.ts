import { randomUUID } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';
import type { OperationObserver } from '../plugin/decision-record.js';
import { createLatestOnly, type LatestOnly } from './latest-only.js';
import { shareParts } from './share-parts.js';
import {
  addUp,
  type BusySubject,
  createTrafficCounter,
  noTraffic,
  type TrafficPart,
  type TrafficRates,
} from './traffic-counter.js';

/** What all processes together decided in the last second. */
export interface TrafficSample extends TrafficRates {
  time: Date;
  /** How many processes it is the sum of. */
  processes: number;
  subjects: BusySubject[];
}

export interface LiveTrafficOptions {
  /** By way of it the processes hear of each other. @default this process alone */
  redis?: Redis | Cluster | undefined;
  /** @default 1000 */
  everyMs?: number;
}

export interface LiveTraffic {
  /** What is to be told of every operation. */
  readonly observer: OperationObserver;
  /** A sample every second, until it is returned or everything closes. A slow reader misses samples. */
  watch(): AsyncGenerator<TrafficSample, undefined, undefined>;
  close(): Promise<void>;
}

/** A process that is not heard of for so many samples is gone; one that is not asked for as long stops counting. */
const FORGOTTEN_AFTER = 2.5;

/**
 * The traffic as it is now, of all processes that share a Redis. Only while somebody watches do they count, once a second
 * hand what they counted to each other, and add it up.
 */
export function createLiveTraffic({ redis, everyMs = 1000 }: LiveTrafficOptions = {}): LiveTraffic {
  const me = randomUUID();
  const counter = createTrafficCounter();
  const watchers = new Set<LatestOnly<TrafficSample>>();
  const parts = new Map<string, TrafficPart & { atMs: number }>();
  let askedUntilMs = 0;
  let timer: NodeJS.Timeout | undefined;

  const others =
    redis &&
    shareParts(redis, {
      onAsked() {
        askedUntilMs = performance.now() + FORGOTTEN_AFTER * everyMs;
        begin();
      },
      onPart(process, part) {
        parts.set(process, { ...part, atMs: performance.now() });
      },
      me,
    });

  function begin(): void {
    if (timer) return;
    counter.start();
    timer = setInterval(tick, everyMs);
    timer.unref();
  }

  function end(): void {
    clearInterval(timer);
    timer = undefined;
    counter.stop();
    parts.clear();
  }

  function tick(): void {
    const nowMs = performance.now();
    const part = counter.take();
    const isAsked = askedUntilMs > nowMs;
    if (isAsked) others?.tell(part);
    if (watchers.size === 0) {
      if (!isAsked) end();
      return;
    }
    others?.ask();
    parts.set(me, { ...part, atMs: nowMs });
    for (const [process, { atMs }] of parts) {
      if (nowMs - atMs > FORGOTTEN_AFTER * everyMs) parts.delete(process);
    }
    const sample = sumOf([...parts.values()]);
    for (const watcher of watchers) watcher.put(sample);
  }

  return {
    observer: counter,
    watch() {
      const watcher = createLatestOnly<TrafficSample>(() => {
        watchers.delete(watcher);
        if (watchers.size === 0) others?.stopListening();
      });
      watchers.add(watcher);
      others?.listen();
      others?.ask();
      begin();
      return watcher;
    },
    async close() {
      for (const watcher of watchers) watcher.end();
      end();
      others?.close();
    },
  };
}

function sumOf(parts: readonly TrafficPart[]): TrafficSample {
  const rates = noTraffic();
  for (const part of parts) {
    for (const name of Object.keys(rates) as (keyof TrafficRates)[]) rates[name] += part.rates[name];
  }
  return {
    ...rates,
    time: new Date(),
    processes: parts.length,
    subjects: addUp(parts.flatMap(({ subjects }) => subjects)),
  };
}
