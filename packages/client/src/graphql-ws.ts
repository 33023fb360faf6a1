import { callback, checkOptions, numberFrom } from './check-options.js';
import { steadyClock } from './steady-clock.js';

/** The part of a client of graphql-ws that is wrapped. */
interface SocketClient<Payload, Sink extends SocketSink> {
  subscribe(payload: Payload, sink: Sink): () => void;
}

/** The part of a sink of graphql-ws that is wrapped. */
interface SocketSink {
  next(value: never): void;
  error(error: unknown): void;
  complete(): void;
}

interface SocketResult {
  data?: unknown;
  errors?: unknown;
}

export interface PacedSubscriptionOptions {
  /**
   * Maximum total wait of an operation without a result, in milliseconds. Then it fails with the
   * denial of the API.
   * @default 90000
   */
  maxWaitMs?: number;
  /** Receives each wait of an operation, in milliseconds, with the code of its error. */
  onWait?: (waitMs: number, code: string) => void;
  /**
   * Returns the time in milliseconds.
   * @default performance.now
   */
  now?: () => number;
  /**
   * Calls back after a delay in milliseconds, and returns a function that cancels the call.
   * @default setTimeout
   */
  setTimer?: (callback: () => void, delayMs: number) => () => void;
  /** Returns a random number from 0 to 1, for the jitter of retries. @default Math.random */
  random?: () => number;
}

const CHECKS = { maxWaitMs: numberFrom(0), onWait: callback, now: callback, setTimer: callback, random: callback };

/** Maximum jitter of a retry, as a share of its wait. */
const JITTER = 0.05;
/** Maximum time, in milliseconds, over which the clients of a stopped server subscribe again. */
const MOVE_MS = 1000;
/**
 * First wait after another operation of this client has ended, in milliseconds. The API may free the
 * slot slightly later. Each further wait is twice as long.
 */
const FIRST_BACKOFF_MS = 50;

/**
 * Returns a client of graphql-ws that starts an operation again if the API denies it, after the time
 * that the denial reports. An operation that lacks only a slot also starts again when another one of
 * this client ends. A subscription that a server ended because it stops starts again as well. Use it
 * with `GraphQLWsLink` of Apollo Client, or with `subscriptionExchange` of urql. The function
 * `iterate` of the client is not changed.
 * @throws TypeError if an option is invalid
 * @example paceSubscriptions(createClient({ url, connectionParams }))
 */
export function paceSubscriptions<Payload, Sink extends SocketSink, Client extends SocketClient<Payload, Sink>>(
  client: Client & SocketClient<Payload, Sink>,
  options: PacedSubscriptionOptions = {},
): Client {
  checkOptions('paceSubscriptions', options, CHECKS);
  const { maxWaitMs = 90_000, onWait, setTimer = startTimer, random = Math.random } = options;
  const now = steadyClock(options.now ?? (() => performance.now()));
  /** Functions that start the operations that wait for a slot, in the order of their denials. */
  const waiting = new Set<() => void>();
  /** Number of operations that have started and not ended. */
  let running = 0;

  function ended(): void {
    running--;
    const [startNext] = waiting;
    startNext?.();
  }

  function subscribe(payload: Payload, sink: Sink): () => void {
    let giveUpAtMs: number | undefined;
    /** Next wait; undefined until another operation of this client has ended. */
    let backoffMs: number | undefined;
    let stop = () => {};
    let isOver = false;

    /** Starts the operation after a delay, or earlier if it lacks a slot and another one ends. */
    function startLater(waitMs: number, isConcurrency: boolean): void {
      const cancel = setTimer(() => {
        waiting.delete(startEarlier);
        start();
      }, waitMs);
      const startEarlier = () => {
        waiting.delete(startEarlier);
        cancel();
        backoffMs = FIRST_BACKOFF_MS;
        start();
      };
      if (isConcurrency && backoffMs === undefined) waiting.add(startEarlier);
      stop = () => {
        waiting.delete(startEarlier);
        cancel();
      };
    }

    /** Starts the operation again after its wait. Returns false if it may not start again. */
    function restart(errors: unknown): boolean {
      const denial = retryOf(errors, random);
      if (isOver || denial === undefined) return false;
      const { code, isConcurrency } = denial;
      const nowMs = now();
      giveUpAtMs ??= nowMs + maxWaitMs;
      const leftMs = giveUpAtMs - nowMs;
      let { waitMs } = denial;
      if (isConcurrency && backoffMs !== undefined) {
        waitMs = Math.min(waitMs, backoffMs * (1 + JITTER * random()));
        backoffMs *= 2;
      }
      // A slot becomes free earlier than the API predicts if an operation of this client ends.
      if (isConcurrency && running > 1) waitMs = Math.min(waitMs, leftMs);
      if (leftMs <= 0 || waitMs > leftMs) return false;
      startLater(waitMs, isConcurrency);
      onWait?.(waitMs, code);
      return true;
    }

    function start(): void {
      let hasEnded = false;
      running++;
      /** Returns whether the operation was running until now. */
      function end(): boolean {
        if (hasEnded) return false;
        hasEnded = true;
        ended();
        return true;
      }
      /** Returns whether the operation was denied and starts again. */
      function isDenied(errors: unknown): boolean {
        if (!restart(errors)) return false;
        hasEnded = true;
        running--;
        return true;
      }
      const leave = client.subscribe(payload, {
        ...sink,
        next(value: SocketResult & never) {
          if (hasEnded) return;
          // Some servers report a denial as a result without data, after which the operation is over.
          const { data, errors } = value as SocketResult;
          const hasData = data !== undefined && data !== null;
          if (!hasData && isDenied(errors)) return;
          if (hasData) {
            giveUpAtMs = undefined;
            backoffMs = undefined;
          }
          sink.next(value);
        },
        error(error: unknown) {
          if (hasEnded || isDenied(error)) return;
          if (end()) sink.error(error);
        },
        complete() {
          if (end()) sink.complete();
        },
      });
      // A client may have ended the operation before `subscribe` returned.
      if (hasEnded) return;
      stop = () => {
        leave();
        end();
      };
    }

    start();
    return () => {
      isOver = true;
      stop();
    };
  }
  return { ...client, subscribe };
}

/** Returns the wait after which an operation may start again; undefined if it may not. */
function retryOf(
  error: unknown,
  random: () => number,
): { waitMs: number; code: string; isConcurrency: boolean } | undefined {
  // A message of the API is a list of errors. Other values report the end of the socket.
  if (!Array.isArray(error)) return undefined;
  const [{ extensions = {} } = {}] = error as { extensions?: Record<string, unknown> }[];
  const { code, retryAfterMs } = extensions;
  const isConcurrency = extensions['isConcurrency'] === true;
  if (code === 'SUBSCRIPTION_ENDED') return { waitMs: MOVE_MS * random(), code, isConcurrency };
  if (code !== 'THROTTLED' && code !== 'UNDECIDED') return undefined;
  if (typeof retryAfterMs !== 'number' || !(retryAfterMs >= 0)) return undefined;
  return { waitMs: retryAfterMs * (1 + JITTER * random()), code, isConcurrency };
}

function startTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
