import type { IncomingMessage } from 'node:http';
import type { Subject } from '../../model/subject.js';
import type { UpstreamSocket } from './open-upstream-socket.js';
import { runSocketOperation } from './run-socket-operation.js';

/** Close code and reason of a socket that violates the protocol. */
export type Violation = readonly [code: number, reason: string];

interface SocketOperationsOptions {
  readonly options: Parameters<typeof runSocketOperation>[0] & { readonly maxSocketOperations: number };
  readonly known: { readonly request: IncomingMessage; readonly subject: Subject };
  /** Returns the socket of the API; undefined until it is ready. */
  upstream(): UpstreamSocket | undefined;
  send(message: string): Promise<void>;
}

/** The operations of one socket. */
interface SocketOperations {
  /** Starts an operation. Returns the violation of the protocol, if there is one. */
  subscribe(message: Record<string, unknown>, text: string): Violation | undefined;
  /** Ends an operation. Returns whether it exists. */
  complete(id: unknown): boolean;
  abortAll(): void;
  /** Resolves when the operations have sent their last messages. */
  over(): Promise<unknown>;
}

export function createSocketOperations({ options, known, upstream, send }: SocketOperationsOptions): SocketOperations {
  const { maxSocketOperations } = options;
  const operations = new Map<string, AbortController>();
  const running = new Set<Promise<void>>();

  async function run(
    id: string,
    gone: AbortController,
    asked: { payload: unknown; text: string; upstream: UpstreamSocket },
  ): Promise<void> {
    const exceeded = operations.size > maxSocketOperations ? maxSocketOperations : undefined;
    const { request, subject } = known;
    const last = await runSocketOperation(options, {
      ...asked,
      id,
      request,
      subject,
      gone: gone.signal,
      exceeded,
      send,
    });
    // Another operation may use the id as soon as the client has received the last message.
    operations.delete(id);
    if (!gone.signal.aborted) await send(last);
  }

  return {
    subscribe(message, text) {
      const { id, payload } = message;
      const ready = upstream();
      if (typeof id !== 'string' || id === '') return [4400, 'Invalid message received: id'];
      if (ready === undefined) return [4401, 'Unauthorized'];
      if (operations.has(id)) return [4409, `Subscriber for ${id} already exists`];
      const gone = new AbortController();
      operations.set(id, gone);
      const ran = run(id, gone, { payload, text, upstream: ready })
        .catch(options.onError)
        .finally(() => {
          running.delete(ran);
          if (operations.get(id) === gone) operations.delete(id);
        });
      running.add(ran);
      return undefined;
    },
    complete(id) {
      const operation = operations.get(String(id));
      operation?.abort();
      return operation !== undefined;
    },
    abortAll() {
      for (const gone of operations.values()) gone.abort();
    },
    over: () => Promise.all(running),
  };
}
