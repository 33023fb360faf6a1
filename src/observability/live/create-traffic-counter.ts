import type { DecisionRecord, OperationObserver } from '../../model/decision-record.js';
import type { Subject } from '../../model/subject.js';
import { monotonicClock } from '../../runtime/clock.js';
import { boundedCallerKey, type NamedCaller, namedCaller } from './named-caller.js';

/** Numbers of decisions and the cost, as totals or over a period. */
export interface TrafficNumbers {
  admitted: number;
  throttled: number;
  maxCostExceeded: number;
  unavailable: number;
  /** Number of these decisions that were made without Redis. */
  degraded: number;
  /** Tokens spent. */
  cost: number;
}

/** The activity of a caller in the last ten seconds. */
export interface BusySubject extends NamedCaller {
  decisions: number;
  denied: number;
  cost: number;
}

/** Totals of the decisions for which one integration of the decision service asked. */
export interface IntegrationTraffic {
  integration: string;
  decisions: number;
  denied: number;
  cost: number;
}

/** The report of one process. */
export interface TrafficPart {
  /** Totals since the start. If a report is lost, the next one includes its numbers. */
  totals: TrafficNumbers;
  /** Callers with the highest cost in the last ten seconds, ties by number of decisions. */
  subjects: BusySubject[];
  /**
   * Part of the totals that other servers asked for, by integration. Undefined if the version of the
   * process does not count it.
   */
  integrations?: IntegrationTraffic[] | undefined;
}

export interface TrafficCounter extends Required<Pick<OperationObserver, 'onDecision' | 'onSettled'>> {
  /** Starts counting. While it is stopped, the counter uses almost no processor time. */
  start(): void;
  stop(): void;
  read(): TrafficPart;
}

/**
 * Time over which callers are observed. With one second, a caller with a request every other second
 * would appear and disappear in the list.
 */
export const REMEMBERED_MS = 10_000;
/**
 * Length of one step, in milliseconds. Numbers older than `REMEMBERED_MS` are dropped in whole
 * steps.
 */
const PERIOD_MS = 1000;
/** Maximum number of callers per step. Further callers are included only in the totals. */
const MAX_SUBJECTS = 1000;
/** Maximum length of the list of callers. */
export const MAX_BUSY_SUBJECTS = 50;

interface Period {
  startedMs: number;
  bySubject: Map<string, BusySubject>;
}

/**
 * Creates the counter of the traffic of this process. It counts only between `start` and `stop`.
 */
export function createTrafficCounter({ now = monotonicClock } = {}): TrafficCounter {
  let counting = false;
  const totals = noTraffic();
  const integrations = new Map<string, IntegrationTraffic>();
  let periods: Period[] = [];

  function trafficOf(integration: string): IntegrationTraffic {
    let found = integrations.get(integration);
    if (found === undefined) {
      found = { integration, decisions: 0, denied: 0, cost: 0 };
      integrations.set(integration, found);
    }
    return found;
  }

  function currentPeriod(): Period {
    const nowMs = now();
    if (periods.length === 0 || nowMs - periods[0]!.startedMs >= PERIOD_MS) {
      periods.unshift({ startedMs: nowMs, bySubject: new Map() });
      periods = periods.filter(({ startedMs }) => nowMs - startedMs < REMEMBERED_MS);
    }
    return periods[0]!;
  }

  /**
   * Returns the caller's entry in the current step. Undefined if the step has too many callers
   * already.
   */
  function entryOf(subject: Subject): BusySubject | undefined {
    const current = currentPeriod().bySubject;
    const key = boundedCallerKey(subject);
    let entry = current.get(key);
    if (entry === undefined && current.size < MAX_SUBJECTS) {
      entry = { ...namedCaller(subject), decisions: 0, denied: 0, cost: 0 };
      current.set(key, entry);
    }
    return entry;
  }

  return {
    start() {
      counting = true;
      currentPeriod();
    },

    stop() {
      counting = false;
      periods = [];
    },

    onDecision(record) {
      if (!counting) return;
      totals[RESULTS[record.denial ?? 'ADMITTED']]++;
      if (record.degraded) totals.degraded++;
      if (record.askedBy) {
        const traffic = trafficOf(record.askedBy.integration);
        traffic.decisions++;
        if (record.denial !== undefined) traffic.denied++;
      }
      const entry = entryOf(record.subject);
      if (entry === undefined) return;
      entry.decisions++;
      if (record.denial !== undefined) entry.denied++;
    },

    onSettled({ subject, askedBy }, paidCost) {
      if (!counting) return;
      totals.cost += paidCost;
      if (askedBy) trafficOf(askedBy.integration).cost += paidCost;
      const entry = entryOf(subject);
      if (entry) entry.cost += paidCost;
    },

    read() {
      currentPeriod();
      return {
        totals: { ...totals },
        subjects: addUp(periods.flatMap(({ bySubject }) => [...bySubject.values()])),
        integrations: [...integrations.values()].map((one) => ({ ...one })),
      };
    },
  };
}

const RESULTS = {
  ADMITTED: 'admitted',
  THROTTLED: 'throttled',
  MAX_COST_EXCEEDED: 'maxCostExceeded',
  UNAVAILABLE: 'unavailable',
} as const satisfies Record<NonNullable<DecisionRecord['denial']> | 'ADMITTED', keyof TrafficNumbers>;

export function noTraffic(): TrafficNumbers {
  return { admitted: 0, throttled: 0, maxCostExceeded: 0, unavailable: 0, degraded: 0, cost: 0 };
}

/** Merges the entries of each caller, the busiest first. */
export function addUp(entries: readonly BusySubject[]): BusySubject[] {
  const all = new Map<string, BusySubject>();
  for (const entry of entries) {
    const { decisions, denied, cost } = entry;
    const key = boundedCallerKey(entry);
    const sum = all.get(key);
    if (sum === undefined) {
      all.set(key, { ...entry });
      continue;
    }
    sum.decisions += decisions;
    sum.denied += denied;
    sum.cost += cost;
  }
  return [...all.values()].sort((a, b) => b.cost - a.cost || b.decisions - a.decisions).slice(0, MAX_BUSY_SUBJECTS);
}
