import { randomUUID } from 'node:crypto';
import type { OperationObserver } from '../../model/decision-record.js';
import type { RedisClient } from '../../model/redis-client.js';
import { timerMs } from '../../runtime/schedule.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { createLatestOnly, type LatestOnly } from './create-latest-only.js';
import {
  addUp,
  type BusySubject,
  createTrafficCounter,
  noTraffic,
  REMEMBERED_MS,
  type TrafficNumbers,
} from './create-traffic-counter.js';
import { type ReportedPart, type SharedParts, shareParts } from './exchange-samples.js';
import {
  createHotCallers,
  type HotCaller,
  type HotCallers,
  type HotCallersPart,
  sumOfHotCallers,
} from './hot-callers.js';

/** What all processes together decided since the sample before: each decision is in one sample. */
export interface TrafficSample extends TrafficNumbers {
  time: Date;
  /** How long it is since the sample before. */
  periodMs: number;
  /** The same of the last ten seconds, as far as it was watched: over these the callers are looked at. */
  recent: TrafficNumbers & { periodMs: number };
  /** How many processes it is the sum of. */
  processes: number;
  subjects: BusySubject[];
  hotCallers: HotCaller[];
}

/** The callers who take most decisions, of all processes that have answered. */
interface HotCallersReport {
  time: Date;
  processes: number;
  callers: HotCaller[];
}

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

/** A process that is not heard of for so many samples is gone. */
const GONE_AFTER = 3;
/** One that is not asked in the time of so many stops counting: later than it is taken for gone, or it would be missed. */
const COUNTS_FOR = GONE_AFTER + 2;
/** However many ask, a process answers so many times in the time of a sample. */
const ANSWERS_PER_SAMPLE = 4;
/** Longer than the others may wait before they answer, by default. */
const GATHER_MS = 500;
/** However many ask for hot callers, the others are asked so often. */
const GATHER_EVERY_MS = 1000;

interface Process extends ReportedPart {
  /** Samples since it was heard of. */
  silentFor: number;
  /** Heard of once: what it has counted since is not known yet. */
  isNew: boolean;
  /** What of its totals is in the samples so far. */
  sampled: TrafficNumbers;
}

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
  const watchers = new Set<LatestOnly<TrafficSample>>();
  const processes = new Map<string, Process>();
  /** The samples of the last ten seconds. */
  const past: (TrafficNumbers & { periodMs: number })[] = [];
  let sampledMs = 0;
  let sampling: NodeJS.Timeout | undefined;
  let answer: NodeJS.Timeout | undefined;
  let answeredMs = 0;
  let notAsked: NodeJS.Timeout | undefined;
  /** What is told while hot callers are gathered. */
  let onHot: ((process: string, part: HotCallersPart) => void) | undefined;
  let gathered: { atMs: number; report: Promise<HotCallersReport> } | undefined;

  const others =
    redis &&
    shareParts(redis, {
      onAsked() {
        counter.start();
        clearTimeout(notAsked);
        notAsked = setTimeout(stopUnlessWatched, timerMs(COUNTS_FOR * everyMs)).unref();
        const waitMs = answeredMs + everyMs / ANSWERS_PER_SAMPLE - performance.now();
        answer ??= setTimeout(report, Math.max(0, waitMs)).unref();
      },
      onPart: hear,
      me,
    });

  function report(): void {
    answer = undefined;
    answeredMs = performance.now();
    others?.publish(readAll());
  }

  function readAll(): ReportedPart {
    return { ...counter.read(), hot: hotCallers.read() };
  }

  /** What another process counted before we heard of it belongs into no sample of ours. */
  function hear(process: string, part: ReportedPart): void {
    if (part.hot) onHot?.(process, part.hot);
    if (watchers.size === 0) return;
    const known = processes.get(process);
    const sampled = known?.sampled ?? part.totals;
    processes.set(process, { ...part, sampled, silentFor: 0, isNew: known === undefined });
  }

  function sample(): void {
    const nowMs = performance.now();
    hear(me, readAll());
    for (const [name, process] of processes) {
      if (process.silentFor++ === GONE_AFTER) processes.delete(name);
    }
    const known = [...processes.values()].filter(({ isNew }) => !isNew);
    const numbers = newOf(known);
    const periodMs = Math.round(nowMs - sampledMs);
    sampledMs = nowMs;
    past.push({ ...numbers, periodMs });
    while (past.length > 1 && past.reduce((sum, one) => sum + one.periodMs, 0) > REMEMBERED_MS) past.shift();
    const subjects = addUp(known.flatMap((one) => one.subjects));
    const recent = sumOf(past);
    const hot = sumOfHotCallers(known.flatMap((one) => one.hot ?? []));
    for (const watcher of watchers) {
      watcher.put({
        ...numbers,
        periodMs,
        recent,
        time: new Date(),
        processes: known.length,
        subjects,
        hotCallers: hot,
      });
    }
    void others?.ask();
  }

  function startSampling(): void {
    if (sampling) return;
    counter.start();
    sampledMs = performance.now();
    hear(me, readAll());
    void others?.listen();
    void others?.ask();
    sampling = setInterval(sample, timerMs(everyMs)).unref();
  }

  function stopSampling(): void {
    clearInterval(sampling);
    sampling = undefined;
    past.length = 0;
    processes.clear();
    others?.stopListening();
    if (!notAsked) counter.stop();
  }

  async function gatherHotCallers(): Promise<HotCallersReport> {
    const parts = new Map([[me, hotCallers.read()]]);
    if (others) {
      await withTimeout(askForHotCallers(others, parts), GATHER_MS, () => undefined);
      onHot = undefined;
      if (watchers.size === 0) others.stopListening();
    }
    return { time: new Date(), processes: parts.size, callers: sumOfHotCallers([...parts.values()]) };
  }

  /** Resolves when all who have heard the question, this process among them, have answered it. */
  async function askForHotCallers(all: SharedParts, parts: Map<string, HotCallersPart>): Promise<void> {
    let asked = Number.POSITIVE_INFINITY;
    let complete = () => {};
    const answered = new Promise<void>((resolve) => {
      complete = resolve;
    });
    onHot = (process, part) => {
      parts.set(process, part);
      if (parts.size >= asked) complete();
    };
    await all.listen();
    asked = await all.ask();
    if (parts.size >= asked) return;
    await answered;
  }

  function stopUnlessWatched(): void {
    notAsked = undefined;
    if (watchers.size === 0) counter.stop();
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
      clearTimeout(notAsked);
      clearTimeout(answer);
      counter.stop();
      others?.close();
    },
  };
}

/** What processes have counted since they were sampled last. */
function newOf(processes: readonly Process[]): TrafficNumbers {
  const sum = noTraffic();
  for (const process of processes) {
    for (const name of NAMES) sum[name] += process.totals[name] - process.sampled[name];
    process.sampled = process.totals;
  }
  return sum;
}

function sumOf(samples: readonly (TrafficNumbers & { periodMs: number })[]) {
  const sum = { ...noTraffic(), periodMs: 0 };
  for (const sample of samples) {
    for (const name of NAMES) sum[name] += sample[name];
    sum.periodMs += sample.periodMs;
  }
  return sum;
}

const NAMES = Object.keys(noTraffic()) as (keyof TrafficNumbers)[];
