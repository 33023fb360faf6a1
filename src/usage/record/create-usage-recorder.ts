import type { UsageRecord } from '../../model/usage-record.js';
import type { Db } from '../../postgres/db.js';
import type { Clock } from '../../runtime/clock.js';
import { timerMs } from '../../runtime/schedule.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { createBatchSender } from './create-batch-sender.js';
import { createDecisionSample } from './create-decision-sample.js';
import { createDeniedDocuments } from './create-denied-documents.js';
import { createEventSample, type SuppressedEvents } from './create-event-sample.js';
import { storedOperationNames } from './create-name-numbers.js';
import { MAX_KNOWN_NAMES } from './create-new-names.js';
import { createPendingRows } from './create-pending-rows.js';
import { createUnreadRecords, type SampledRecord } from './create-unread-records.js';
import { createUsageAggregate } from './create-usage-aggregate.js';
import { createUsageCounter, type UsageKind, type UsageNumbers } from './create-usage-counter.js';
import type { UsageBatch } from './store-batch.js';

export interface UsageRecorderOptions {
  db: Db;
  /**
   * Interval of storing, in milliseconds. A process that is killed loses the usage of about one
   * interval, or more if the database was unavailable.
   * @default 1000
   */
  flushMs?: number;
  /**
   * Maximum number of events that wait to be stored. Further events are dropped and counted.
   * @default 10000
   */
  maxEvents?: number;
  /**
   * Maximum number of decisions that wait to be stored. Further decisions are dropped and counted.
   * @default 10000
   */
  maxDecisions?: number;
  /**
   * Average number of denials, shadow denials and degraded admissions per second that are kept
   * individually. 0 disables this. One caller may use at most a quarter of this number. The totals
   * also count those that are not kept.
   * @default 5
   */
  eventsPerSecond?: number;
  /**
   * Maximum number of denials, shadow denials and degraded admissions that are kept for one caller,
   * rule and kind per minute.
   * @default 10
   */
  callerEventsPerMinute?: number;
  /** Average number of decisions that are logged per second. 0 disables the log. @default 20 */
  decisionsPerSecond?: number;
  /** Maximum number of operation names that are counted separately per minute. @default 500 */
  maxOperationNames?: number;
  /**
   * Average number of new operation names per hour that are counted separately. Up to ten times as
   * many are allowed within a short time. One caller may use at most a quarter of these names.
   * @default 500
   */
  newOperationNamesPerHour?: number;
  /**
   * Maximum number of addresses per minute that are counted separately, for callers without a user
   * or API key. @default 5000
   */
  maxAddresses?: number;
  /**
   * Maximum number of separate counters. Beyond it, new callers and operations are counted
   * together. @default 50000
   */
  maxEntries?: number;
  /**
   * Minimum number of operations within `flushMs` with which a caller is counted separately. Callers
   * with fewer operations are counted together, unless an operation of theirs was denied. The sums
   * of operations, fields and rules stay exact. Use it only if you do not bill by recorded usage.
   * @default 1
   */
  minCallerOperations?: number;
  /**
   * Whether to keep the documents of denied operations, for the console's *Explain*. The document
   * is kept without its string and number literals, together with the sizes of its lists.
   * @default true
   */
  keepDeniedDocuments?: boolean;
  /**
   * Maximum time for which `close` tries to store the remaining usage, in milliseconds.
   * @default 5000
   */
  closeTimeoutMs?: number;
  /**
   * Called with the error when storing fails for the first time, and with undefined when it works
   * again.
   */
  onState?: (failing: { error: unknown } | undefined) => void;
  /** Called when a batch is dropped because the database can never store it. */
  onRejected?: (error: unknown) => void;
  /** Region of this process, by which usage is counted too. @default none */
  region?: string | undefined;
  /** Clock, in epoch milliseconds. @default Date.now */
  now?: Clock;
}

export interface UsageRecorder {
  /** Records an operation. Returns immediately and never throws. */
  record(record: UsageRecord): void;
  numbers(): Record<UsageKind, UsageNumbers>;
  /**
   * Numbers of events that exceed the limits for individual events. They are not included in the
   * number of seen events.
   */
  readonly suppressed: Readonly<SuppressedEvents>;
  /** Number of failed attempts to store. */
  readonly failures: number;
  /** Start and reason of the current failures. Undefined if storing works. */
  readonly failing: { sinceMs: number; reason: string } | undefined;
  /** Stores everything recorded so far. Returns false if that failed and will be tried again. */
  flush(): Promise<boolean>;
  /**
   * Tries to store the remaining usage for at most `closeTimeoutMs`, then counts the rest as
   * dropped.
   */
  close(): Promise<void>;
}

const MAX_BACKOFF_MS = 30_000;
const CLOSE_RETRY_MS = 100;

/**
 * Creates a recorder that works outside of the path of requests. A record is only queued. The
 * recorder reads the queue a little later, sums the records in memory, and stores them in batches,
 * one at a time.
 *
 * A batch is sent again until the database stores it or rejects its data, and is counted once
 * regardless of the attempts. Meanwhile, new records wait in bounded memory.
 */
