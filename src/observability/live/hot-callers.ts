import type { OperationObserver } from '../../model/decision-record.js';
import { type Clock, monotonicClock } from '../../runtime/clock.js';
import { createTopKeys, type TopKey } from './create-top-keys.js';
import { callerKey, type NamedCaller, namedCaller } from './named-caller.js';

/** A rate is that of a period of this length, or of a few decisions more. */
const PERIOD_MS = 10_000;
/** Told apart at a time: a caller who makes more than one in so many of a process' decisions is among them. */
export const MAX_HOT_CALLERS = 32;
/** The time is looked at once in so many decisions: more often than a period has decisions worth a name. */
const DECISIONS_PER_LOOK = 64;
/** Less would make a rate of the first few decisions. */
const LEAST_PERIOD_MS = 1000;

/** What one process says of the callers that take most of its decisions. */
export interface HotCallersPart {
  /** How long it has counted: the period before this one, and this one. */
  periodMs: number;
  callers: (NamedCaller & { decisions: number })[];
}

/** A caller, and how many decisions a second they take at least, of all processes that were heard of. */
export interface HotCaller extends NamedCaller {
  decisionsPerSecond: number;
}

export interface HotCallers extends Required<Pick<OperationObserver, 'onDecision'>> {
  /** Decisions a second of the busiest caller in the last period that is over; 0 before the first. */
  readonly mostPerSecond: number;
  read(): HotCallersPart;
}

/**
 * Finds the callers who take most of the decisions of this process, however many come: by a sketch, in bounded memory. It counts
 * all the time, so that those who made it busy are known when it is asked for them. All numbers are lower bounds, as the sketch
 * lends a caller what others were counted.
 */
export function createHotCallers({ now = monotonicClock }: { now?: Clock } = {}): HotCallers {
  let top = createTopKeys<NamedCaller>(MAX_HOT_CALLERS);
  let startedMs = now();
  let before: { list: TopKey<NamedCaller>[]; periodMs: number } | undefined;
  let decisionsToLook = DECISIONS_PER_LOOK;

  /** A period without decisions ends without an event: it is looked at when it is over. */
  function endPeriod(): number {
    const nowMs = now();
    const elapsedMs = nowMs - startedMs;
    if (elapsedMs < PERIOD_MS) return elapsedMs;
    before = { list: top.list(), periodMs: elapsedMs };
    top = createTopKeys(MAX_HOT_CALLERS);
    startedMs = nowMs;
    return 0;
  }

  return {
    onDecision({ subject }) {
      if (--decisionsToLook === 0) {
        decisionsToLook = DECISIONS_PER_LOOK;
        endPeriod();
      }
      top.count(callerKey(subject), subject, namedCaller);
    },

    read() {
      const elapsedMs = endPeriod();
      const sum = new Map<string, NamedCaller & { decisions: number }>();
      for (const { key, value, atLeast } of [...(before?.list ?? []), ...top.list()]) {
        const known = sum.get(key);
        if (known === undefined) sum.set(key, { ...value, decisions: atLeast });
        else known.decisions += atLeast;
      }
      const callers = [...sum.values()]
        .filter(({ decisions }) => decisions > 0)
        .sort((a, b) => b.decisions - a.decisions)
        .slice(0, MAX_HOT_CALLERS);
      return { periodMs: Math.round(Math.max(LEAST_PERIOD_MS, (before?.periodMs ?? 0) + elapsedMs)), callers };
    },
    get mostPerSecond() {
      endPeriod();
      if (before === undefined) return 0;
      return (Math.max(0, ...before.list.map(({ atLeast }) => atLeast)) * 1000) / before.periodMs;
    },
  };
}

/** The callers of several processes, the busiest first. */
export function sumOfHotCallers(parts: readonly HotCallersPart[]): HotCaller[] {
  const all = new Map<string, HotCaller>();
  for (const { periodMs, callers } of parts) {
    for (const { decisions, ...caller } of callers) {
      const perSecond = (decisions * 1000) / periodMs;
      const key = callerKey(caller);
      const known = all.get(key);
      if (known === undefined) all.set(key, { ...caller, decisionsPerSecond: perSecond });
      else known.decisionsPerSecond += perSecond;
    }
  }
  return [...all.values()].sort((a, b) => b.decisionsPerSecond - a.decisionsPerSecond).slice(0, MAX_HOT_CALLERS);
}
