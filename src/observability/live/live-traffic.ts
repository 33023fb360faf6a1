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
  /**
   * Redis through which the processes exchange their reports. @default only this process reports
   */
  redis?: RedisClient | undefined;
  /** Interval of the samples, in milliseconds. @default 1000 */
  everyMs?: number;
  /**
   * Hot callers of this process. The code that creates them must notify them of decisions.
   * @default none
   */
  hotCallers?: Pick<HotCallers, 'read'>;
}

export interface LiveTraffic {
  /** Observer that must be notified of every operation. */
  readonly observer: OperationObserver;
  /**
   * Returns a stream of samples, one per `everyMs`. It ends when the reader returns or this object
   * closes. A slow reader misses samples.
   */
  watch(): AsyncGenerator<TrafficSample, undefined, undefined>;
  /**
   * Requests the hot callers of all processes, and waits at most half a second for the reports.
   * Calls within a second share one result.
   */
  hotCallers(): Promise<HotCallersReport>;
  close(): Promise<void>;
}

/**
 * Number of sample intervals for which a process counts after a request. It must exceed
 * `GONE_AFTER`. Otherwise a process could stop counting before it is considered gone, and its
 * decisions would be missed.
 */
const COUNTS_FOR = GONE_AFTER + 2;
/**
 * Maximum number of reports of a process per sample interval, regardless of the number of requests.
 */
const ANSWERS_PER_SAMPLE = 4;
/**
 * Minimum time between two requests for hot callers, in milliseconds, regardless of the number of
 * clients.
 */
const GATHER_EVERY_MS = 1000;

/**
 * Creates the live traffic of all processes that share a Redis. They count only while a
 * subscription is open. The process with the subscription requests their totals with each sample.
 * Samples are differences of totals, so clock differences do not matter. No decision is in two
 * samples, and a late report is included in the next sample.
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
      onPart: receive,
      me,
    });
  const watchers = new Set<LatestOnly<TrafficSample>>();
  let sampling: NodeJS.Timeout | undefined;
  let gathered: { atMs: number; report: Promise<HotCallersReport> } | undefined;

  function readAll(): ReportedPart {
    return { ...counter.read(), hot: hotCallers.read() };
  }

  function receive(process: string, part: ReportedPart): void {
    if (part.hot) gathering.receive(process, part.hot);
    if (watchers.size > 0) samples.receive(process, part);
  }

  function sample(): void {
    receive(me, readAll());
    const taken = samples.take();
    for (const watcher of watchers) watcher.put(taken);
    void others?.ask();
  }

  function startSampling(): void {
    if (sampling) return;
    counting.watch();
    samples.begin();
    receive(me, readAll());
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
