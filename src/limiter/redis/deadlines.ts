import type { Clock } from '../../runtime/clock.js';
import { timerMs } from '../../runtime/schedule.js';
import { waitingTimeMs as waitingTimeOfThread } from './waiting-time.js';

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
  readonly dueAtMs: number;
  /** Gone once the call has ended, or was given up. */
  giveUp: (() => void) | undefined;
  /** When it was given back time that this process had lost; -Infinity: never. */
  extendedAtMs: number;
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
  /**
   * Whether what it waits for has been silent: since it was asked, or for a deadline, without the time in which this process had
   * no processor.
   */
  metSilence(watch: Watch): boolean;
}

interface DeadlinesOptions {
  deadlineMs: number;
  /** Monotonic milliseconds. */
  clock: Clock;
  /** Milliseconds of processor time that this process has had. @default that of the system */
  processorTimeMs?: () => number;
  /** Milliseconds for which it has waited for a processor. @default that of the system, where it counts it */
  waitingTimeMs?: () => number;
}

/** A timer that is this late was kept from firing by the process itself. */
const LATE_MS = 3;

/** So long at once without a processor is no hiccup: the machine has too few for what runs on it. */
const STARVED_MS = 5;

/** To wait so long for a processor between two looks is more than one turn of another process. */
const WAITED_MS = 2;

/** So many times in a deadline it is looked whether this process has run. */
const LOOKS = 5;
const LEAST_LOOK_MS = 5;

/** More than a call can see. */
const MOST_LOSSES = 1000;

const NEVER = Number.NEGATIVE_INFINITY;

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
 * Time in which this process stood still (a long synchronous resolver, a collection) says nothing about Redis: the reply
 * may be in the socket, or the call may not even have been sent. A timer that fires late therefore gives back the time
 * that was lost, up to one deadline and once per call and silence; and a call is given up only after the poll phase, in which
 * replies are read.
 *
 * Time in which this process was kept from its processor, rather than busy itself, is no silence at all, up to `longestWaitMs`:
 * where one machine has too much to do for all that runs on it, a Redis beside it has not been scheduled either.
 */
