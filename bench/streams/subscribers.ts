import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Message to the process of the subscribers. */
export type ToSubscribers =
  | {
      /** Opens a WebSocket with one subscription for each talker from `first` to `last`. */
      open: { url: string; first: number; last: number };
    }
  | {
      /** Reports the delays of the events once this number of events has arrived since the last report. */
      expect: number;
    }
  | { closeAll: true };

export type FromSubscribers = { opened: true } | Delays | { closed: true };

export interface Delays {
  p50Ms: number;
  p99Ms: number;
}

/** Clients in a separate process, so that they use no memory and no processor time of the server. */
export interface Subscribers {
  open(subscriptions: { url: string; first: number; last: number }): Promise<unknown>;
  /** Resolves to the delays of this number of events, once they have arrived. */
  received(events: number): Promise<Delays>;
  closeAll(): Promise<unknown>;
  stop(): void;
}

export function startSubscribers(): Subscribers {
  const child = fork(fileURLToPath(new URL('./subscribers-process.ts', import.meta.url)));
  async function ask(message: ToSubscribers): Promise<FromSubscribers> {
    const ended = new AbortController();
    const answer = once(child, 'message', { signal: ended.signal });
    const exit = once(child, 'exit', { signal: ended.signal }).then(([code]) => {
      throw new Error(`the process of the subscribers ended with ${code}`);
    });
    child.send(message);
    try {
      const [first] = await Promise.race([answer, exit]);
      return first as FromSubscribers;
    } finally {
      ended.abort();
      await Promise.allSettled([answer, exit]);
    }
  }
  return {
    open: (open) => ask({ open }),
    received: async (expected) => (await ask({ expect: expected })) as Delays,
    closeAll: () => ask({ closeAll: true }),
    stop: () => child.disconnect(),
  };
}
