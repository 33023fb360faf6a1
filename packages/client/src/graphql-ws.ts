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
   * Calls back after a delay in milliseconds, and returns a function that cancels the call.
   * @default setTimeout
   */
  setTimer?: (callback: () => void, delayMs: number) => () => void;
  /** Returns a random number from 0 to 1, for the jitter of retries. @default Math.random */
  random?: () => number;
}

/** Maximum jitter of a retry, as a share of its wait. */
const JITTER = 0.05;
/** Maximum time, in milliseconds, over which the clients of a stopped server subscribe again. */
const MOVE_MS = 1000;

/**
 * Returns a client of graphql-ws that starts an operation again if the API denies it, after the time
 * that the denial reports. Also starts a subscription again that a server ended because it stops.
 * Use it with `GraphQLWsLink` of Apollo Client, or with `subscriptionExchange` of urql. The function
 * `iterate` of the client is not changed.
 * @example paceSubscriptions(createClient({ url, connectionParams }))
 */
export function paceSubscriptions<Payload, Sink extends SocketSink, Client extends SocketClient<Payload, Sink>>(
  client: Client & SocketClient<Payload, Sink>,
  options: PacedSubscriptionOptions = {},
): Client {
  const { maxWaitMs = 90_000, onWait, setTimer = startTimer, random = Math.random } = options;

  function subscribe(payload: Payload, sink: Sink): () => void {
    let leftMs = maxWaitMs;
    let stop = () => {};
    let isOver = false;

    function start(): void {
      let isStopped = false;
      /** Starts the operation again after its wait. Returns false if it may not start again. */
      function restart(errors: unknown): boolean {
        const retry = retryOf(errors, random);
        if (isOver || retry === undefined || retry.waitMs > leftMs) return false;
        isStopped = true;
        leftMs -= retry.waitMs;
        onWait?.(retry.waitMs, retry.code);
        stop = setTimer(start, retry.waitMs);
        return true;
      }
      const started = client.subscribe(payload, {
        ...sink,
        next(value: SocketResult & never) {
          if (isStopped) return;
          // Some servers report a denial as a result without data, after which the operation is over.
          const { data, errors } = value as SocketResult;
          if ((data === undefined || data === null) && restart(errors)) return;
          if (data !== undefined && data !== null) leftMs = maxWaitMs;
          sink.next(value);
        },
        error(error: unknown) {
          if (!isStopped && !restart(error)) sink.error(error);
        },
        complete() {
          if (!isStopped) sink.complete();
        },
      });
      // A client may have ended the operation before `subscribe` returned.
      if (!isStopped) stop = started;
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
function retryOf(error: unknown, random: () => number): { waitMs: number; code: string } | undefined {
  // A message of the API is a list of errors. Other values report the end of the socket.
  if (!Array.isArray(error)) return undefined;
  const [{ extensions = {} } = {}] = error as { extensions?: Record<string, unknown> }[];
  const { code, retryAfterMs } = extensions;
  if (code === 'SUBSCRIPTION_ENDED') return { waitMs: MOVE_MS * random(), code };
  if (code !== 'THROTTLED' && code !== 'UNDECIDED') return undefined;
  if (typeof retryAfterMs !== 'number' || !(retryAfterMs >= 0)) return undefined;
  return { waitMs: retryAfterMs * (1 + JITTER * random()), code };
}

function startTimer(callback: () => void, delayMs: number): () => void {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
}
