import type { UsageRecord } from '../../model/usage-record.js';
import type { FieldEntry } from './create-field-aggregate.js';
import { createMinuteCounts, type MinuteCounts, type UsageEntry } from './create-minute-counts.js';
import type { RuleEntry, ViolationEntry } from './create-rule-counts.js';
import { createToldApart, type ToldApartOptions } from './create-told-apart.js';

export interface UsageTotals {
  /** Operations that these are the counts of. */
  requests: number;
  usage: readonly UsageEntry[];
  fields: readonly FieldEntry[];
  rules: readonly RuleEntry[];
  violations: readonly ViolationEntry[];
}

interface AggregateOptions extends ToldApartOptions {
  /**
   * Entries held, from which on new callers and operations are not told apart; with twice as many nothing is counted any
   * more. Only a database that is away for long lets them get there.
   */
  maxEntries: number;
}

interface UsageAggregate {
  /** False when there is no room left: the record was not counted. */
  add(record: UsageRecord): boolean;
  /** Entries held now. */
  readonly size: number;
  /** These names of operations are not new. The last of them are kept for longest. */
  knowNames(names: readonly string[]): void;
  /** Hands over what there is, and begins anew. */
  take(): UsageTotals;
}

const MINUTE_MS = 60_000;

/**
 * Adds up what operations cost, in memory. What is told apart is bounded: beyond the bounds callers and operations are
 * counted together, so that the sums stay exact whatever callers send, and however long the database is away.
 */
export function createUsageAggregate({ maxEntries, ...bounds }: AggregateOptions): UsageAggregate {
  const toldApart = createToldApart(bounds);
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
      toldApart.beginMinute(record);
      const minute = minuteOf(record.atMs);
      const sizeBefore = minute.size;
      const subject = toldApart.subjectOf(record.subject);
      const operation = toldApart.operationOf(record);
      minute.add(record, { subject, operation, isFull: size >= maxEntries });
      size += minute.size - sizeBefore;
      requests++;
      return true;
    },

    knowNames: toldApart.knowNames,

    take() {
      const all = [...minutes.values()];
      const totals = {
        requests,
        usage: all.flatMap((minute) => minute.usage()),
        fields: all.flatMap((minute) => minute.fields()),
        rules: all.flatMap((minute) => minute.rules()),
        violations: all.flatMap((minute) => minute.violations()),
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
