import { timerMs } from '../../runtime/schedule.js';
import type { TrafficCounter } from './create-traffic-counter.js';

/**
 * Runs a counter only while its numbers are needed: this process watches, or another process has
 * asked.
 */
interface Counting {
  watch(): void;
  endWatch(): void;
  /** Counts for a while, for another process. */
  ask(): void;
  close(): void;
}

/**
 * Creates the switch of a counter.
 * @param askedForMs time for which it counts after one question of another process, in milliseconds
 */
export function createCounting(counter: TrafficCounter, askedForMs: number): Counting {
  let isWatched = false;
  let notAsked: NodeJS.Timeout | undefined;

  function stopUnlessWatched(): void {
    notAsked = undefined;
    if (!isWatched) counter.stop();
  }

  return {
    watch() {
      isWatched = true;
      counter.start();
    },
    endWatch() {
      isWatched = false;
      if (!notAsked) counter.stop();
    },
    ask() {
      counter.start();
      clearTimeout(notAsked);
      notAsked = setTimeout(stopUnlessWatched, timerMs(askedForMs)).unref();
    },
    close() {
      clearTimeout(notAsked);
      counter.stop();
    },
  };
}
