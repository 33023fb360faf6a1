import { setTimeout as waitMs } from 'node:timers/promises';
import { type DemoCaller, demoCallers } from './demo-callers.js';

/** Maximum wait for a response, in milliseconds. */
const PATIENCE_MS = 5000;

interface DemoTrafficOptions {
  /** GraphQL endpoint of the sample API. A function is called for each request. */
  url: string | (() => string);
  callers?: readonly DemoCaller[];
  /**
   * Waits for a time in milliseconds. It rejects as soon as the signal is aborted.
   * @default a timer
   */
  wait?(ms: number, signal: AbortSignal): Promise<unknown>;
  /** Returns a random number from 0 to 1. Pauses vary by up to a third in both directions. */
  random?(): number;
}

interface DemoTraffic {
  readonly isOn: boolean;
  turnOn(): void;
  /** Stops the callers and aborts requests in flight. After it resolves, no request is sent. */
  turnOff(): Promise<void>;
}

/**
 * Creates a few simulated callers that send requests to the sample API over HTTP, with their own
 * keys. So a new platform shows some traffic. The callers are counted, denied and recorded like all
 * callers, under names that begin with `demo-`. The callers send nothing until `turnOn` is called.
 *
 * Each caller has at most one request in flight, so that a slow platform receives fewer requests.
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

  async function ask(
    key: string,
    { listenMs, ...operation }: DemoCaller['operations'][number],
    signal: AbortSignal,
  ): Promise<void> {
    // `AbortSignal.any` is no alternative: each source signal keeps a reference to the combined
    // one. With a signal that exists for days, these references would accumulate.
    const cut = new AbortController();
    const end = () => cut.abort();
    signal.addEventListener('abort', end, { once: true });
    const patience = setTimeout(end, listenMs ?? PATIENCE_MS);
    try {
      const answer = await fetch(typeof url === 'string' ? url : url(), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-api-key': key,
          'user-agent': 'tollgate-demo-traffic',
          ...(listenMs !== undefined && { accept: 'text/event-stream' }),
        },
        body: JSON.stringify(operation),
        signal: cut.signal,
      });
      await answer.arrayBuffer();
    } catch {
      // The error is ignored, because the platform has its own log and metrics. The caller sends
      // its next request.
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
