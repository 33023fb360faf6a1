import type { UsageEntry } from './create-minute-counts.js';
import type { UsageCounts } from './usage-levels.js';

/** Counts of one minute, operation and tier, over all callers. */
export type OperationEntry = Omit<UsageEntry, 'subject'>;

/** Counts of one minute, over all callers, operations and tiers. */
export type MinuteEntry = Omit<OperationEntry, 'operation' | 'tier'>;

/** Sums the entries of all callers of an operation. */
export function sumsOfOperations(entries: readonly UsageEntry[]): OperationEntry[] {
  const operations = entries.map(({ subject: _subject, ...entry }) => entry);
  return sumsBy(
    operations,
    ({ minuteMs, operation: { type, name }, tier }) => `${minuteMs}\n${type}\n${tier}\n${name}`,
  );
}

/** Sums the entries of all operations of a minute. */
export function sumsOfMinutes(entries: readonly OperationEntry[]): MinuteEntry[] {
  const minutes = entries.map(({ operation: _operation, tier: _tier, ...entry }) => entry);
  return sumsBy(minutes, ({ minuteMs }) => String(minuteMs));
}

/** Sums the entries with equal keys into the first of them. */
function sumsBy<Entry extends UsageCounts>(entries: readonly Entry[], keyOf: (entry: Entry) => string): Entry[] {
  const sums = new Map<string, Entry>();
  for (const entry of entries) {
    const key = keyOf(entry);
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
