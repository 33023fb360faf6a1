import type { DecisionRecord, OperationObserver } from '../../model/decision-record.js';
import type { Subject } from '../../model/subject.js';
import { monotonicClock } from '../../runtime/clock.js';
import { callerKey, type NamedCaller, namedCaller } from './named-caller.js';

/** Decisions and cost: so many in all, or so many a second. */
export interface TrafficNumbers {
  admitted: number;
  throttled: number;
  maxCostExceeded: number;
  unavailable: number;
  /** Of all of these: decided without the shared counters. */
  degraded: number;
  /** What was spent, in tokens. */
  cost: number;
}

/** What a caller did in the last ten seconds. */
export interface BusySubject extends NamedCaller {
  decisions: number;
  denied: number;
  cost: number;
}

/** What one process says of itself. */
export interface TrafficPart {
  /** All it ever counted, so that what is lost on the way is in what comes next. */
  totals: TrafficNumbers;
  /** Those that spent most in the last ten seconds, and of those that spent alike, those that asked most. */
  subjects: BusySubject[];
}

export interface TrafficCounter extends Required<Pick<OperationObserver, 'onDecision' | 'onSettled'>> {
  /** From now on it counts; until then it costs nothing. */
  start(): void;
  stop(): void;
  read(): TrafficPart;
}

/** Callers are looked at over so long: over one second, callers who come every other second would flicker. */
export const REMEMBERED_MS = 10_000;
/** It is forgotten in steps of this. */
const PERIOD_MS = 1000;
/** Told apart in each; more are counted in the totals alone. */
const MAX_SUBJECTS = 1000;
/** The largest list that is handed on. */
export const MAX_BUSY_SUBJECTS = 50;

interface Period {
  startedMs: number;
  bySubject: Map<string, BusySubject>;
}

/** Counts the traffic of this process, for as long as a subscription is open. */
export function createTrafficCounter({ now = monotonicClock } = {}): TrafficCounter {
  let counting = false;
  const totals = noTraffic();
  let periods: Period[] = [];

  function currentPeriod(): Period {
    const nowMs = now();
    if (periods.length === 0 || nowMs - periods[0]!.startedMs >= PERIOD_MS) {
      periods.unshift({ startedMs: nowMs, bySubject: new Map() });
      periods = periods.filter(({ startedMs }) => nowMs - startedMs < REMEMBERED_MS);
    }
    return periods[0]!;
  }

  /** The caller's entry of this period; undefined where too many others were there before. */
  function entryOf(subject: Subject): BusySubject | undefined {
    const current = currentPeriod().bySubject;
    const key = callerKey(subject);
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
      const entry = entryOf(record.subject);
      if (entry === undefined) return;
      entry.decisions++;
      if (record.denial !== undefined) entry.denied++;
    },

    onSettled({ subject }, paidCost) {
      if (!counting) return;
      totals.cost += paidCost;
      const entry = entryOf(subject);
      if (entry) entry.cost += paidCost;
    },

    read() {
      currentPeriod();
      return { totals: { ...totals }, subjects: addUp(periods.flatMap(({ bySubject }) => [...bySubject.values()])) };
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

/** One entry for each caller, the busiest first. */
export function addUp(entries: readonly BusySubject[]): BusySubject[] {
  const all = new Map<string, BusySubject>();
  for (const entry of entries) {
    const { decisions, denied, cost } = entry;
    const key = callerKey(entry);
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
