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
 * Queue of corrections of charges for Redis. Corrections travel in the next call that makes charges
 * at the same place (see `ChargeQueue`). If one of them must not wait for it, all queued corrections
 * are sent without charges, before the responses.
 */
export interface SettlementQueue {
  /**
   * Adds a correction to the call for this place. Resolves and rejects as that call does.
   * @param add writes the correction; false if the call is full
   * @param mayWait whether the correction may wait up to `MAX_DELAY_MS` for charges
   */
  add(place: string, add: (writer: RequestWriter) => boolean, mayWait: boolean): Promise<void>;
  /** Removes the call for this place from the queue, so that charges can be added to it. */
  take(place: string): UnsentCorrections | undefined;
  /** Resolves when the corrections that must not wait are sent; undefined if none has been added. */
  sent(): Promise<void> | undefined;
  /** Sends all corrections that are not sent yet. Resolves when Redis has replied to them. */
  done(): Promise<void>;
}

/** Corrections that were taken from the queue. They must be sent in the same turn. */
export interface UnsentCorrections {
  readonly writer: RequestWriter;
  /** Sends the corrections without charges. */
  send(): void;
  /** Ends the corrections as this call ends, which contains them. */
  follow(call: Promise<unknown>): void;
}

/** Maximum time for which responses wait for each other's corrections, in milliseconds. */
const MAX_WAIT_MS = 0.5;

/** Maximum time for which a correction waits for charges, in milliseconds. */
const MAX_DELAY_MS = 2;

interface Call extends UnsentCorrections {
  readonly done: Promise<void>;
}

interface Departure {
  readonly startedMs: number;
  readonly sent: Promise<void>;
  leave(): void;
}

export function createSettlementQueue(options: SettlementQueueOptions): SettlementQueue {
  const { send, scheduler, maxBatch, clock = monotonicClock } = options;
  const calls = new Map<string, Call>();
  let next: Departure | undefined;
  let timer: NodeJS.Timeout | undefined;

  function createCall(): Call {
    const writer = new RequestWriter();
    let end = (_call: Promise<unknown>) => {};
    const done = new Promise<void>((resolve, reject) => {
      end = (call) => void call.then(() => resolve(), reject);
    });
    const sendAlone = () => end(writer.count() === 0 ? Promise.resolve() : send(writer));
    return { writer, done, send: sendAlone, follow: end };
  }

  function sendAll(): void {
    clearTimeout(timer);
    timer = undefined;
    const all = [...calls.values()];
    calls.clear();
    for (const call of all) call.send();
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
      sendAll();
      markSent();
    }
    scheduler.afterTurns(leave);
    return { startedMs: clock(), sent, leave };
  }

  return {
    add(place, add, mayWait) {
      let call = calls.get(place);
      if (call === undefined || call.writer.count() >= maxBatch || !add(call.writer)) {
        call?.send();
        call = createCall();
        calls.set(place, call);
        add(call.writer);
      }
      if (mayWait) timer ??= setTimeout(sendAll, MAX_DELAY_MS);
      else if (next === undefined) next = prepare();
      else if (clock() - next.startedMs > MAX_WAIT_MS) next.leave();
      return call.done;
    },
    take(place) {
      const call = calls.get(place);
      if (call === undefined) return undefined;
      calls.delete(place);
      if (calls.size === 0) {
        clearTimeout(timer);
        timer = undefined;
      }
      return call;
    },
    sent: () => next?.sent,
    async done() {
      const all = [...calls.values()].map((call) => call.done);
      sendAll();
      await Promise.all(all);
    },
  };
}
