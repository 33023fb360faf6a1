import { type Clock, monotonicClock } from '../../runtime/clock.js';
import { RequestWriter } from './request-writer.js';
import type { ResumeScheduler } from './resume-scheduler.js';

interface SettlementQueueOptions {
  /** Sends a call. The call is in flight when this returns. */
  send(writer: RequestWriter): Promise<unknown>;
  scheduler: ResumeScheduler;
  /** Maximum number of corrections in one call. */
  maxBatch: number;
  clock?: Clock;
}

/**
 * Queue of corrections of charges for Redis. The corrections of many responses share one call,
 * which is sent before the responses.
 */
export interface SettlementQueue {
  /**
   * Adds a correction to the call for this place (see `ChargeQueue`). Resolves and rejects as that
   * call does.
   * @param add writes the correction; false if the call is full
   */
  add(place: string, add: (writer: RequestWriter) => boolean): Promise<void>;
  /** Resolves when all corrections that were added are sent; undefined if they already are. */
  sent(): Promise<void> | undefined;
  /**
   * Resolves when Redis has replied to the corrections that are not sent yet. Rejects if one of
   * their calls fails.
   */
  done(): Promise<void>;
}

/** Maximum time for which responses wait for each other's corrections, in milliseconds. */
const MAX_WAIT_MS = 0.5;

interface Call {
  readonly writer: RequestWriter;
  readonly done: Promise<void>;
  start(): void;
}

interface Departure {
  readonly startedMs: number;
  readonly sent: Promise<void>;
  leave(): void;
}

export function createSettlementQueue(options: SettlementQueueOptions): SettlementQueue {
  const { send, scheduler, maxBatch, clock = monotonicClock } = options;
  let calls = new Map<string, Call>();
  let next: Departure | undefined;

  function createCall(): Call {
    const writer = new RequestWriter();
    let start = () => {};
    const done = new Promise<void>((resolve, reject) => {
      start = () => {
        if (writer.count() === 0) resolve();
        else send(writer).then(() => resolve(), reject);
      };
    });
    return { writer, done, start };
  }

  function prepare(): Departure {
    let markSent = () => {};
    const sent = new Promise<void>((resolve) => {
      markSent = resolve;
    });
    let hasLeft = false;
    function leave(): void {
      if (hasLeft) return;
      hasLeft = true;
      next = undefined;
      const all = calls;
      calls = new Map();
      for (const call of all.values()) call.start();
      markSent();
    }
    scheduler.afterTurns(leave);
    return { startedMs: clock(), sent, leave };
  }

  return {
    add(place, add) {
      const open = calls.get(place);
      if (open !== undefined && open.writer.count() < maxBatch && add(open.writer)) {
        if (clock() - next!.startedMs > MAX_WAIT_MS) next!.leave();
        return open.done;
      }
      open?.start();
      const call = createCall();
      calls.set(place, call);
      add(call.writer);
      next ??= prepare();
      return call.done;
    },
    sent: () => next?.sent,
    async done() {
      await Promise.all([...calls.values()].map((call) => call.done));
    },
  };
}
