import { timerMs } from '../../runtime/schedule.js';
import type { TrafficCounter } from './create-traffic-counter.js';

/**
 * Runs a counter only while its numbers are needed: this process watches the live traffic, or
 * another process has requested the numbers.
 */
interface Counting {
  watch(): void;
  endWatch(): void;
  /** Counts for `askedForMs`, because another process has requested the numbers. */
  ask(): void;
  close(): void;
}

/**
 * Creates the object that starts and stops a counter.
 * @param askedForMs time for which it counts after a request of another process, in milliseconds
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
