import { randomUUID } from 'node:crypto';
import type { UsageRecord } from '../../model/usage-record.js';
import { type Db, sqlStateOf } from '../../postgres/db.js';
import { describeRefusal } from '../../postgres/describe-refusal.js';
import type { Clock } from '../../runtime/clock.js';
import { timerMs } from '../../runtime/schedule.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import { createDeniedDocuments, NOT_KEPT } from './create-denied-documents.js';
import { createEventSample, type SuppressedEvents } from './create-event-sample.js';
import { createNameNumbers, storedOperationNames } from './create-name-numbers.js';
import { MAX_KNOWN_NAMES } from './create-new-names.js';
import { createUsageAggregate } from './create-usage-aggregate.js';
import { createUsagePartitions, dayOf } from './create-usage-partitions.js';
import { createDecisionSample, createMeasuringBudget, decisionOf, type LoggedDecision } from './log-decisions.js';
import { eventsOf, hasEvents, type UsageEvent } from './log-events.js';
import { storeBatch, type UsageBatch } from './store-batch.js';
import { UsageWentBack } from './usage-writer.js';

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

export type UsageKind = 'request' | 'event' | 'decision';

/** Since the process started: seen = stored + dropped + waiting, exactly. */
export interface UsageNumbers {
  seen: number;
  stored: number;
  dropped: number;
  /** In memory, or on the way. */
  waiting: number;
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

interface SampledRecord {
  record: UsageRecord;
  /** The share of callers whose decisions are logged, where this one's are. */
  share: number | undefined;
}

const KINDS = ['request', 'event', 'decision'] as const;
/** So many records are read at once, or what came in so long: not one between every two requests. */
const READ_AT_ONCE = 32;
const READ_AFTER_MS = 20;
/** As many are read at once even where answers wait for it. */
const MAX_UNREAD = 1_000;
const MAX_BACKOFF_MS = 30_000;

/**
 * Records usage off the way of requests. A record is only put aside; it is read when the event loop has a moment, added up
 * in memory, and stored in batches, one at a time. A batch is sent again until the database has it or refuses it, and is
 * counted once however often that takes; what is recorded meanwhile waits in memory that is bounded.
 */
export function createUsageRecorder(options: UsageRecorderOptions): UsageRecorder {
  const { db, flushMs = 1_000, maxEvents = 10_000, maxDecisions = 10_000, closeTimeoutMs = 5_000 } = options;
  const { onState = () => {}, onRefused = () => {}, now = Date.now } = options;
  const writerId = randomUUID();
  const names = createNameNumbers(db, now);
  const partitions = createUsagePartitions(db);
  const documents = (options.keepDeniedDocuments ?? true) ? createDeniedDocuments() : undefined;
  const measuring = createMeasuringBudget();
  const sample = createDecisionSample(options.decisionsPerSecond ?? 20);
  const eventSample = createEventSample({
    perSecond: options.eventsPerSecond ?? 5,
    ofCallerPerMinute: options.callerEventsPerMinute ?? 10,
    now,
  });
  const aggregate = createUsageAggregate({
    maxOperationNames: options.maxOperationNames ?? 500,
    newOperationNamesPerHour: options.newOperationNamesPerHour ?? 500,
    maxAddresses: options.maxAddresses ?? 5_000,
    maxEntries: options.maxEntries ?? 50_000,
  });
  const counts = {
    request: { seen: 0, stored: 0, dropped: 0 },
    event: { seen: 0, stored: 0, dropped: 0 },
    decision: { seen: 0, stored: 0, dropped: 0 },
  };
  let unread: SampledRecord[] = [];
  let readTimer: NodeJS.Timeout | undefined;
  let events: UsageEvent[] = [];
  let decisions: LoggedDecision[] = [];
  let sequence = 0;
  /** The last batch that the database has confirmed. */
  let lastStored = 0;
  /** The batch that is not known to be stored. */
  let sending: UsageBatch | undefined;
  let flushing: Promise<boolean> | undefined;
  let failures = 0;
  let failedInARow = 0;
  let failing: UsageRecorder['failing'];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  let areNamesKnown = false;

  /** What processes before this one have told apart is nothing new: an API of many operations would show them as OTHER for hours. */
  function learnNames(): void {
    areNamesKnown = true;
    storedOperationNames(db, MAX_KNOWN_NAMES).then(aggregate.knowNames, () => {
      areNamesKnown = false;
    });
  }
  learnNames();

  function record(one: UsageRecord): void {
    counts.request.seen++;
    if (isClosed) {
      counts.request.dropped++;
      return;
    }
    const share = sample.shareFor(one);
    // What it produced would else be kept alive until it is read.
    if (share === undefined) one.forgetResponse?.();
    unread.push({ record: one, share });
    // Not now: the answer of this operation is about to be written.
    if (unread.length === 1) readTimer ??= setTimeout(read, READ_AFTER_MS).unref();
    else if (unread.length === READ_AT_ONCE) setImmediate(read);
    else if (unread.length >= MAX_UNREAD) read();
  }

  function read(): void {
    clearTimeout(readTimer);
    readTimer = undefined;
    const records = unread;
    unread = [];
    for (const { record: one, share } of records) {
      if (!aggregate.add(one)) {
        counts.request.dropped++;
        continue;
      }
      if (hasEvents(one)) keep(keptEventsOf(one), 'event', events, maxEvents);
      const decision = share === undefined ? undefined : decisionOf(one, share, measuring.allows(one));
      if (decision !== undefined) keep([decision], 'decision', decisions, maxDecisions);
    }
    if (records.length > 0) schedule(flushMs);
  }

  function keptEventsOf(one: UsageRecord): UsageEvent[] {
    const mayKeep = (kind: UsageEvent['kind'], rule?: string) => eventSample.mayKeep(one.subject, kind, rule);
    return eventsOf(one, mayKeep, () => (events.length < maxEvents && documents?.of(one)) || NOT_KEPT);
  }

  function keep<Row>(rows: Row[], kind: 'event' | 'decision', waiting: Row[], most: number): void {
    for (const row of rows) {
      counts[kind].seen++;
      if (waiting.length < most) waiting.push(row);
      else counts[kind].dropped++;
    }
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
    read();
    clearTimeout(timer);
    timer = undefined;
    flushing = send().finally(() => {
      flushing = undefined;
      if (sending !== undefined) schedule(backoffMs(failedInARow, flushMs));
      else if (aggregate.size > 0) schedule(flushMs);
    });
    return flushing;
  }

  async function send(): Promise<boolean> {
    sending ??= nextBatch();
    if (sending === undefined) return true;
    try {
      await partitions.ensureFor(daysOf(sending));
      await storeBatch(db, { id: writerId, lastStored }, sending, names);
      lastStored = sending.sequence;
      settle('stored');
      if (!areNamesKnown) learnNames();
      if (failedInARow > 0) onState(undefined);
      failedInARow = 0;
      failing = undefined;
      return true;
    } catch (error) {
      if (error instanceof UsageWentBack) {
        // It was restored, or lost its last changes in a failover: usage would be stored under numbers that are nobody's, or those of others.
        lastStored = error.lastStored;
        names.forget();
        documents?.forgetAll();
        partitions.forget();
        return send();
      }
      // A partition that was dropped meanwhile is the one refusal that can be mended.
      partitions.forget();
      failures++;
      if (isRefusal(error) && failedInARow > 0) {
        settle('dropped');
        onRefused(error);
      } else if (failedInARow === 0) onState({ error });
      failedInARow++;
      failing = { sinceMs: failing?.sinceMs ?? now(), reason: reasonOf(error) };
      return false;
    }
  }

  function nextBatch(): UsageBatch | undefined {
    if (aggregate.size === 0) return undefined;
    const batch = {
      sequence: ++sequence,
      totals: aggregate.take(),
      events,
      decisions,
      documents: documents?.take() ?? [],
    };
    events = [];
    decisions = [];
    return batch;
  }

  function settle(outcome: 'stored' | 'dropped'): void {
    for (const kind of KINDS) counts[kind][outcome] += sizeOf(sending, kind);
    if (outcome === 'dropped' && sending) documents?.forget(sending.documents);
    sending = undefined;
  }

  return {
    record,
    flush,
    suppressed: eventSample.suppressed,
    numbers() {
      const numbersOf = (kind: UsageKind): UsageNumbers => {
        const { seen, stored, dropped } = counts[kind];
        return { seen, stored, dropped, waiting: seen - stored - dropped };
      };
      return { request: numbersOf('request'), event: numbersOf('event'), decision: numbersOf('decision') };
    },
    async close() {
      if (isClosed) return;
      const giveUpAtMs = performance.now() + closeTimeoutMs;
      const isEmpty = () => unread.length === 0 && sending === undefined && aggregate.size === 0;
      while (!isEmpty() && performance.now() < giveUpAtMs) {
        const isStored = await withTimeout(flush(), giveUpAtMs - performance.now(), () => false);
        if (!isStored && !isEmpty()) await pause(Math.min(CLOSE_RETRY_MS, giveUpAtMs - performance.now()));
      }
      isClosed = true;
      clearTimeout(timer);
      // What is on the way may still arrive; no reply will tell.
      for (const kind of KINDS) counts[kind].dropped = counts[kind].seen - counts[kind].stored;
    },
    get failures() {
      return failures;
    },
    get failing() {
      return failing;
    },
  };
}

const CLOSE_RETRY_MS = 100;

function sizeOf(batch: UsageBatch | undefined, kind: UsageKind): number {
  if (batch === undefined) return 0;
  if (kind === 'request') return batch.totals.requests;
  return (kind === 'event' ? batch.events : batch.decisions).length;
}

/** The days that the rows of a batch are of, counted from the first of 1970. */
function daysOf({ totals, events, decisions }: UsageBatch): Set<number> {
  const days = new Set<number>();
  for (const { minuteMs } of totals.usage) days.add(dayOf(minuteMs));
  for (const { atMs } of events) days.add(dayOf(atMs));
  for (const { atMs } of decisions) days.add(dayOf(atMs));
  return days;
}

/** Whether sending the same again would fail again: bad data, or a constraint. */
function isRefusal(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && (state.startsWith('22') || state.startsWith('23'));
}

/** Twice as long after each failure, and not the same on all instances. */
function backoffMs(failed: number, firstMs: number): number {
  return Math.min(MAX_BACKOFF_MS, firstMs * 2 ** Math.min(failed - 1, 10)) * (0.5 + Math.random() / 2);
}

/** False when it takes longer. */
function reasonOf(error: unknown): string {
  return describeRefusal(error) ?? (error instanceof Error ? error.message : String(error));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timerMs(Math.max(0, ms))));
}
