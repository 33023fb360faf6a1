import type { UsageRecord } from '../../model/usage-record.js';
import { keptName } from '../../runtime/stored-text.js';
import {
  OTHER_OPERATION,
  OTHER_SUBJECT,
  subjectKey,
  type UsageOperation,
  type UsageSubject,
} from './create-cardinality-bounds.js';
import { createFieldAggregate, type FieldEntry } from './create-field-aggregate.js';
import { createRuleCounts, type RuleEntry, type ViolationEntry } from './create-rule-counts.js';
import type { UsageCounts } from './usage-levels.js';

/** Counts of one minute, caller, operation and tier. */
export interface UsageEntry extends UsageCounts {
  minuteMs: number;
  subject: UsageSubject;
  operation: UsageOperation;
  tier: string;
}

/** Counts of one minute and one integration of the decision service. */
export interface IntegrationEntry extends UsageCounts {
  minuteMs: number;
  integration: string;
}

interface CountedAs {
  subject: UsageSubject;
  operation: UsageOperation;
  /**
   * Whether there is no room for further entries. A combination of caller and operation without an
   * entry is then counted as OTHER.
   */
  isFull: boolean;
}

export interface MinuteCounts {
  add(record: UsageRecord, as: CountedAs): void;
  /** Current number of entries. */
  readonly size: number;
  usage(): UsageEntry[];
  fields(): FieldEntry[];
  rules(): RuleEntry[];
  violations(): ViolationEntry[];
  integrations(): IntegrationEntry[];
}

/** Sums the operations of one minute. */
export function createMinuteCounts(minuteMs: number): MinuteCounts {
  const usage = new Map<string, UsageEntry>();
  const fields = createFieldAggregate(minuteMs);
  const rules = createRuleCounts(minuteMs);
  const integrations = new Map<string, IntegrationEntry>();
  let fieldEntries = 0;

  function usageEntry(tier: string, { subject, operation, isFull }: CountedAs): UsageEntry {
    const key = usageKey(subject, operation, tier);
    const known = usage.get(key);
    if (known !== undefined) return known;
    if (isFull) return usageEntry(tier, { subject: OTHER_SUBJECT, operation: OTHER_OPERATION, isFull: false });
    const entry = {
      minuteMs,
      subject,
      operation: { ...operation, name: keptName(operation.name) },
      tier,
      ...NO_COUNTS,
    };
    usage.set(key, entry);
    return entry;
  }

  function integrationEntry(integration: string): IntegrationEntry {
    let entry = integrations.get(integration);
    if (entry === undefined) {
      entry = { minuteMs, integration, ...NO_COUNTS };
      integrations.set(integration, entry);
    }
    return entry;
  }

  return {
    add(record, as) {
      const entry = usageEntry(record.tier, as);
      const isShadowDenied = rules.add(record, entry.subject);
      count(entry, record, isShadowDenied);
      if (record.askedBy) count(integrationEntry(record.askedBy.integration), record, isShadowDenied);
      fieldEntries += fields.add(record);
    },
    get size() {
      return usage.size + rules.size + integrations.size + fieldEntries;
    },
    usage: () => [...usage.values()],
    fields: fields.entries,
    rules: rules.rules,
    violations: rules.violations,
    integrations: () => [...integrations.values()],
  };
}

function count(entry: UsageCounts, record: UsageRecord, isShadowDenied: boolean): void {
  const { denial, estimatedCost, actualCost = estimatedCost } = record;
  entry.requests++;
  if (record.degraded) entry.degraded++;
  if (isShadowDenied) entry.shadow_denied++;
  if (denial === undefined) {
    entry.estimated_cost += estimatedCost;
    entry.actual_cost += actualCost;
  } else {
    entry.denied++;
    entry.denied_cost += estimatedCost;
  }
}

const NO_COUNTS: UsageCounts = {
  requests: 0,
  denied: 0,
  shadow_denied: 0,
  degraded: 0,
  estimated_cost: 0,
  actual_cost: 0,
  denied_cost: 0,
};

/**
 * Returns the key of an entry. It contains lengths to be unambiguous: names may contain the
 * separator.
 */
function usageKey(subject: UsageSubject, { type, name }: UsageOperation, tier: string): string {
  return `${tier}\n${type}\n${name.length}\n${name}${subjectKey(subject)}`;
}
