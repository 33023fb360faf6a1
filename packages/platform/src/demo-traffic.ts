import { setTimeout as waitMs } from 'node:timers/promises';
import { type DemoCaller, demoCallers } from './demo-callers.js';

/** An answer that takes longer is not waited for. */
const PATIENCE_MS = 5000;

interface DemoTrafficOptions {
  /** The GraphQL endpoint of the sample API, asked for once they are turned on. */
  url: string | (() => string);
  callers?: readonly DemoCaller[];
  /** Resolves after so long, rejects as soon as the signal is aborted. @default the clock's */
  wait?(ms: number, signal: AbortSignal): Promise<unknown>;
  /** 0 to 1, as of `Math.random`: pauses differ by up to a third either way. */
  random?(): number;
}

interface DemoTraffic {
  readonly isOn: boolean;
  turnOn(): void;
  /** No request is sent once it resolves; what is on its way is cut. */
  turnOff(): Promise<void>;
}

/**
 * A few made-up callers who ask the sample API over HTTP, with keys of their own, so that a first look at the platform shows
 * something. They are counted, denied and recorded like everybody, under names that begin with `demo-`. Off until turned on.
 *
 * Each has one request on its way at most: a platform that is slow is asked less.
 */
export function createDemoTraffic({
  url,
  callers = demoCallers,
  wait = (ms, signal) => waitMs(ms, undefined, { signal }),
  random = Math.random,
}: DemoTrafficOptions): DemoTraffic {
  let current: { stop: AbortController; ended: Promise<unknown> } | undefined;

  async function keepAsking({ key, pauseMs, operations }: DemoCaller, signal: AbortSignal): Promise<void> {
    for (let turn = 0; !signal.aborted; turn++) {
      try {
        await wait(pauseMs * (2 / 3 + random() * (2 / 3)), signal);
      } catch (error) {
        if (signal.aborted) return;
        throw error;
      }
      await ask(key, operations[turn % operations.length]!, signal);
    }
  }

  async function ask(key: string, operation: DemoCaller['operations'][number], signal: AbortSignal): Promise<void> {
    // A signal made of several is held by each of them: with one that lasts for days, they would pile up.
    const cut = new AbortController();
    const end = () => cut.abort();
    signal.addEventListener('abort', end, { once: true });
    const patience = setTimeout(end, PATIENCE_MS);
    try {
      const answer = await fetch(typeof url === 'string' ? url : url(), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key, 'user-agent': 'tollgate-demo-traffic' },
        body: JSON.stringify(operation),
        signal: cut.signal,
      });
      await answer.arrayBuffer();
    } catch {
      // A platform that does not answer says so in its own log and metrics; they ask again.
    } finally {
      clearTimeout(patience);
      signal.removeEventListener('abort', end);
    }
  }

  return {
    get isOn() {
      return current !== undefined;
    },
    turnOn() {
      if (current) return;
      const stop = new AbortController();
      current = { stop, ended: Promise.all(callers.map((caller) => keepAsking(caller, stop.signal))) };
    },
    async turnOff() {
      const { stop, ended } = current ?? {};
      current = undefined;
      stop?.abort();
      await ended;
    },
  };
}
