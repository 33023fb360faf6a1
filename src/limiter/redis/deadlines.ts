import type { Clock } from '../../runtime/clock.js';
import { timerMs } from '../../runtime/schedule.js';

/** A connection, as far as deadlines have to know it. Replies come in the order of the calls. */
export interface Line {
  /** Calls that are under way. */
  calls: number;
  /** Monotonic milliseconds: when it last replied, or, where nothing was under way then, when it was asked. */
  silentSinceMs: number;
  /** Whether that was a reply. */
  hasReplied: boolean;
}

/** One call that a caller waits for; plain data, as every charge makes one. */
export interface Watch {
  readonly askedAtMs: number;
  /** A deadline after `askedAtMs`, or later where the timer was late. */
  dueAtMs: number;
  /** Gone once the call has ended, or was given up. */
  giveUp: (() => void) | undefined;
  /** Whether it has been given the time by which the timer was late. */
  isExtended: boolean;
  /** What it waits for now. While that replies to others, its turn has not come; without one it waits for a deadline. */
  line: Line | undefined;
  /** It was given up, and refused without Redis: what is left of it need not be asked for. */
  isRefused: boolean;
}

/** The call has ended. False when it was given up before: then what came of it no longer matters. */
export function endWatch(watch: Watch): boolean {
  const inTime = watch.giveUp !== undefined;
  watch.giveUp = undefined;
  return inTime;
}

export interface Deadlines {
  /** From now on; `giveUp` is called once unless the call ends in time. */
  watch(giveUp: () => void): Watch;
  /** Whether what it waits for has been silent: since it was asked, or for a deadline. */
  metSilence(watch: Watch): boolean;
}

interface DeadlinesOptions {
  deadlineMs: number;
  /** Monotonic milliseconds. */
  clock: Clock;
}

/** A timer that is this late was kept from firing by the process or the machine. */
const LATE_MS = 3;

/** Calls that have ended are dropped when they are so many, and more than are under way. */
const MOST_ENDED = 64;

/** So much longer than its deadline a call can take, however often its connection replies: a caller waits for it. */
const PATIENCE_MS = 1000;

export function longestWaitMs(deadlineMs: number): number {
  return deadlineMs + PATIENCE_MS;
}

/**
 * Deadlines of many calls with one timer: all wait equally long, so that they end in the order in which they began.
 *
 * A deadline bounds how long Redis may be silent, not how long the queue is that this process has made. A call whose line
 * replies to others is waited for until that has been silent for a deadline, up to `longestWaitMs`. A line that was idle
 * is silent from the call on: there the deadline is that of the call.
 *
 * A call is given up only after the poll phase, in which Node reads replies. Where the timer was late (a long synchronous
 * resolver, a collection, a busy machine), the call may not even have been sent: it gets the lost time once, up to a deadline.
 */
export function createDeadlines({ deadlineMs, clock }: DeadlinesOptions): Deadlines {
  let waiting: Watch[] = [];
  let first = 0;
  /** Those that were due while their line replied, or when the timer was late, in no order. */
  let queued: Watch[] = [];
  let isArmed = false;

  function arm(untilMs: number): void {
    isArmed = true;
    // It fires once more after the last call has ended: a process that is done is not to wait for that. While a call
    // is under way its socket keeps the process.
    setTimeout(fire, timerMs(Math.max(1, Math.ceil(untilMs - clock())))).unref();
  }

  /** Drops the calls that have ended from the front, and returns the next one. */
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
    // Where nothing is under way the call waits for a turn of this process.
    const silentSinceMs = line.calls === 0 ? clock() : line.silentSinceMs;
    return Math.max(dueAtMs, Math.min(silentSinceMs + deadlineMs, askedAtMs + longestWaitMs(deadlineMs)));
  }

  /** When the first call ends; undefined: none is under way. */
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
      // Most calls have ended by the next one. Kept until the timer fires, they would live through collections.
      next();
      const askedAtMs = clock();
      const dueAtMs = askedAtMs + deadlineMs;
      const watch = { askedAtMs, dueAtMs, giveUp, isExtended: false, line: undefined, isRefused: false };
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
