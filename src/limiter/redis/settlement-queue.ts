import { createRequestWriter, type RequestWriter } from './encode-request.js';
import type { ResumeScheduler } from './resume-scheduler.js';

export interface SettlementQueueOptions {
  /** Sends a call; it is on its way when this returns. */
  send(writer: RequestWriter, slot: string): Promise<unknown>;
  scheduler: ResumeScheduler;
  /** Corrections in one call. */
  maxBatch: number;
  /** Milliseconds, for how long answers have waited for each other. @default performance.now */
  clock?: () => number;
}

/** Corrections of charges on their way to Redis: those of many answers in one call, and before the answers. */
export interface SettlementQueue {
  /**
   * Adds to the call for this slot. Rejects when one of those that go out together fails.
   * @param add writes the correction; false: the call is full
   */
  add(slot: string, add: (writer: RequestWriter) => boolean): Promise<void>;
  /** Resolves when all that was added is on its way; undefined: it is. */
  sent(): Promise<void> | undefined;
  /** Resolves when Redis has answered to all that was added. */
  done(): Promise<void>;
}

/** Answers wait for each other's corrections, but no longer than this. */
const MAX_WAIT_MS = 0.5;

interface Departure {
  readonly startedMs: number;
  readonly sent: Promise<void>;
  readonly done: Promise<void>;
  leave(): void;
}

export function createSettlementQueue(options: SettlementQueueOptions): SettlementQueue {
  const { send, scheduler, maxBatch, clock = () => performance.now() } = options;
  let writers = new Map<string, RequestWriter>();
  let next: Departure | undefined;

  function prepare(): Departure {
    let markSent = () => {};
    const sent = new Promise<void>((resolve) => {
      markSent = resolve;
    });
    let hasLeft = false;
    let start: (all: [slot: string, writer: RequestWriter][]) => void = () => {};
    const done = new Promise<void>((resolve, reject) => {
      start = (all) => Promise.all(all.map(([slot, writer]) => send(writer, slot))).then(() => resolve(), reject);
    });
    function leave(): void {
      if (hasLeft) return;
      hasLeft = true;
      next = undefined;
      const all = [...writers].filter(([, writer]) => writer.count() > 0);
      writers = new Map();
      start(all);
      markSent();
    }
    scheduler.afterTurns(leave);
    return { startedMs: clock(), sent, done, leave };
  }

  return {
    add(slot, add) {
      let writer = writers.get(slot);
      let full: Promise<unknown> | undefined;
      if (writer !== undefined && (writer.count() >= maxBatch || !add(writer))) {
        full = send(writer, slot);
        writer = undefined;
      } else if (writer !== undefined) {
        const { done, startedMs, leave } = next!;
        if (clock() - startedMs > MAX_WAIT_MS) leave();
        return done;
      }
      writer = createRequestWriter();
      writers.set(slot, writer);
      add(writer);
      next ??= prepare();
      const { done } = next;
      return full === undefined ? done : Promise.all([full, done]).then(() => {});
    },
    sent: () => next?.sent,
    async done() {
      await next?.done;
    },
  };
}
