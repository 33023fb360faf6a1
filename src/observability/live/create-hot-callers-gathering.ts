import { withTimeout } from '../../runtime/with-timeout.js';
import { type HotCaller, type HotCallersPart, sumOfHotCallers } from './hot-callers.js';
import type { SharedParts } from './share-parts.js';

/** The callers who take most decisions, of all processes that have answered. */
export interface HotCallersReport {
  time: Date;
  processes: number;
  callers: HotCaller[];
}

/** Asks the other processes for their hot callers. */
interface HotCallersGathering {
  hear(process: string, part: HotCallersPart): void;
  /** @param others undefined: there is this process alone */
  gather(own: HotCallersPart, others: SharedParts | undefined): Promise<HotCallersReport>;
}

/** Longer than the others may wait before they answer, by default. */
const GATHER_MS = 500;

/** @param me the process that asks */
export function createHotCallersGathering(me: string): HotCallersGathering {
  /** What is told while hot callers are gathered. */
  let onHot: ((process: string, part: HotCallersPart) => void) | undefined;

  /** Resolves when all who have heard the question, this process among them, have answered it. */
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
    hear: (process, part) => onHot?.(process, part),
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