export function createDeadlines({
  deadlineMs,
  clock,
  processorTimeMs = processorTimeOfProcess,
  waitingTimeMs = waitingTimeOfThread,
}: DeadlinesOptions): Deadlines {
  let waiting: Watch[] = [];
  let first = 0;
  /** Those that were due while their line replied, in no order. */
  let queued: Watch[] = [];
  let extendedUntilMs = 0;
  /** When it was noticed that this process had no processor, and for how long; the latest last. */
  let losses: { readonly atMs: number; readonly lostMs: number }[] = [];
  let isArmed = false;
  const lookMs = Math.max(LEAST_LOOK_MS, Math.floor(deadlineMs / LOOKS));
  /** The last look at what this process has had of its processor; one begins where the other ended. */
  let lookedAtMs = 0;
  let processorTimeAtMs = 0;
  let waitingTimeAtMs = 0;
  /** How long it was to wait for the next one. */
  let armedForMs = 0;

  function lookFrom(nowMs: number): void {
    lookedAtMs = nowMs;
    processorTimeAtMs = processorTimeMs();
    waitingTimeAtMs = waitingTimeMs();
  }

  /** After a look, or after `lookFrom` where nothing was waited for. */
  function arm(untilMs: number): void {
    isArmed = true;
    armedForMs = Math.min(Math.max(1, Math.ceil(untilMs - clock())), timerMs(lookMs));
    // It fires once more after the last call has ended: a process that is done is not to wait for that. While a call
    // is under way its socket keeps the process.
    setTimeout(fire, armedForMs).unref();
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

  function endsAtMs({ line, dueAtMs }: Watch): number {
    const endMs = dueAtMs + lostSinceMs(dueAtMs - deadlineMs);
    if (line === undefined) return Math.min(endMs, dueAtMs + PATIENCE_MS);
    // Where nothing is under way the call waits for a turn of this process.
    const silentUntilMs = silentUntilFrom(line.calls === 0 ? clock() : line.silentSinceMs);
    return Math.min(Math.max(endMs, silentUntilMs), dueAtMs + PATIENCE_MS);
  }

  function silentUntilFrom(sinceMs: number): number {
    return sinceMs + deadlineMs + lostSinceMs(sinceMs);
  }

  function lostSinceMs(sinceMs: number): number {
    let sumMs = 0;
    for (let i = losses.length - 1; i >= 0 && losses[i]!.atMs > sinceMs; i--) sumMs += losses[i]!.lostMs;
    return sumMs;
  }

  /**
   * Notes for how long this process was kept from its processor while the timer was to fire. Where it had to wait, the time in
   * which it was idle is lost as well: what wakes up gets its turn soon, and a Redis that has more to do waits longer.
   */
  function noteLoss(nowMs: number): void {
    const tookMs = nowMs - lookedAtMs;
    const processorTimeBeforeMs = processorTimeAtMs;
    const waitingTimeBeforeMs = waitingTimeAtMs;
    lookFrom(nowMs);
    const waitedMs = waitingTimeAtMs - waitingTimeBeforeMs;
    if (tookMs - armedForMs < STARVED_MS && waitedMs < WAITED_MS) return;
    const lostMs = Math.max(waitedMs, tookMs - (processorTimeAtMs - processorTimeBeforeMs));
    // Of what the system does not count as waiting it is not known when it began.
    if (waitedMs < WAITED_MS && lostMs < STARVED_MS + armedForMs) return;
    losses.push({ atMs: nowMs, lostMs });
    if (losses.length > MOST_LOSSES) losses = losses.slice(-MOST_LOSSES / 2);
  }

  /** The call that ends first. */
  function nextToEnd(): { watch: Watch; atMs: number } | undefined {
    const head = next();
    let found = head && { watch: head, atMs: head.dueAtMs };
    if (queued.length === 0) return found;
    queued = queued.filter((watch) => watch.giveUp !== undefined);
    for (const watch of queued) {
      const atMs = endsAtMs(watch);
      if (found === undefined || atMs < found.atMs) found = { watch, atMs };
    }
    return found;
  }

  /** Once, and again when its line has replied since: a process that is always late does not wait for ever. */
  function mayBeExtended({ extendedAtMs, line }: Watch): boolean {
    return extendedAtMs < 0 || (line !== undefined && line.silentSinceMs > extendedAtMs);
  }

  function fire(): void {
    isArmed = false;
    if (nextToEnd() === undefined) return;
    const nowMs = clock();
    // It takes a busy process some 40 us to ask the system: not for calls that have ended.
    noteLoss(nowMs);
    // What was lost prolongs deadlines.
    const found = nextToEnd()!;
    const endMs = Math.max(found.atMs, extendedUntilMs);
    if (nowMs < endMs) arm(endMs);
    else if (nowMs - endMs > LATE_MS && mayBeExtended(found.watch)) {
      extendedUntilMs = nowMs + Math.min(nowMs - endMs, deadlineMs);
      for (let i = first; i < waiting.length && waiting[i]!.dueAtMs <= nowMs; i++) waiting[i]!.extendedAtMs = nowMs;
      for (const watch of queued) watch.extendedAtMs = nowMs;
      arm(extendedUntilMs);
    } else {
      isArmed = true;
      armedForMs = 0;
      setImmediate(giveUpUntil, nowMs);
    }
  }

  function giveUpUntil(nowMs: number): void {
    isArmed = false;
    noteLoss(clock());
    const before = queued;
    queued = [];
    for (const watch of before) endOrQueue(watch, nowMs);
    for (let head = next(); head !== undefined && head.dueAtMs <= nowMs; head = next()) {
      first++;
      endOrQueue(head, nowMs);
    }
    const found = nextToEnd();
    if (found !== undefined && !isArmed) arm(found.atMs);
  }

  function endOrQueue(watch: Watch, nowMs: number): void {
    const { giveUp } = watch;
    if (giveUp === undefined) return;
    if (endsAtMs(watch) > nowMs) {
      queued.push(watch);
      return;
    }
    watch.giveUp = undefined;
    giveUp();
  }

  return {
    watch(giveUp) {
      // Kept until the timer fires, most would live through collections. V8 (11.3) then makes them, and what is made beside
      // them, among the old objects, which hold on to all they name: collections took ten times as long.
      next();
      const watch: Watch = {
        dueAtMs: clock() + deadlineMs,
        giveUp,
        extendedAtMs: NEVER,
        line: undefined,
        isRefused: false,
      };
      waiting.push(watch);
      if (!isArmed) {
        lookFrom(clock());
        arm(watch.dueAtMs);
      }
      return watch;
    },
    metSilence({ line, dueAtMs }) {
      if (line === undefined) return true;
      const { silentSinceMs, hasReplied } = line;
      return !hasReplied || silentSinceMs <= dueAtMs - deadlineMs || silentUntilFrom(silentSinceMs) <= clock();
    },
  };
}

function processorTimeOfProcess(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
