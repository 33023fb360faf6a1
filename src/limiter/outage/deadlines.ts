/** One call that somebody waits for; plain data, as every charge makes one. */
export interface Watch {
  readonly dueAtMs: number;
  /** Gone once the call has ended, or was given up. */
  giveUp: (() => void) | undefined;
  wasExtended: boolean;
}

/** The call has ended. False when it was given up before: then what came of it is nobody's business any more. */
export function endWatch(watch: Watch): boolean {
  const inTime = watch.giveUp !== undefined;
  watch.giveUp = undefined;
  return inTime;
}

export interface Deadlines {
  /** From now on; `giveUp` is called once unless the call ends in time. */
  watch(giveUp: () => void): Watch;
}

export interface DeadlinesOptions {
  deadlineMs: number;
  /** Monotonic milliseconds. */
  clock: () => number;
}

/** A timer that is this late was kept from firing by the process itself. */
const LATE_MS = 3;

/** Calls that have ended are dropped when they are so many, and more than are under way. */
const MOST_ENDED = 64;

/**
 * Deadlines of many calls with one timer: all wait equally long, so that they end in the order in which they began.
 *
 * Time in which this process stood still (a long synchronous resolver, a collection) says nothing about Redis: the reply
 * may be in the socket, or the call may not even have been sent. A timer that fires late therefore gives back the time
 * that was lost, up to one deadline and once per call; and a call is given up only after the poll phase, in which replies
 * are read.
 */
export function createDeadlines({ deadlineMs, clock }: DeadlinesOptions): Deadlines {
  let waiting: Watch[] = [];
  let first = 0;
  let extendedUntilMs = 0;
  let isArmed = false;

  function arm(afterMs: number): void {
    isArmed = true;
    // It fires once more after the last call has ended: a process that is done is not to wait for that. While a call
    // is under way its socket keeps the process.
    setTimeout(fire, Math.ceil(afterMs)).unref();
  }

  /** Drops the calls that have ended from the front, and says which is next. */
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

  function fire(): void {
    isArmed = false;
    const head = next();
    if (head === undefined) return;
    const nowMs = clock();
    const lateMs = nowMs - Math.max(head.dueAtMs, extendedUntilMs);
    if (lateMs < 0) arm(-lateMs);
    else if (lateMs > LATE_MS && !head.wasExtended) {
      extendedUntilMs = nowMs + Math.min(lateMs, deadlineMs);
      for (let i = first; i < waiting.length && waiting[i]!.dueAtMs <= nowMs; i++) waiting[i]!.wasExtended = true;
      arm(extendedUntilMs - nowMs);
    } else {
      isArmed = true;
      setImmediate(giveUpUntil, nowMs);
    }
  }

  function giveUpUntil(nowMs: number): void {
    isArmed = false;
    for (let head = next(); head !== undefined && head.dueAtMs <= nowMs; head = next()) {
      const { giveUp } = head;
      head.giveUp = undefined;
      giveUp?.();
    }
    const head = next();
    if (head !== undefined && !isArmed) arm(Math.max(1, head.dueAtMs - clock()));
  }

  return {
    watch(giveUp) {
      // Kept until the timer fires, most would live through collections. V8 (11.3) then makes them, and what is made beside
      // them, among the old objects, which hold on to all they name: collections took ten times as long.
      next();
      const watch: Watch = { dueAtMs: clock() + deadlineMs, giveUp, wasExtended: false };
      waiting.push(watch);
      if (!isArmed) arm(deadlineMs);
      return watch;
    },
  };
}
