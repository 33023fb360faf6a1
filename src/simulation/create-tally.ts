import { principalKind, principalOf, type Subject } from '../model/subject.js';
import type { RecordedDecision, ReplayedVerdict } from './recorded-decision.js';

/** Numbers of replayed decisions. `cost` is their estimated cost. */
interface SimulationCounts {
  decisions: number;
  cost: number;
  /** Number of decisions that the draft denied, alone or with other rules. */
  denied: number;
  deniedCost: number;
  /**
   * Number of decisions that were admitted without the draft and denied with it, by any rule. The
   * draft also affects other rules, because operations that it denies leave room in their limits.
   */
  newlyDenied: number;
  newlyDeniedCost: number;
}

interface SimulatedSubject extends SimulationCounts {
  kind: 'USER' | 'API_KEY' | 'IP';
  name: string;
  tenant: string | undefined;
}

interface SimulatedOperation extends SimulationCounts {
  type: RecordedDecision['operationType'];
  name: string | undefined;
}

interface SimulatedRegion extends SimulationCounts {
  region: string;
}

export interface SimulationResult extends SimulationCounts {
  /** Number of decisions that were denied originally. */
  recordedDenied: number;
  /**
   * Number of decisions that the replay without the draft denied, by any limit. `deniedAfter` is
   * the number with the draft.
   */
  deniedBefore: number;
  deniedAfter: number;
  /**
   * Number of decisions that were denied without the draft and admitted with it, for example
   * because the draft replaces a stricter rule.
   */
  newlyAdmitted: number;
  /** Number of decisions with a longer delay than without the draft. */
  delayed: number;
  /**
   * Share of callers whose decisions were recorded: the smallest in the range. 1 means all callers.
   */
  sampled: number;
  /** Numbers by subject, most denied first. */
  subjects: SimulatedSubject[];
  operations: SimulatedOperation[];
  /** Numbers by region, most denied first. Empty if this process has no region. */
  regions: SimulatedRegion[];
}

/**
 * Creates a tally of a simulation. Its memory is bounded by the number of decisions, which the
 * request of the simulation limits.
 */
export function createTally() {
  const totals = emptyCounts();
  const others = { recordedDenied: 0, deniedBefore: 0, deniedAfter: 0, newlyAdmitted: 0, delayed: 0, sampled: 1 };
  const subjects = new Map<string, SimulatedSubject>();
  const operations = new Map<string, SimulatedOperation>();
  const regions = new Map<string, SimulatedRegion>();

  return {
    /**
     * Adds a decision. `was` is its verdict without the draft, and `is` its verdict with it.
     * @param region region in which it was replayed; undefined without regions
     */
    add(decision: RecordedDecision, was: ReplayedVerdict, is: ReplayedVerdict, region?: string): void {
      const { operationType: type, operationName: name, estimatedCost } = decision;
      const who = nameOf(decision.subject);
      const subject = counted(subjects, JSON.stringify(who), who);
      const operation = counted(operations, `${type} ${name ?? ''}`, { type, name });
      const isNew = was.admitted && !is.admitted;
      const ofRegion = region === undefined ? [] : [counted(regions, region, { region })];
      for (const counts of [totals, subject, operation, ...ofRegion]) {
        counts.decisions++;
        counts.cost += estimatedCost;
        if (is.deniedByRule) {
          counts.denied++;
          counts.deniedCost += estimatedCost;
        }
        if (isNew) {
          counts.newlyDenied++;
          counts.newlyDeniedCost += estimatedCost;
        }
      }
      if (decision.denied) others.recordedDenied++;
      if (!was.admitted) others.deniedBefore++;
      if (!is.admitted) others.deniedAfter++;
      if (!was.admitted && is.admitted) others.newlyAdmitted++;
      if (is.delayMs > was.delayMs) others.delayed++;
      others.sampled = Math.min(others.sampled, decision.sampled);
    },
    result: (): SimulationResult => ({
      ...totals,
      ...others,
      subjects: [...subjects.values()].sort(mostDeniedFirst),
      operations: [...operations.values()].sort(mostDeniedFirst),
      regions: [...regions.values()].sort(mostDeniedFirst),
    }),
  };
}

function counted<Key extends object>(all: Map<string, Key & SimulationCounts>, key: string, what: Key) {
  const counts = all.get(key) ?? { ...what, ...emptyCounts() };
  all.set(key, counts);
  return counts;
}

function emptyCounts(): SimulationCounts {
  return { decisions: 0, cost: 0, denied: 0, deniedCost: 0, newlyDenied: 0, newlyDeniedCost: 0 };
}

function mostDeniedFirst(a: SimulationCounts, b: SimulationCounts): number {
  return b.denied - a.denied || b.deniedCost - a.deniedCost || b.decisions - a.decisions;
}

function nameOf(subject: Subject): Pick<SimulatedSubject, 'kind' | 'name' | 'tenant'> {
  return { kind: principalKind(subject), name: principalOf(subject), tenant: subject.tenant };
}
