import type { DecisionRecord, OperationObserver } from '../model/decision-record.js';
import type { Logger } from '../model/logger.js';
import { principalKind, principalOf, type Subject } from '../model/subject.js';
import { type Clock, monotonicClock } from '../runtime/clock.js';

interface ShadowReportOptions {
  logger: Pick<Logger, 'info'>;
  /** Interval of the report, in milliseconds. @default an hour */
  everyMs?: number;
  /** Monotonic clock, in milliseconds. @default monotonicClock */
  now?: Clock;
}

interface ShadowReport extends OperationObserver {
  /** Stops the report and logs the rest of the period. */
  close(): void;
}

const HOUR_MS = 3_600_000;
/** Interval at which a timer checks whether a report is due, in milliseconds. */
const LOOK_EVERY_MS = 60_000;
/** Maximum number of limits in a report, and of callers named for each limit. */
const NAMED = { limits: 10, callers: 3 };
/** Maximum number of limits to count, and of callers for each. It bounds the memory. */
const COUNTED = { limits: 100, callers: 1000 };
const NAME_LENGTH = 100;

/**
 * Creates a report in the log of the denials that a Tollgate in `mode: 'SHADOW'` would have made.
 * It logs one line at the first denial of each limit, and a summary once an hour. For each limit,
 * the summary contains the number of callers, and the names of the most frequent callers. It logs
 * nothing for an hour without operations.
 */
export function createShadowReport({
  logger,
  everyMs = HOUR_MS,
  now = monotonicClock,
}: ShadowReportOptions): ShadowReport {
  let sinceMs = now();
  let operations = 0;
  let denied = 0;
  let limits = new Map<string, DeniedCallers>();
  /** Limits whose first denial was logged. */
  const announced = new Set<string>();

  function announce(limit: string, { requestedCost, subject }: DecisionRecord): void {
    if (announced.has(limit) || announced.size === COUNTED.limits) return;
    announced.add(limit);
    const operation = `an operation of ${nameOf(subject)} that costs ${requestedCost} tokens`;
    logger.info(`SHADOW: ${limit} would have denied ${operation}. A summary follows once an hour`);
  }
  function report(): void {
    const minutes = Math.max(1, Math.round((now() - sinceMs) / 60_000));
    if (operations > 0) logger.info(textOf({ minutes, operations, denied, limits }));
    sinceMs = now();
    operations = 0;
    denied = 0;
    limits = new Map();
  }
  function reportWhenDue(): void {
    if (now() - sinceMs >= everyMs) report();
  }
  const timer = setInterval(reportWhenDue, Math.min(everyMs, LOOK_EVERY_MS)).unref();

  return {
    onDecision(decision: DecisionRecord) {
      const { subject, wouldBeDeniedBy } = decision;
      reportWhenDue();
      operations++;
      if (wouldBeDeniedBy.length === 0) return;
      denied++;
      for (const limit of wouldBeDeniedBy) {
        announce(limit, decision);
        let callers = limits.get(limit);
        if (callers === undefined) {
          if (limits.size === COUNTED.limits) continue;
          callers = createDeniedCallers();
          limits.set(limit, callers);
        }
        callers.add(nameOf(subject));
      }
    },
    close() {
      clearInterval(timer);
      report();
    },
  };
}

interface DeniedCallers {
  add(caller: string): void;
  readonly operations: number;
  /** Number of callers. It is a lower bound if there were more than `COUNTED.callers`. */
  readonly callers: number;
  readonly isAtLeast: boolean;
  top(count: number): [caller: string, operations: number][];
}

/**
 * Finds the most frequent of any number of callers with at most a thousand counters (Misra and
 * Gries). If all counters are in use, a new caller reduces each counter by one, and counters at
 * zero are removed. So no count is too low by more than a thousandth of the operations added.
 */
function createDeniedCallers(): DeniedCallers {
  const counts = new Map<string, number>();
  let operations = 0;
  let overflowed = false;
  let most = 0;
  return {
    add(caller) {
      operations++;
      const count = counts.get(caller);
      if (count !== undefined || counts.size < COUNTED.callers) {
        counts.set(caller, (count ?? 0) + 1);
        most = Math.max(most, counts.size);
        return;
      }
      overflowed = true;
      for (const [one, times] of counts) {
        if (times === 1) counts.delete(one);
        else counts.set(one, times - 1);
      }
    },
    get operations() {
      return operations;
    },
    get callers() {
      return most;
    },
    get isAtLeast() {
      return overflowed;
    },
    top: (count) => [...counts].sort(([, a], [, b]) => b - a).slice(0, count),
  };
}

interface ReportedPeriod {
  minutes: number;
  operations: number;
  denied: number;
  limits: ReadonlyMap<string, DeniedCallers>;
}

function textOf({ minutes, operations, denied, limits }: ReportedPeriod): string {
  const period = minutes === 1 ? 'the last minute' : `the last ${minutes} minutes`;
  if (denied === 0) return `SHADOW: none of ${operations} operations in ${period} would be denied`;
  const all = [...limits].sort(([, a], [, b]) => b.operations - a.operations);
  const lines = all.slice(0, NAMED.limits).map(([limit, callers]) => `\n  ${limit}: ${callersText(callers)}`);
  const more = all.length > NAMED.limits ? [`\n  and ${all.length - NAMED.limits} more limits`] : [];
  const heading = `SHADOW: ${denied} of ${operations} operations in ${period} would be denied, by`;
  return [heading, ...lines, ...more].join('');
}

function callersText({ operations, callers, isAtLeast, top }: DeniedCallers): string {
  const most = top(NAMED.callers).map(([caller, times]) => `${caller} (${isAtLeast ? 'about ' : ''}${times})`);
  const of = `${isAtLeast ? 'more than ' : ''}${callers} ${callers === 1 ? 'caller' : 'callers'}`;
  return `${operations} ${operations === 1 ? 'operation' : 'operations'} of ${of}, most frequent: ${most.join(', ')}`;
}

const KINDS = { USER: 'user', API_KEY: 'key', IP: 'address' } as const;

/**
 * Returns the name as JSON, because an id may contain line ends. It is truncated, because it may be
 * long.
 */
function nameOf(subject: Subject): string {
  const name = JSON.stringify(principalOf(subject).slice(0, NAME_LENGTH));
  const of = subject.tenant === undefined ? '' : ` of ${JSON.stringify(subject.tenant.slice(0, NAME_LENGTH))}`;
  return `${KINDS[principalKind(subject)]} ${name}${of}`;
}
