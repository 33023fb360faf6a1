/**
 * Schedules the operations that one reply of Redis admits. They continue in groups, each in its own
 * turn of the event loop. If all continued at the same time, they would run interleaved, field by
 * field, and their objects would all be alive during garbage collection. A small group of
 * operations that take the same steps together runs faster than the operations would one after the
 * other. Their settlements can be sent together after the turns, because no other event is handled
 * between the turns.
 */
export interface ResumeScheduler {
  /** Resolves when it is the caller's turn; undefined if it already is. */
  nextTurn(): Promise<void> | undefined;
  /**
   * Calls `callback` when all requested turns are over. If no turn is requested, it calls back when
   * all results that arrived together are handled. Results that are not from Redis arrive one by
   * one, and many of them arrive in one turn of the event loop.
   */
  afterTurns(callback: () => void): void;
}

/** Number of operations in one turn. */
const PER_TURN = 8;

export function createResumeScheduler(): ResumeScheduler {
  let waiting: (() => void)[] = [];
  let last: NodeJS.Immediate | undefined;
  let isScheduling = false;
  /**
   * Number of operations that continued directly from the reply. It is reset when all turns are
   * over.
   */
  let going = 0;
  /** Operations of the turn that was scheduled last. */
  let group: (() => void)[] = [];

  /**
   * Schedules the end of all turns. The operations of one reply request their turns in immediate
   * succession, so their turns are queued before it.
   */
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
      // The turn of this group is over, so later callers must not join it.
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
