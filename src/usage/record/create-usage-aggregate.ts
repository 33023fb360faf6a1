import type { UsageRecord } from '../../model/usage-record.js';
import { type CardinalityOptions, createCardinalityBounds } from './create-cardinality-bounds.js';
import type { FieldEntry } from './create-field-aggregate.js';
import {
  createMinuteCounts,
  type IntegrationEntry,
  type MinuteCounts,
  type UsageEntry,
} from './create-minute-counts.js';
import type { RuleEntry, ViolationEntry } from './create-rule-counts.js';
import { joinSmallCallers } from './join-small-callers.js';

export interface UsageTotals {
  /** Number of operations in these counts. */
  requests: number;
  usage: readonly UsageEntry[];
  fields: readonly FieldEntry[];
  rules: readonly RuleEntry[];
  violations: readonly ViolationEntry[];
  integrations: readonly IntegrationEntry[];
}

interface AggregateOptions extends CardinalityOptions {
  /**
   * Maximum number of separate entries. Beyond it, new callers and operations are counted together.
   * At twice this number, no further operation is counted, which happens only in a long outage of
   * the database.
   */
  maxEntries: number;
  /**
   * Minimum number of operations in a batch with which a caller is counted separately.
   * @default 1
   */
  minCallerOperations?: number;
}

interface UsageAggregate {
  /** Adds a record. Returns false if there was no room, so that the record was not counted. */
  add(record: UsageRecord): boolean;
  /** Current number of entries. */
  readonly size: number;
  /** Marks names of operations as known. The last names of the list are remembered longest. */
  knowNames(names: readonly string[]): void;
  /** Returns the counts and starts again with none. */
  take(): UsageTotals;
}

const MINUTE_MS = 60_000;

/**
 * Sums the costs of operations in memory. The number of separate entries is bounded: beyond it,
 * callers and operations are counted together. The totals stay exact for any input, until a long
 * outage of the database leads to twice that number of entries. Further operations are then not
 * counted.
 */
export function createUsageAggregate({
  maxEntries,
  minCallerOperations = 1,
  ...bounds
}: AggregateOptions): UsageAggregate {
  const cardinality = createCardinalityBounds(bounds);
  let minutes = new Map<number, MinuteCounts>();
  let size = 0;
  let requests = 0;
  let lastMinuteMs = Number.NaN;
  let last = createMinuteCounts(lastMinuteMs);

  function minuteOf(atMs: number): MinuteCounts {
    const minuteMs = atMs - (atMs % MINUTE_MS);
    if (minuteMs === lastMinuteMs) return last;
    let minute = minutes.get(minuteMs);
    if (minute === undefined) {
      minute = createMinuteCounts(minuteMs);
      minutes.set(minuteMs, minute);
    }
    lastMinuteMs = minuteMs;
    last = minute;
    return minute;
  }

  return {
    add(record) {
      if (size >= 2 * maxEntries) return false;
      cardinality.beginMinute(record);
      const minute = minuteOf(record.atMs);
      const sizeBefore = minute.size;
      const subject = cardinality.subjectOf(record.subject);
      const operation = cardinality.operationOf(record);
      minute.add(record, { subject, operation, isFull: size >= maxEntries });
      size += minute.size - sizeBefore;
      requests++;
      return true;
    },

    knowNames: cardinality.knowNames,

    take() {
      const all = [...minutes.values()];
      const totals = {
        requests,
        usage: joinSmallCallers(
          all.flatMap((minute) => minute.usage()),
          minCallerOperations,
        ),
        fields: all.flatMap((minute) => minute.fields()),
        rules: all.flatMap((minute) => minute.rules()),
        violations: all.flatMap((minute) => minute.violations()),
        integrations: all.flatMap((minute) => minute.integrations()),
      };
      minutes = new Map();
      lastMinuteMs = Number.NaN;
      size = 0;
      requests = 0;
      return totals;
    },
    get size() {
      return size;
    },
  };
}
