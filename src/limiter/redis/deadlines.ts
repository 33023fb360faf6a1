import type { Clock } from '../../runtime/clock.js';
import { timerMs } from '../../runtime/schedule.js';

/**
 * A connection, with the properties that deadlines need. Replies arrive in the order of the calls.
 */
export interface Line {
  /** Number of calls in flight. */
  calls: number;
  /**
   * Time at which a call last ended, by a reply or a failure, in monotonic milliseconds. If that
   * left no call in flight, the time of the next call.
   */
  silentSinceMs: number;
  /** Whether `silentSinceMs` is the time at which a call ended. */
  hasReplied: boolean;
}

/** One call that a caller waits for. Plain data, because every charge creates one. */
export interface Watch {
  readonly askedAtMs: number;
  /** Time of the deadline: `askedAtMs` plus the deadline, or later if the timer was late. */
  dueAtMs: number;
  /** Callback at the deadline; undefined once the call has ended or was given up. */
  giveUp: (() => void) | undefined;
  /** Whether the deadline was extended because the timer was late. */
  isExtended: boolean;
  /**
   * Line that the call waits for now. While the line replies to other calls, this call is still
   * queued. Without a line, the call waits for one deadline.
   */
  line: Line | undefined;
  /**
   * Whether the call was given up and denied without Redis. Further calls for the same charge are
   * then unnecessary.
   */
  isDenied: boolean;
}

/**
 * Marks a call as ended. Returns false if it was given up before; its outcome no longer matters
 * then.
 */
export function endWatch(watch: Watch): boolean {
  const inTime = watch.giveUp !== undefined;
  watch.giveUp = undefined;
  return inTime;
}

export interface Deadlines {
  /** Starts the deadline of a call. `giveUp` is called once, unless the call ends in time. */
  watch(giveUp: () => void): Watch;
  /**
   * Returns whether the line of a call has been silent since the call, or for as long as one
   * deadline.
   */
  metSilence(watch: Watch): boolean;
}

interface DeadlinesOptions {
  deadlineMs: number;
  /** Clock in monotonic milliseconds. */
  clock: Clock;
}

/**
 * Delay, in milliseconds, from which a timer counts as late because the process or the machine was
 * busy.
 */
const LATE_MS = 3;

/**
 * Minimum number of ended calls before they are dropped. They are dropped only if they outnumber
 * the waiting ones.
 */
const MOST_ENDED = 64;

/**
 * Maximum time beyond its deadline that a call may take while its connection replies to others, in
 * milliseconds. There is a maximum because a caller waits for the call.
 */
const PATIENCE_MS = 1000;

/** Returns the maximum time that a call waits for its reply. */
export function longestWaitMs(deadlineMs: number): number {
  return deadlineMs + PATIENCE_MS;
}

/**
 * Tracks the deadlines of many calls with one timer. All wait equally long, so they end in the
 * order in which they began.
 *
 * A deadline bounds the silence of Redis, not the time that a call spends in the queue of this
 * process. If the line of a call replies to others, the call waits until the line has been silent
 * for a deadline, up to `longestWaitMs`. If the line was idle, its silence begins with the call, so
 * the call waits for one deadline.
 *
 * A call is given up only after the poll phase, in which Node reads replies. If the timer was late
 * (a long synchronous resolver, garbage collection, a busy machine), the call may not even have
 * been sent. The call is then extended once by the lost time, at most by one deadline.
 */
export function createDeadlines({ deadlineMs, clock }: DeadlinesOptions): Deadlines {
  let waiting: Watch[] = [];
  let first = 0;
  /** Calls that were due while their line replied, or when the timer was late. Unordered. */
  let queued: Watch[] = [];
  let isArmed = false;

  function arm(untilMs: number): void {
    isArmed = true;
    // The timer fires once more after the last call has ended. It is unref'd so that a finished
    // process does not wait for it. While a call is in flight, its socket keeps the process alive.
    setTimeout(fire, timerMs(Math.max(1, Math.ceil(untilMs - clock())))).unref();
  }

  /** Drops ended calls from the front and returns the next one. */
  function next(): Watch | undefined {
    while (first < waiting.length && waiting[first]!.giveUp === undefined) first++;
    if (first === waiting.length) {
      waiting = [];
      first = 0;
    } else if (first >= MOST_ENDED && first > waiting.length / 2) {
      waiting = waiting.slice(first);
      first = 0;
    }
    return waiting[first];
  }

  function endsAtMs({ line, dueAtMs, askedAtMs }: Watch): number {
    if (line === undefined) return dueAtMs;
    // If no call is in flight on the line, Redis is not silent: this call has yet to be sent or
    // handled by this process.
    const silentSinceMs = line.calls === 0 ? clock() : line.silentSinceMs;
    return Math.max(dueAtMs, Math.min(silentSinceMs + deadlineMs, askedAtMs + longestWaitMs(deadlineMs)));
  }

  /** Returns the time at which the first call ends; undefined if no call waits. */
  function nextEndMs(): number | undefined {
    let endMs = next()?.dueAtMs;
    if (queued.length === 0) return endMs;
    queued = queued.filter((watch) => watch.giveUp !== undefined);
    for (const watch of queued) endMs = Math.min(endMs ?? Number.POSITIVE_INFINITY, endsAtMs(watch));
    return endMs;
  }

  function fire(): void {
    isArmed = false;
    const endMs = nextEndMs();
    if (endMs === undefined) return;
    const nowMs = clock();
    if (nowMs < endMs) arm(endMs);
    else {
      isArmed = true;
      setImmediate(giveUpUntil, nowMs, nowMs - endMs);
    }
  }

  function giveUpUntil(nowMs: number, lateMs: number): void {
    isArmed = false;
    const before = queued;
    queued = [];
    for (const watch of before) endOrQueue(watch, nowMs, lateMs);
    for (let head = next(); head !== undefined && head.dueAtMs <= nowMs; head = next()) {
      first++;
      endOrQueue(head, nowMs, lateMs);
    }
    const endMs = nextEndMs();
    if (endMs !== undefined && !isArmed) arm(endMs);
  }

  function endOrQueue(watch: Watch, nowMs: number, lateMs: number): void {
    const { giveUp } = watch;
    if (giveUp === undefined) return;
    if (endsAtMs(watch) > nowMs) {
      queued.push(watch);
    } else if (lateMs > LATE_MS && !watch.isExtended) {
      watch.isExtended = true;
      watch.dueAtMs = nowMs + Math.min(lateMs, deadlineMs);
      queued.push(watch);
    } else {
      watch.giveUp = undefined;
      giveUp();
    }
  }

  return {
    watch(giveUp) {
      // Most calls have ended before the next one starts. If they stayed until the timer fires,
      // they would survive garbage collections.
      next();
      const askedAtMs = clock();
      const dueAtMs = askedAtMs + deadlineMs;
      const watch = { askedAtMs, dueAtMs, giveUp, isExtended: false, line: undefined, isDenied: false };
      waiting.push(watch);
      if (!isArmed) arm(dueAtMs);
      return watch;
    },
    metSilence({ line, askedAtMs }) {
      if (line === undefined) return true;
      const { silentSinceMs, hasReplied } = line;
      return !hasReplied || silentSinceMs <= askedAtMs || silentSinceMs + deadlineMs <= clock();
    },
  };
}
