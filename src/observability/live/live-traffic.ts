import { randomUUID } from 'node:crypto';
import type { OperationObserver } from '../../model/decision-record.js';
import type { RedisClient } from '../../model/redis-client.js';
import { timerMs } from '../../runtime/schedule.js';
import { createCounting } from './create-counting.js';
import { createHotCallersGathering, type HotCallersReport } from './create-hot-callers-gathering.js';
import { createLatestOnly, type LatestOnly } from './create-latest-only.js';
import { createPacedAnswer } from './create-paced-answer.js';
import { createTrafficCounter } from './create-traffic-counter.js';
import { createTrafficSamples, GONE_AFTER, type TrafficSample } from './create-traffic-samples.js';
import { createHotCallers, type HotCallers } from './hot-callers.js';
import { type ReportedPart, type SharedParts, shareParts } from './share-parts.js';

interface LiveTrafficOptions {
  /** By way of it the processes hear of each other. @default this process alone */
  redis?: RedisClient | undefined;
  /** @default 1000 */
  everyMs?: number;
  /** Those of this process, which is told of its decisions elsewhere. @default none */
  hotCallers?: Pick<HotCallers, 'read'>;
}

export interface LiveTraffic {
  /** What is to be told of every operation. */
  readonly observer: OperationObserver;
  /** A sample every second, until it is returned or everything closes. A slow reader misses samples. */
  watch(): AsyncGenerator<TrafficSample, undefined, undefined>;
  /** Asks all processes, and waits at most half a second for those that do not answer. Asked at once, or again within a second: the same. */
  hotCallers(): Promise<HotCallersReport>;
  close(): Promise<void>;
}

/** One that is not asked in the time of so many stops counting: later than it is taken for gone, or it would be missed. */
const COUNTS_FOR = GONE_AFTER + 2;
/** However many ask, a process answers so many times in the time of a sample. */
const ANSWERS_PER_SAMPLE = 4;
/** However many ask for hot callers, the others are asked so often. */
const GATHER_EVERY_MS = 1000;

/**
 * The traffic as it is now, of all processes that share a Redis. They count only while a subscription is open. The process
 * that has it asks for their totals with each sample; as they are not told by clocks of their own, no two samples have the
 * same in them, and what comes too late for one is in the next.
 */
export function createLiveTraffic({
  redis,
  everyMs = 1000,
  hotCallers = createHotCallers(),
}: LiveTrafficOptions = {}): LiveTraffic {
  const me = randomUUID();
  const counter = createTrafficCounter();
  const counting = createCounting(counter, COUNTS_FOR * everyMs);
  const samples = createTrafficSamples();
  const gathering = createHotCallersGathering(me);
  const answer = createPacedAnswer(everyMs / ANSWERS_PER_SAMPLE, () => others?.publish(readAll()));
  const others: SharedParts | undefined =
    redis &&
    shareParts(redis, {
      onAsked() {
        counting.ask();
        answer.soon();
      },
      onPart: hear,
      me,
    });
  const watchers = new Set<LatestOnly<TrafficSample>>();
  let sampling: NodeJS.Timeout | undefined;
  let gathered: { atMs: number; report: Promise<HotCallersReport> } | undefined;

  function readAll(): ReportedPart {
    return { ...counter.read(), hot: hotCallers.read() };
  }

  function hear(process: string, part: ReportedPart): void {
    if (part.hot) gathering.hear(process, part.hot);
    if (watchers.size > 0) samples.hear(process, part);
  }

  function sample(): void {
    hear(me, readAll());
    const taken = samples.take();
    for (const watcher of watchers) watcher.put(taken);
    void others?.ask();
  }

  function startSampling(): void {
    if (sampling) return;
    counting.watch();
    samples.begin();
    hear(me, readAll());
    void others?.listen();
    void others?.ask();
    sampling = setInterval(sample, timerMs(everyMs)).unref();
  }

  function stopSampling(): void {
    clearInterval(sampling);
    sampling = undefined;
    samples.forget();
    others?.stopListening();
    counting.endWatch();
  }

  async function gatherHotCallers(): Promise<HotCallersReport> {
    const report = await gathering.gather(hotCallers.read(), others);
    if (watchers.size === 0) others?.stopListening();
    return report;
  }

  return {
    observer: counter,
    watch() {
      const watcher = createLatestOnly<TrafficSample>(() => {
        watchers.delete(watcher);
        if (watchers.size === 0) stopSampling();
      });
      watchers.add(watcher);
      startSampling();
      return watcher;
    },
    hotCallers() {
      const nowMs = performance.now();
      if (gathered === undefined || nowMs - gathered.atMs >= GATHER_EVERY_MS) {
        gathered = { atMs: nowMs, report: gatherHotCallers() };
      }
      return gathered.report;
    },
    async close() {
      for (const watcher of watchers) watcher.end();
      answer.close();
      counting.close();
      others?.close();
    },
  };
}
