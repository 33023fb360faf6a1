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
  /** How often what was recorded is stored: so much may be lost with a process that is killed. @default 1000 */
  flushMs?: number;
  /** Events that wait to be stored; what comes on top is dropped, and counted. @default 10000 */
  maxEvents?: number;
  /** Decisions that wait to be stored, likewise. @default 10000 */
  maxDecisions?: number;
  /**
   * Denials, shadow denials and degraded admissions kept one by one in a second, on average; 0: none. The totals count them all,
   * and of one caller there are at most a quarter. @default 5
   */
  eventsPerSecond?: number;
  /** Of them, those of one caller by one rule in a minute. @default 10 */
  callerEventsPerMinute?: number;
  /** Decisions logged in a second, on average; 0: none. @default 20 */
  decisionsPerSecond?: number;
  /** Names of operations told apart in one minute. @default 500 */
  maxOperationNames?: number;
  /**
   * Of them, those that this process has not told apart of late, on average: ten times as many at once, and a quarter for one caller.
   * @default 500
   */
  newOperationNamesPerHour?: number;
  /** Addresses of callers without a user or key told apart in one minute. @default 5000 */
  maxAddresses?: number;
  /** Counters held from which on new ones are not told apart. @default 50000 */
  maxEntries?: number;
  /**
   * What denied operations asked for is kept, for the console's *Explain*: the document without the texts and numbers in it, and
   * the sizes of its lists. @default true
   */
  keepDeniedDocuments?: boolean;
  /** How long `close` tries to store what is left. @default 5000 */
  closeTimeoutMs?: number;
  /** Called when storing fails for the first time, and when it works again. */
  onState?: (failing: { error: unknown } | undefined) => void;
  /** Called for a batch that the database will never take: it was dropped. */
  onRefused?: (error: unknown) => void;
  /** Epoch milliseconds. @default Date.now */
  now?: Clock;
}

export interface UsageRecorder {
  /** Takes note of an operation; returns at once, and never throws. */
  record(record: UsageRecord): void;
  numbers(): Record<UsageKind, UsageNumbers>;
  /** Events that were not to be kept, and are not among those seen: there are more of them than are kept one by one. */
  readonly suppressed: Readonly<SuppressedEvents>;
  /** How often storing failed. */
  readonly failures: number;
  /** Since when and why nothing can be stored; undefined: it can. */
  readonly failing: { sinceMs: number; reason: string } | undefined;
  /** Stores what there is now; false when that failed and will be tried again. */
  flush(): Promise<boolean>;
  /** Stores what there is, for as long as `closeTimeoutMs`, and then counts the rest as dropped. */
  close(): Promise<void>;
}

const MAX_BACKOFF_MS = 30_000;
const CLOSE_RETRY_MS = 100;

/**
 * Records usage off the way of requests. A record is only put aside; it is read when the event loop has a moment, added up
 * in memory, and stored in batches, one at a time. A batch is sent again until the database has it or refuses it, and is
 * counted once however often that takes; what is recorded meanwhile waits in memory that is bounded.
 */
export function createUsageRecorder(options: UsageRecorderOptions): UsageRecorder {
  const { db, flushMs = 1_000, maxEvents = 10_000, maxDecisions = 10_000, closeTimeoutMs = 5_000 } = options;
  const { onState = () => {}, onRefused = () => {}, now = Date.now } = options;
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
  const sender = createBatchSender({ db, now, counter, documents, onStored: learnNames, onState, onRefused });
  let flushing: Promise<boolean> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  // What processes before this one have told apart is nothing new: an API of many operations would show them as OTHER for hours.
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

  /** One at a time; who asks while one is under way gets the next. */
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
      // What it produced would else be kept alive until it is read.
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
      // What is on the way may still arrive; no reply will tell.
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
  });
}

/** Each call begins to learn, until that has succeeded once. */
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

/** Twice as long after each failure, and not the same on all instances. */
function backoffMs(failed: number, firstMs: number): number {
  return Math.min(MAX_BACKOFF_MS, firstMs * 2 ** Math.min(failed - 1, 10)) * (0.5 + Math.random() / 2);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timerMs(Math.max(0, ms))));
}
