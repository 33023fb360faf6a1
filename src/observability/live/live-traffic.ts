import { randomUUID } from 'node:crypto';
import type { OperationObserver } from '../../model/decision-record.js';
import type { OpenStream, StreamFilter } from '../../model/open-stream.js';
import type { RedisClient } from '../../model/redis-client.js';
import { timerMs } from '../../runtime/schedule.js';
import { type AddressUsers, createAddressUsers, type SharedAddress, sumOfAddressUsers } from './address-users.js';
import { createCounting } from './create-counting.js';
import { createGathering } from './create-gathering.js';
import { createLatestOnly, type LatestOnly } from './create-latest-only.js';
import { createPacedAnswer } from './create-paced-answer.js';
import { createTrafficCounter } from './create-traffic-counter.js';
import { createTrafficSamples, GONE_AFTER, type TrafficSample } from './create-traffic-samples.js';
import { createHotCallers, type HotCaller, type HotCallers, sumOfHotCallers } from './hot-callers.js';
import { type Asked, type ReportedPart, type SharedParts, shareParts } from './share-parts.js';
import { createStreamAnswers, type ReportedStream, type StreamRequest, sumOfStreamPages } from './stream-page.js';

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
  /**
   * Users of addresses in this process. The code that creates them must notify them of decisions.
   * @default none
   */
  addressUsers?: Pick<AddressUsers, 'read'>;
  /** Returns the open subscriptions and WebSockets of this process. @default none */
  streams?: () => readonly OpenStream[];
  /** Returns the id of this process in the list of instances. @default it is not in the list */
  instance?: () => string | undefined;
}

/** Time of a report, and the number of processes that have responded. */
interface Report {
  time: Date;
  processes: number;
}

/** The callers with the most decisions, over all processes that have responded. */
interface HotCallersReport extends Report {
  callers: HotCaller[];
}

/** The addresses with the most users, over all processes that have responded. */
interface SharedAddressesReport extends Report {
  addresses: SharedAddress[];
}

/** Open subscriptions and WebSockets, over all processes that have responded. */
interface StreamsReport extends Report {
  /** Number of all streams that match, listed or not. */
  count: number;
  streams: ReportedStream[];
  /** Conditions of the request, with the address in its counted form. */
  filter: StreamFilter;
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
  /**
   * Requests the users of addresses from all processes, and waits at most half a second for the
   * reports. Calls within a second share one result.
   */
  sharedAddresses(): Promise<SharedAddressesReport>;
  /**
   * Requests open subscriptions and WebSockets from all processes, and waits at most half a second
   * for the reports.
   */
  openStreams(request: Omit<StreamRequest, 'request'>): Promise<StreamsReport>;
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
 * Minimum time between two requests for the same reports, in milliseconds, regardless of the number
 * of clients.
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
  addressUsers = createAddressUsers(),
  streams,
  instance,
}: LiveTrafficOptions = {}): LiveTraffic {
  const me = randomUUID();
  const counter = createTrafficCounter();
  const counting = createCounting(counter, COUNTS_FOR * everyMs);
  const samples = createTrafficSamples();
  const gathering = createGathering(me);
  let isAskedForAddresses = false;
  const streamAnswers = createStreamAnswers({ streams, instance });
  const answer = createPacedAnswer(everyMs / ANSWERS_PER_SAMPLE, () => {
    const asked = { ...(isAskedForAddresses && { shared: addressUsers.read() }), ...streamAnswers.take() };
    others?.publish({ ...readAll(), ...asked });
    isAskedForAddresses = false;
  });
  const others: SharedParts | undefined =
    redis &&
    shareParts(redis, {
      onAsked(asked) {
        // Only live traffic needs the counts of the next seconds.
        if (asked === undefined) counting.ask();
        else if (asked === 'ADDRESSES') isAskedForAddresses = true;
        else streamAnswers.ask(asked);
        answer.soon();
      },
      onPart: receive,
      me,
    });
  const watchers = new Set<LatestOnly<TrafficSample>>();
  let sampling: NodeJS.Timeout | undefined;

  function readAll(): ReportedPart {
    return { ...counter.read(), hot: hotCallers.read() };
  }

  function receive(process: string, part: ReportedPart): void {
    gathering.receive(process, part);
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

  let gatheringNow = 0;

  async function gather(asked?: Asked): Promise<Report & { parts: ReportedPart[] }> {
    const own: ReportedPart = {
      ...readAll(),
      ...(asked === 'ADDRESSES' && { shared: addressUsers.read() }),
      ...(typeof asked === 'object' && { streams: [streamAnswers.pageOf(asked)] }),
    };
    gatheringNow++;
    const parts = await gathering.gather(own, others, asked);
    if (--gatheringNow === 0 && watchers.size === 0) others?.stopListening();
    return { time: new Date(), processes: parts.length, parts };
  }

  const gatherHotCallers = shared(async (): Promise<HotCallersReport> => {
    const { parts, ...report } = await gather();
    return { ...report, callers: sumOfHotCallers(parts.flatMap(({ hot }) => hot ?? [])) };
  });
  const gatherAddresses = shared(async (): Promise<SharedAddressesReport> => {
    const { parts, ...report } = await gather('ADDRESSES');
    return { ...report, addresses: sumOfAddressUsers(parts.flatMap((part) => part.shared ?? [])) };
  });

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
    hotCallers: gatherHotCallers,
    sharedAddresses: gatherAddresses,
    async openStreams(given) {
      const request = { ...given, request: randomUUID() };
      const { parts, ...report } = await gather(request);
      const pages = parts.flatMap((part) => part.streams?.filter((page) => page.request === request.request) ?? []);
      return { ...report, ...sumOfStreamPages(pages, given.limit), filter: given.filter };
    },
    async close() {
      for (const watcher of watchers) watcher.end();
      answer.close();
      counting.close();
      others?.close();
    },
  };
}

/** Returns a function whose calls within `GATHER_EVERY_MS` share one result. */
function shared<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let latest: { atMs: number; result: Promise<Result> } | undefined;
  return () => {
    const nowMs = performance.now();
    if (latest === undefined || nowMs - latest.atMs >= GATHER_EVERY_MS) latest = { atMs: nowMs, result: make() };
    return latest.result;
  };
}
