/**
 * One reply of Redis admits many operations. Each goes on in a turn of its own: without, they would run interleaved, field
 * by field, and all their objects would be alive when memory is collected. What they settle can go out together when the
 * turns are over; no other event is handled between them.
 */
export interface Turns {
  /** Goes on in a turn of the event loop that no other caller goes on in. */
  own(): Promise<void>;
  /** Calls back when all turns that were asked for are over; at once in the next microtask where there are none. */
  afterwards(callback: () => void): void;
}

export function createTurns(): Turns {
  let waiting: (() => void)[] = [];
  let last: NodeJS.Immediate | undefined;
  let isScheduling = false;

  /** The callers of one reply ask one right after the other: what they have queued by now comes before this. */
  function scheduleLast(): void {
    isScheduling = false;
    clearImmediate(last);
    last = setImmediate(end);
  }

  function end(): void {
    last = undefined;
    const callbacks = waiting;
    waiting = [];
    for (const callback of callbacks) callback();
  }

  return {
    own() {
      if (!isScheduling) {
        isScheduling = true;
        queueMicrotask(scheduleLast);
      }
      return new Promise((resolve) => {
        setImmediate(resolve);
      });
    },
    afterwards(callback) {
      if (last === undefined) queueMicrotask(callback);
      else waiting.push(callback);
    },
  };
}
