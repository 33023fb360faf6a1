import { randomUUID } from 'node:crypto';
import { type Db, sqlStateOf } from '../../postgres/db.js';
import { describeRefusal } from '../../postgres/describe-refusal.js';
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
  /** Counts what was stored or dropped. */
  counter: UsageCounter;
  /** Those of a batch that is dropped are forgotten. */
  documents: DeniedDocuments | undefined;
  onStored(): void;
  /** Called when storing fails for the first time, and when it works again. */
  onState(failing: { error: unknown } | undefined): void;
  /** Called for a batch that the database will never take: it was dropped. */
  onRefused(error: unknown): void;
}

interface BatchSender {
  /** Sends the batch that is not known to be stored, else the next; false when that failed and is to be tried again. */
  send(next: () => Omit<UsageBatch, 'sequence'> | undefined): Promise<boolean>;
  /** There is a batch that is not known to be stored. */
  readonly isSending: boolean;
  /** How often sending failed. */
  readonly failures: number;
  readonly failedInARow: number;
  /** Since when and why nothing can be stored; undefined: it can. */
  readonly failing: { sinceMs: number; reason: string } | undefined;
}

/** Stores batches one at a time: each is sent again until the database has it or refuses it, and is counted once. */
export function createBatchSender(options: BatchSenderOptions): BatchSender {
  const { db, now, counter, documents, onStored, onState, onRefused } = options;
  const writerId = randomUUID();
  const names = createNameNumbers(db, now);
  const partitions = createUsagePartitions(db);
  let sequence = 0;
  /** The last batch that the database has confirmed. */
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
      await storeBatch(db, { id: writerId, lastStored }, batch, names);
      lastStored = batch.sequence;
      settle(batch, 'stored');
      onStored();
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
        return send(next);
      }
      // A partition that was dropped meanwhile is the one refusal that can be mended.
      partitions.forget();
      failures++;
      if (isRefusal(error) && failedInARow > 0) {
        settle(batch, 'dropped');
        onRefused(error);
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

function reasonOf(error: unknown): string {
  return describeRefusal(error) ?? (error instanceof Error ? error.message : String(error));
}
