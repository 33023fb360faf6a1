import type { RecordedLimit, UsageRecord } from '../../model/usage-record.js';
import { subjectKey, type UsageSubject } from './create-cardinality-bounds.js';

export interface RuleEntry {
  minuteMs: number;
  rule: string;
  requests: number;
  denied: number;
  shadow_denied: number;
  estimated_cost: number;
  actual_cost: number;
  denied_cost: number;
}

export interface ViolationEntry {
  minuteMs: number;
  rule: string;
  subject: UsageSubject;
  denied: number;
  shadow_denied: number;
  denied_cost: number;
}

type LimitedRecord = Pick<UsageRecord, 'limits' | 'denial' | 'deniedBy' | 'estimatedCost'>;

interface RuleCounts {
  /**
   * Counts the results of the limits. Returns true if the operation was admitted, but a shadow rule
   * would have denied it.
   */
  add(record: LimitedRecord, subject: UsageSubject): boolean;
  /** Current number of entries. */
  readonly size: number;
  rules(): RuleEntry[];
  violations(): ViolationEntry[];
}

/** Sums the charges and denials of each rule in one minute, and its denials per caller. */
export function createRuleCounts(minuteMs: number): RuleCounts {
  const rules = new Map<string, RuleEntry>();
  const violations = new Map<string, ViolationEntry>();

  function ruleEntry(rule: string): RuleEntry {
    let entry = rules.get(rule);
    if (entry === undefined) {
      entry = {
        minuteMs,
        rule,
        requests: 0,
        denied: 0,
        shadow_denied: 0,
        estimated_cost: 0,
        actual_cost: 0,
        denied_cost: 0,
      };
      rules.set(rule, entry);
    }
    return entry;
  }

  function addViolation(subject: UsageSubject, rule: string, count: 'denied' | 'shadow_denied', cost: number): void {
    const key = `${rule}\n${subjectKey(subject)}`;
    let entry = violations.get(key);
    if (entry === undefined) {
      entry = { minuteMs, rule, subject, denied: 0, shadow_denied: 0, denied_cost: 0 };
      violations.set(key, entry);
    }
    entry[count]++;
    entry.denied_cost += cost;
  }

  return {
    add({ limits, denial, deniedBy, estimatedCost }, subject) {
      let hasShadow = false;
      for (let index = 0; index < limits.length; index++) {
        const limit = limits[index]!;
        const wouldDeny = limit.wouldDeny && denial === undefined;
        hasShadow ||= wouldDeny;
        if (!isFirstOfRule(limits, index)) continue;
        const rule = ruleEntry(limit.rule);
        rule.requests++;
        if (denial === undefined) {
          rule.estimated_cost += limit.charge;
          rule.actual_cost += limit.actual ?? limit.charge;
        } else rule.denied_cost += limit.charge;
        if (denial === undefined && limits.some((other) => other.wouldDeny && other.rule === limit.rule)) {
          rule.shadow_denied++;
          addViolation(subject, limit.rule, 'shadow_denied', estimatedCost);
        }
      }
      if (denial === undefined || deniedBy === undefined) return hasShadow;
      const denier = ruleEntry(deniedBy);
      // A ceiling of the tier may have denied the operation. A ceiling is not in `limits`.
      if (!limits.some(({ rule }) => rule === deniedBy)) denier.requests++;
      denier.denied++;
      addViolation(subject, deniedBy, 'denied', estimatedCost);
      return hasShadow;
    },
    get size() {
      return rules.size + violations.size;
    },
    rules: () => [...rules.values()],
    violations: () => [...violations.values()],
  };
}

/**
 * Whether the limit is the first one of its rule. A rule with several windows has several limits.
 */
function isFirstOfRule(limits: readonly RecordedLimit[], index: number): boolean {
  const { rule } = limits[index]!;
  for (let earlier = 0; earlier < index; earlier++) if (limits[earlier]!.rule === rule) return false;
  return true;
}
