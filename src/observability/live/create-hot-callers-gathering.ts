import { withTimeout } from '../../runtime/with-timeout.js';
import { type HotCaller, type HotCallersPart, sumOfHotCallers } from './hot-callers.js';
import type { SharedParts } from './share-parts.js';

/** The callers with the most decisions, over all processes that have responded. */
export interface HotCallersReport {
  time: Date;
  processes: number;
  callers: HotCaller[];
}

/** Collects the hot callers of the other processes. */
interface HotCallersGathering {
  receive(process: string, part: HotCallersPart): void;
  /**
   * Collects the hot callers.
   * @param others connection to the other processes; undefined if this process is the only one
   */
  gather(own: HotCallersPart, others: SharedParts | undefined): Promise<HotCallersReport>;
}

/**
 * Maximum wait for the other processes, in milliseconds. It exceeds the maximum delay of their
 * reports with the default interval.
 */
const GATHER_MS = 500;

/**
 * Creates the collection of hot callers.
 * @param me id of this process
 */
export function createHotCallersGathering(me: string): HotCallersGathering {
  /** Receives the reports of other processes while hot callers are collected. */
  let onHot: ((process: string, part: HotCallersPart) => void) | undefined;

  /** Resolves when all processes that received the request, including this one, have responded. */
  async function askForHotCallers(all: SharedParts, parts: Map<string, HotCallersPart>): Promise<void> {
    let asked = Number.POSITIVE_INFINITY;
    let complete = () => {};
    const answered = new Promise<void>((resolve) => {
      complete = resolve;
    });
    onHot = (process, part) => {
      parts.set(process, part);
      if (parts.size >= asked) complete();
    };
    await all.listen();
    asked = await all.ask();
    if (parts.size >= asked) return;
    await answered;
  }

  return {
    receive: (process, part) => onHot?.(process, part),
    async gather(own, others) {
      const parts = new Map([[me, own]]);
      if (others) {
        await withTimeout(askForHotCallers(others, parts), GATHER_MS, () => undefined);
        onHot = undefined;
      }
      return { time: new Date(), processes: parts.size, callers: sumOfHotCallers([...parts.values()]) };
    },
  };
}
