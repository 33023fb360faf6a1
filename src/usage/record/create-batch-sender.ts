import { randomUUID } from 'node:crypto';
import { type Db, sqlStateOf } from '../../postgres/db.js';
import { describeRejection } from '../../postgres/describe-rejection.js';
import type { Clock } from '../../runtime/clock.js';
import type { DeniedDocuments } from './create-denied-documents.js';
import { createNameNumbers } from './create-name-numbers.js';
import type { UsageCounter } from './create-usage-counter.js';
import { createUsagePartitions, dayOf } from './create-usage-partitions.js';
import { storeBatch, type UsageBatch } from './store-batch.js';
import { UsageWentBack } from './usage-writer.js';

interface BatchSenderOptions {
  db: Db;
  now: Clock;
  /** Region of this process; undefined if it has none. */
  region: string | undefined;
  /** Counter of the rows that were stored or dropped. */
  counter: UsageCounter;
  /** Memory of the denied documents. Those of a dropped batch are marked as not stored. */
  documents: DeniedDocuments | undefined;
  onStored(): void;
  /**
   * Called with the error when storing fails for the first time, and with undefined when it works
   * again.
   */
  onState(failing: { error: unknown } | undefined): void;
  /** Called when a batch is dropped because the database can never store it. */
  onRejected(error: unknown): void;
}

interface BatchSender {
  /**
   * Sends the batch that is not confirmed yet, else the next one. Returns false if that failed and
   * has to be tried again.
   */
  send(next: () => Omit<UsageBatch, 'sequence'> | undefined): Promise<boolean>;
  /** Whether a batch still waits for the confirmation of the database. */
  readonly isSending: boolean;
  /** Number of failed attempts. */
  readonly failures: number;
  readonly failedInARow: number;
  /** Start and reason of the current failures. Undefined if storing works. */
  readonly failing: { sinceMs: number; reason: string } | undefined;
}

/**
 * Creates a sender that stores batches one at a time. It sends each batch again until the database
 * stores it or rejects its data. Each batch is counted once.
 */
export function createBatchSender(options: BatchSenderOptions): BatchSender {
  const { db, now, region, counter, documents, onStored, onState, onRejected } = options;
  const writerId = randomUUID();
  const names = createNameNumbers(db, now);
  const partitions = createUsagePartitions(db);
  let sequence = 0;
  /** Number of the last batch that the database has confirmed. */
  let lastStored = 0;
  let sending: UsageBatch | undefined;
  let failures = 0;
  let failedInARow = 0;
  let failing: BatchSender['failing'];

  const send: BatchSender['send'] = async (next) => {
    const batch = sending ?? withSequence(next());
    if (batch === undefined) return true;
    sending = batch;
    try {
      await partitions.ensureFor(daysOf(batch));
      await storeBatch(db, { id: writerId, lastStored, region }, batch, names);
      lastStored = batch.sequence;
      settle(batch, 'stored');
      onStored();
      if (failedInARow > 0) onState(undefined);
      failedInARow = 0;
      failing = undefined;
      return true;
    } catch (error) {
      if (error instanceof UsageWentBack) {
        // The database was restored, or lost its last changes in a failover. The database may no
        // longer have the cached ids of names, or may have assigned them to other names.
        lastStored = error.lastStored;
        names.forget();
        documents?.forgetAll();
        partitions.forget();
        return send(next);
      }
      // A retry can fix only one kind of rejection: a partition was dropped in the meantime. The
      // next attempt creates it again.
      partitions.forget();
      failures++;
      if (isRejection(error) && failedInARow > 0) {
        settle(batch, 'dropped');
        onRejected(error);
      } else if (failedInARow === 0) onState({ error });
      failedInARow++;
      failing = { sinceMs: failing?.sinceMs ?? now(), reason: reasonOf(error) };
      return false;
    }
  };

  function withSequence(batch: Omit<UsageBatch, 'sequence'> | undefined): UsageBatch | undefined {
    return batch && { sequence: ++sequence, ...batch };
  }

  function settle(batch: UsageBatch, outcome: 'stored' | 'dropped'): void {
    counter.settle(batch, outcome);
    if (outcome === 'dropped') documents?.forget(batch.documents);
    sending = undefined;
  }

  return {
    send,
    get isSending() {
      return sending !== undefined;
    },
    get failures() {
      return failures;
    },
    get failedInARow() {
      return failedInARow;
    },
    get failing() {
      return failing;
    },
  };
}

/** Returns the days of the rows of a batch, counted from 1970-01-01. */
function daysOf({ totals, events, decisions }: UsageBatch): Set<number> {
  const days = new Set<number>();
  for (const { minuteMs } of totals.usage) days.add(dayOf(minuteMs));
  for (const { atMs } of events) days.add(dayOf(atMs));
  for (const { atMs } of decisions) days.add(dayOf(atMs));
  return days;
}

/** Whether the same batch would fail again, because of invalid data or a constraint. */
function isRejection(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && (state.startsWith('22') || state.startsWith('23'));
}

function reasonOf(error: unknown): string {
  return describeRejection(error) ?? (error instanceof Error ? error.message : String(error));
}
