/**
 * One reply of Redis admits many operations. They go on in groups, each in a turn of the event loop of its own: all at once
 * they would run interleaved, field by field, and their objects would all be alive when memory is collected. A few that
 * take the same steps side by side are faster than one after the other. What they settle can go out together when the turns
 * are over; no other event is handled between them.
 */
export interface ResumeScheduler {
  /** Resolves when it is the caller's turn; undefined: it is. */
  nextTurn(): Promise<void> | undefined;
  /**
   * Calls back when all turns that were asked for are over; where there are none, when what has arrived together is handled: answers
   * that others have made come one by one, many of them in one turn of the event loop.
   */
  afterTurns(callback: () => void): void;
}

/** Operations in one turn. */
const PER_TURN = 8;

export function createResumeScheduler(): ResumeScheduler {
  let waiting: (() => void)[] = [];
  let last: NodeJS.Immediate | undefined;
  let isScheduling = false;
  /** The first of those who ask go on with the reply itself: so many have, until all turns are over. */
  let going = 0;
  /** Those of the turn that was scheduled last. */
  let group: (() => void)[] = [];

  /** The callers of one reply ask one right after the other: what they have queued by now comes before this. */
  function scheduleLast(): void {
    isScheduling = false;
    clearImmediate(last);
    last = setImmediate(end);
  }

  function end(): void {
    last = undefined;
    going = 0;
    const callbacks = waiting;
    waiting = [];
    for (const callback of callbacks) callback();
  }

  function scheduleGroup(): void {
    const members: (() => void)[] = [];
    group = members;
    setImmediate(() => {
      // Who asks from here on would wait for a turn that is over.
      if (group === members) group = [];
      for (const goOn of members) goOn();
    });
  }

  return {
    nextTurn() {
      if (!isScheduling) {
        isScheduling = true;
        queueMicrotask(scheduleLast);
      }
      if (going < PER_TURN) {
        going++;
        return undefined;
      }
      if (group.length % PER_TURN === 0) scheduleGroup();
      return new Promise((resolve) => {
        group.push(resolve);
      });
    },
    afterTurns(callback) {
      waiting.push(callback);
      if (last === undefined && !isScheduling) last = setImmediate(end);
    },
  };
}
