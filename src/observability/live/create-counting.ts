import { timerMs } from '../../runtime/schedule.js';
import type { TrafficCounter } from './create-traffic-counter.js';

/** Lets a counter count only while somebody wants to know: this process watches, or another has asked. */
interface Counting {
  watch(): void;
  endWatch(): void;
  /** Another process asks: it counts for a while. */
  ask(): void;
  close(): void;
}

/** @param askedForMs how long it counts for another process that asks once */
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
