import type { UsageEntry } from './create-minute-counts.js';
import type { UsageCounts } from './usage-levels.js';

/** Counts of one minute, operation and tier, over all callers. */
export type OperationEntry = Omit<UsageEntry, 'subject'>;

/** Sums the entries of all callers of an operation. */
export function sumsOfOperations(entries: readonly UsageEntry[]): OperationEntry[] {
  const sums = new Map<string, OperationEntry>();
  for (const { subject: _subject, ...entry } of entries) {
    const { minuteMs, operation, tier } = entry;
    const key = `${minuteMs}\n${operation.type}\n${tier}\n${operation.name}`;
    const sum = sums.get(key);
    if (sum === undefined) sums.set(key, entry);
    else addCounts(sum, entry);
  }
  return [...sums.values()];
}

function addCounts(to: UsageCounts, counts: UsageCounts): void {
  to.requests += counts.requests;
  to.denied += counts.denied;
  to.shadow_denied += counts.shadow_denied;
  to.degraded += counts.degraded;
  to.estimated_cost += counts.estimated_cost;
  to.actual_cost += counts.actual_cost;
  to.denied_cost += counts.denied_cost;
}
