import { OTHER_SUBJECT, subjectKey } from './create-cardinality-bounds.js';
import type { UsageEntry } from './create-minute-counts.js';
import { sumsOfOperations } from './sums-of-operations.js';

/**
 * Counts callers with fewer than `least` operations together, as OTHER. The sums of each operation,
 * tier and minute stay exact. A caller with a denied operation keeps its own entries: otherwise
 * reports could not show the callers that a rule denies.
 */
export function joinSmallCallers(entries: readonly UsageEntry[], least: number): readonly UsageEntry[] {
  if (least <= 1) return entries;
  const requests = new Map<string, number>();
  for (const { subject, requests: more, denied, shadow_denied } of entries) {
    const key = subjectKey(subject);
    const isDenied = denied > 0 || shadow_denied > 0;
    requests.set(key, (requests.get(key) ?? 0) + (isDenied ? Number.POSITIVE_INFINITY : more));
  }
  const isSmall = ({ subject }: UsageEntry) => subject.kind === 'OTHER' || requests.get(subjectKey(subject))! < least;
  const joined = sumsOfOperations(entries.filter(isSmall)).map((entry) => ({ ...entry, subject: OTHER_SUBJECT }));
  return [...entries.filter((entry) => !isSmall(entry)), ...joined];
}
