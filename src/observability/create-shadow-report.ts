import type { DecisionRecord, OperationObserver } from '../model/decision-record.js';
import type { Logger } from '../model/logger.js';
import { principalKind, principalOf, type Subject } from '../model/subject.js';
import { type Clock, monotonicClock } from '../runtime/clock.js';

interface ShadowReportOptions {
  logger: Pick<Logger, 'info'>;
  /** How often it is told. @default an hour */
  everyMs?: number;
  /** Milliseconds that only rise. @default monotonicClock */
  now?: Clock;
}

interface ShadowReport extends OperationObserver {
  /** Tells what is left to tell. */
  close(): void;
}

const HOUR_MS = 3_600_000;
/** How often it is looked whether the time has come where no requests come. */
const LOOK_EVERY_MS = 60_000;
/** Limits told of, the most often hit first; callers named of each. */
const NAMED = { limits: 10, callers: 3 };
/** Limits counted, and callers of each. A report is no place for more, and memory has an end. */
const COUNTED = { limits: 100, callers: 1000 };
const NAME_LENGTH = 100;

/**
 * Tells in the log, once an hour, what a Tollgate in `mode: 'SHADOW'` would have denied: by which limits, to how many callers,
 * and to whom most. In an hour without operations it tells nothing.
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
    onDecision({ subject, shadowDeniedBy }: DecisionRecord) {
      reportWhenDue();
      operations++;
      if (shadowDeniedBy.length === 0) return;
      denied++;
      for (const limit of shadowDeniedBy) {
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
  /** How many callers; at least so many, where there were more than are counted. */
  readonly callers: number;
  readonly isAtLeast: boolean;
  top(count: number): [caller: string, operations: number][];
}

/**
 * Counts the most frequent of any number of callers in the memory of a thousand (Misra and Gries): when all places are taken,
 * each counts one less, and who counts nothing any more leaves. That takes from each no more than a thousandth of all.
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

interface Told {
  minutes: number;
  operations: number;
  denied: number;
  limits: ReadonlyMap<string, DeniedCallers>;
}

function textOf({ minutes, operations, denied, limits }: Told): string {
  const period = minutes === 1 ? 'the last minute' : `the last ${minutes} minutes`;
  if (denied === 0) return `SHADOW: of ${operations} operations in ${period} none would have been denied`;
  const all = [...limits].sort(([, a], [, b]) => b.operations - a.operations);
  const lines = all.slice(0, NAMED.limits).map(([limit, callers]) => `\n  ${limit}: ${callersText(callers)}`);
  const more = all.length > NAMED.limits ? [`\n  and ${all.length - NAMED.limits} more limits`] : [];
  const heading = `SHADOW: of ${operations} operations in ${period} ${denied} would have been denied, by`;
  return [heading, ...lines, ...more].join('');
}

function callersText({ operations, callers, isAtLeast, top }: DeniedCallers): string {
  const most = top(NAMED.callers).map(([caller, times]) => `${caller} (${isAtLeast ? 'about ' : ''}${times})`);
  const of = `${isAtLeast ? 'more than ' : ''}${callers} ${callers === 1 ? 'caller' : 'callers'}`;
  return `${operations} ${operations === 1 ? 'operation' : 'operations'} of ${of}, most of ${most.join(', ')}`;
}

const KINDS = { USER: 'user', API_KEY: 'key', IP: 'address' } as const;

/** As JSON, because an id may hold line ends; cut, because it may be long. */
function nameOf(subject: Subject): string {
  const name = JSON.stringify(principalOf(subject).slice(0, NAME_LENGTH));
  const of = subject.tenant === undefined ? '' : ` of ${JSON.stringify(subject.tenant.slice(0, NAME_LENGTH))}`;
  return `${KINDS[principalKind(subject)]} ${name}${of}`;
}
