import type { UsageRecord } from '../../model/usage-record.js';
import { createMeasuringBudget, decisionOf, type LoggedDecision } from './create-decision-sample.js';
import { type DeniedDocuments, NOT_KEPT } from './create-denied-documents.js';
import type { EventSample } from './create-event-sample.js';
import type { UsageCounter } from './create-usage-counter.js';
import type { UsageBatch } from './store-batch.js';
import { eventsOf, hasEvents, type UsageEvent } from './usage-event.js';

interface PendingRowsOptions {
  /** Counter of the rows, including rows that are dropped because there are too many. */
  counter: UsageCounter;
  /** Memory of the documents of denied operations. Undefined if documents are not stored. */
  documents: DeniedDocuments | undefined;
  eventSample: EventSample;
  maxEvents: number;
  maxDecisions: number;
}

interface PendingRows {
  /** Adds the events of an operation, and its decision if its caller is in the logged share. */
  add(record: UsageRecord, share: number | undefined): void;
  /** Returns the rows and starts again with none. */
  take(): Pick<UsageBatch, 'events' | 'decisions'>;
}

/** Collects the events and decisions that wait to be stored, each as a row of its own. */
export function createPendingRows(options: PendingRowsOptions): PendingRows {
  const { counter, documents, eventSample, maxEvents, maxDecisions } = options;
  const measuring = createMeasuringBudget();
  let events: UsageEvent[] = [];
  let decisions: LoggedDecision[] = [];

  function keptEventsOf(record: UsageRecord): UsageEvent[] {
    const mayKeep = (kind: UsageEvent['kind'], rule?: string) => eventSample.mayKeep(record.subject, kind, rule);
    return eventsOf(record, mayKeep, () => (events.length < maxEvents && documents?.of(record)) || NOT_KEPT);
  }

  function keep<Row>(rows: Row[], kind: 'event' | 'decision', waiting: Row[], most: number): void {
    for (const row of rows) {
      counter.see(kind);
      if (waiting.length < most) waiting.push(row);
      else counter.drop(kind);
    }
  }

  return {
    add(record, share) {
      if (hasEvents(record)) keep(keptEventsOf(record), 'event', events, maxEvents);
      const decision = share === undefined ? undefined : decisionOf(record, share, measuring.allows(record));
      if (decision !== undefined) keep([decision], 'decision', decisions, maxDecisions);
    },
    take() {
      const rows = { events, decisions };
      events = [];
      decisions = [];
      return rows;
    },
  };
}