export function createUsageRecorder(options: UsageRecorderOptions): UsageRecorder {
  const { db, flushMs = 1_000, maxEvents = 10_000, maxDecisions = 10_000, closeTimeoutMs = 5_000 } = options;
  const { onState = () => {}, onRejected = () => {}, now = Date.now, region } = options;
  const counter = createUsageCounter();
  const documents = (options.keepDeniedDocuments ?? true) ? createDeniedDocuments() : undefined;
  const sample = createDecisionSample(options.decisionsPerSecond ?? 20);
  const eventSample = createEventSample({
    perSecond: options.eventsPerSecond ?? 5,
    ofCallerPerMinute: options.callerEventsPerMinute ?? 10,
    now,
  });
  const aggregate = aggregateFor(options);
  const rows = createPendingRows({ counter, documents, eventSample, maxEvents, maxDecisions });
  const unread = createUnreadRecords(readAll);
  const learnNames = learnOnce(() => storedOperationNames(db, MAX_KNOWN_NAMES).then(aggregate.knowNames));
  const sender = createBatchSender({ db, now, region, counter, documents, onStored: learnNames, onState, onRejected });
  let flushing: Promise<boolean> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  // Operation names that earlier processes counted separately are not new. Otherwise an API with
  // many operations would show them as OTHER for hours.
  learnNames();

  function readAll(records: readonly SampledRecord[]): void {
    for (const { record, share } of records) {
      if (aggregate.add(record)) rows.add(record, share);
      else counter.drop('request');
    }
    if (records.length > 0) schedule(flushMs);
  }

  function schedule(inMs: number): void {
    if (timer !== undefined || flushing !== undefined || isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      void flush();
    }, timerMs(inMs));
    timer.unref();
  }

  /** Flushes one at a time. A call during a flush waits for it and then flushes again. */
  async function flush(): Promise<boolean> {
    while (flushing !== undefined) await flushing;
    unread.read();
    clearTimeout(timer);
    timer = undefined;
    flushing = sender.send(nextBatch).finally(() => {
      flushing = undefined;
      if (sender.isSending) schedule(backoffMs(sender.failedInARow, flushMs));
      else if (aggregate.size > 0) schedule(flushMs);
    });
    return flushing;
  }

  function nextBatch(): Omit<UsageBatch, 'sequence'> | undefined {
    if (aggregate.size === 0) return undefined;
    return { totals: aggregate.take(), ...rows.take(), documents: documents?.take() ?? [] };
  }

  return {
    record(record) {
      counter.see('request');
      if (isClosed) {
        counter.drop('request');
        return;
      }
      const share = sample.shareFor(record);
      // The decision is not logged, so the record does not need its response. Otherwise the record
      // would keep the response in memory until the record is read.
      if (share === undefined) record.forgetResponse?.();
      unread.put({ record, share });
    },
    flush,
    suppressed: eventSample.suppressed,
    numbers: counter.numbers,
    async close() {
      if (isClosed) return;
      const giveUpAtMs = performance.now() + closeTimeoutMs;
      const isEmpty = () => unread.isEmpty && !sender.isSending && aggregate.size === 0;
      while (!isEmpty() && performance.now() < giveUpAtMs) {
        const isStored = await withTimeout(flush(), giveUpAtMs - performance.now(), () => false);
        if (!isStored && !isEmpty()) await pause(Math.min(CLOSE_RETRY_MS, giveUpAtMs - performance.now()));
      }
      isClosed = true;
      clearTimeout(timer);
      // A batch in flight may still be stored, but no reply will confirm it.
      counter.dropRest();
    },
    get failures() {
      return sender.failures;
    },
    get failing() {
      return sender.failing;
    },
  };
}

function aggregateFor(options: UsageRecorderOptions) {
  return createUsageAggregate({
    maxOperationNames: options.maxOperationNames ?? 500,
    newOperationNamesPerHour: options.newOperationNamesPerHour ?? 500,
    maxAddresses: options.maxAddresses ?? 5_000,
    maxEntries: options.maxEntries ?? 50_000,
    minCallerOperations: options.minCallerOperations ?? 1,
  });
}

/** Returns a function that calls `learn` each time, until `learn` has succeeded once. */
function learnOnce(learn: () => Promise<void>): () => void {
  let isLearnt = false;
  return () => {
    if (isLearnt) return;
    isLearnt = true;
    learn().catch(() => {
      isLearnt = false;
    });
  };
}

/**
 * Returns the backoff in milliseconds. It doubles with each failure. The jitter prevents several
 * instances from retrying at the same time.
 */
function backoffMs(failed: number, firstMs: number): number {
  return Math.min(MAX_BACKOFF_MS, firstMs * 2 ** Math.min(failed - 1, 10)) * (0.5 + Math.random() / 2);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timerMs(Math.max(0, ms))));
}
