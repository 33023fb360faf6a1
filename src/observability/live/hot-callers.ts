import type { OperationObserver } from '../../model/decision-record.js';
import { type Clock, monotonicClock } from '../../runtime/clock.js';
import { createTopKeys, type TopKey } from './create-top-keys.js';
import { boundedCallerKey, type NamedCaller, namedCaller } from './named-caller.js';

/**
 * Length of a period, in milliseconds. The end of a period is checked only every 64 decisions, so a
 * period can be longer.
 */
const PERIOD_MS = 10_000;
/**
 * Number of callers that the sketch tracks. It never misses a caller with more than 1/32 of the
 * decisions of a process.
 */
export const MAX_HOT_CALLERS = 32;
/**
 * Number of decisions between two reads of the clock. With fewer decisions than this, a period can
 * become longer, but no caller is busy then.
 */
const DECISIONS_PER_LOOK = 64;
/**
 * Minimum length of a period from which a rate is computed, in milliseconds. In a shorter period, a
 * few decisions would look like a high rate.
 */
const LEAST_PERIOD_MS = 1000;

/** The callers with the most decisions in one process. */
export interface HotCallersPart {
  /** Length of the previous and the current period together, in milliseconds. */
  periodMs: number;
  callers: (NamedCaller & { decisions: number })[];
}

/** A caller with a lower bound of their decisions per second, over all processes that reported. */
export interface HotCaller extends NamedCaller {
  decisionsPerSecond: number;
}

export interface HotCallers extends Required<Pick<OperationObserver, 'onDecision'>> {
  /**
   * Decisions per second of the busiest caller in the last complete period; 0 before the end of the
   * first period.
   */
  readonly mostPerSecond: number;
  read(): HotCallersPart;
}

/**
 * Creates the counter of the callers with the most decisions in this process. It is a sketch in
 * bounded memory, for any number of callers. It counts all the time, so that an administrator
 * sees the cause of a load peak immediately. All numbers are lower bounds: the sketch may attribute
 * counts of other callers to a caller, and these are subtracted.
 */
export function createHotCallers({ now = monotonicClock }: { now?: Clock } = {}): HotCallers {
  let top = createTopKeys<NamedCaller>(MAX_HOT_CALLERS);
  let startedMs = now();
  let before: { list: TopKey<NamedCaller>[]; periodMs: number } | undefined;
  let decisionsToLook = DECISIONS_PER_LOOK;

  /** Ends the period if it is over. Without decisions, only a read detects the end of a period. */
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
      top.count(boundedCallerKey(subject), subject, namedCaller);
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

/** Merges the callers of several processes, the busiest first. */
export function sumOfHotCallers(parts: readonly HotCallersPart[]): HotCaller[] {
  const all = new Map<string, HotCaller>();
  for (const { periodMs, callers } of parts) {
    for (const { decisions, ...caller } of callers) {
      const perSecond = (decisions * 1000) / periodMs;
      const key = boundedCallerKey(caller);
      const known = all.get(key);
      if (known === undefined) all.set(key, { ...caller, decisionsPerSecond: perSecond });
      else known.decisionsPerSecond += perSecond;
    }
  }
  return [...all.values()].sort((a, b) => b.decisionsPerSecond - a.decisionsPerSecond).slice(0, MAX_HOT_CALLERS);
}
