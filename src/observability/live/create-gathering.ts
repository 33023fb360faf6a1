import { withTimeout } from '../../runtime/with-timeout.js';
import type { Asked, ReportedPart, SharedParts } from './share-parts.js';

/** Collects the reports of the other processes. */
interface Gathering {
  receive(process: string, part: ReportedPart): void;
  /**
   * Returns the reports of this process and of those that respond in time.
   * @param others connection to the other processes; undefined if this process is the only one
   */
  gather(own: ReportedPart, others: SharedParts | undefined, asked?: Asked): Promise<ReportedPart[]>;
}

/**
 * Maximum wait for the other processes, in milliseconds. It exceeds the maximum delay of their
 * reports with the default interval.
 */
const GATHER_MS = 500;

/**
 * Creates the collection of reports.
 * @param me id of this process
 */
export function createGathering(me: string): Gathering {
  /** The collections that are under way. */
  const listeners = new Set<(process: string, part: ReportedPart) => void>();

  /** Resolves when all processes that received the request, including this one, have responded. */
  async function askAll(
    all: SharedParts,
    parts: Map<string, ReportedPart>,
    asked: Asked | undefined,
    listen: (onPart: (process: string, part: ReportedPart) => void) => void,
  ): Promise<void> {
    let receivers = Number.POSITIVE_INFINITY;
    let complete = () => {};
    const answered = new Promise<void>((resolve) => {
      complete = resolve;
    });
    listen((process, part) => {
      // A process may report for another reason before it receives this request.
      if (!isAnswer(part, asked)) return;
      parts.set(process, part);
      if (parts.size >= receivers) complete();
    });
    await all.listen();
    receivers = await all.ask(asked);
    if (parts.size >= receivers) return;
    await answered;
  }

  return {
    receive(process, part) {
      for (const onPart of listeners) onPart(process, part);
    },
    async gather(own, others, asked) {
      const parts = new Map([[me, own]]);
      if (!others) return [own];
      let listener: ((process: string, part: ReportedPart) => void) | undefined;
      const listen = (onPart: (process: string, part: ReportedPart) => void) => {
        listener = onPart;
        listeners.add(onPart);
      };
      await withTimeout(askAll(others, parts, asked, listen), GATHER_MS, () => undefined);
      if (listener) listeners.delete(listener);
      return [...parts.values()];
    },
  };
}

/** Returns whether a report contains the part that was asked for. */
function isAnswer({ hot, shared, streams = [] }: ReportedPart, asked: Asked | undefined): boolean {
  if (asked === undefined) return hot !== undefined;
  if (asked === 'ADDRESSES') return shared !== undefined;
  return streams.some(({ request }) => request === asked.request);
}
