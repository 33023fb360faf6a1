import { type ExecutionArgs, type ExecutionResult, type GraphQLError, getOperationAST, Kind } from 'graphql';
import type { ProtectedRequest } from '../any-server/protect.js';
import type { HandshakeRequest } from '../graphql-ws/socket-connection.js';
import { errorOf } from '../model/errors.js';
import { CLOSE_CODES } from '../protection/connections/close-codes.js';
import { TIMINGS } from '../runtime/timings.js';
import type { FastifyReply, FastifyRequest, WebSocketOfFastify } from './fastify-app.js';

/** Request of a handshake, with the headers that it had before Mercurius changes them. */
export interface HandshakeOfMercurius extends HandshakeRequest {
  fastify: { request: FastifyRequest; reply: FastifyReply };
}

/** Options of a graphql-ws server that Tollgate protects. */
interface ProtectedServer {
  onConnect(context: object): Promise<unknown>;
  onSubscribe(context: object, id: string, payload: object): Promise<ExecutionArgs | undefined>;
  context(context: object, id: string, payload: object, args: object): Promise<object>;
  subscribe(args: ExecutionArgs): Promise<AsyncIterable<ExecutionResult> | ExecutionResult>;
}

interface MercuriusSocketOptions {
  server: ProtectedServer;
  /** Charges the fee for an operation that Mercurius rejects. */
  reject(error: GraphQLError): Promise<ProtectedRequest>;
}

interface Payload {
  query?: unknown;
  operationName?: string | null;
  variables?: Record<string, unknown> | null;
}

interface Message {
  type?: unknown;
  id?: unknown;
  payload?: unknown;
}

/** Message of a client for an operation that Mercurius has not begun. */
interface Asked {
  /** Undefined if the client has ended the operation. */
  payload: Payload | undefined;
  /** Size of the message; 0 when it is no longer kept. */
  bytes: number;
  /** Whether Mercurius has begun the operation, or Tollgate has rejected it. */
  isAnswered: boolean;
}

/** A subscription of a client, from its message to its end. */
export interface SocketOperation {
  /** Whether the client has ended it. */
  hasEnded: boolean;
  /** Whether Tollgate has priced it, so that its own source is opened next. */
  hasBegun: boolean;
  /** Last event that was read, as Mercurius sends it. */
  result: ExecutionResult | undefined;
  /** Prices and opens the subscription, executed with the context of Mercurius. */
  begin(
    asked: { document: string | undefined; operationName: string | undefined },
    executedWith: Pick<ExecutionArgs, 'schema' | 'rootValue'> & { contextValue: object },
  ): Promise<AsyncIterable<ExecutionResult> | ExecutionResult>;
  stop(): void;
  onStop: () => void;
}

/**
 * Maximum number of operations per connection that Mercurius has not started. Mercurius does not
 * report rejections, so the count keeps operations that it rejected without a fee. The count also
 * keeps an operation whose id the client used again before the response.
 */
const MAX_UNANSWERED = 100;
/** Maximum size of the messages of operations that Mercurius has not begun, in bytes. */
const MAX_UNANSWERED_BYTES = 4_194_304;

/** Time within which a client has to send `connection_init`, and the close code, as in graphql-ws. */
const INIT_TIMEOUT_MS = 3000;
const INIT_TIMEOUT_CODE = 4408;

const NO_TEXT =
  'payload.query: expected the text of a document with one subscription: send queries and mutations over HTTP, and give each operation an id of its own';

/** One WebSocket of Mercurius. */
export class MercuriusSocket {
  readonly #handshake: HandshakeOfMercurius;
  readonly #options: MercuriusSocketOptions;
  /** Messages that Mercurius has not begun to execute. */
  readonly #asked = new Map<string, Asked>();
  #askedBytes = 0;
  readonly #begun = new Map<string, Set<SocketOperation>>();
  #state: { extra: object; connectionParams?: object } | undefined;
  #ready: Promise<unknown> | undefined;
  #webSocket: WebSocketOfFastify | undefined;
  #unanswered = 0;

  constructor(handshake: HandshakeOfMercurius, options: MercuriusSocketOptions) {
    this.#handshake = handshake;
    this.#options = options;
  }

  /** Reads the messages of the client. Called before Mercurius attaches its listener. */
  open(webSocket: WebSocketOfFastify): void {
    this.#webSocket = webSocket;
    webSocket.on('message', (data, isBinary) => {
      const message = messageOf(data, isBinary);
      if (message) this.#read(message, (data as { length: number }).length);
    });
    const stopTimer = TIMINGS.schedule(() => {
      if (!this.#ready) webSocket.close(INIT_TIMEOUT_CODE, 'Connection initialization timeout');
    }, INIT_TIMEOUT_MS);
    webSocket.on('close', () => {
      stopTimer();
      this.#asked.clear();
      for (const operation of [...this.#begun.values()].flatMap((all) => [...all])) operation.stop();
    });
  }

  /** Returns the operation that Mercurius begins. */
  take(id: unknown): SocketOperation {
    const key = String(id);
    const asked = this.#asked.get(key);
    const payload = asked?.payload;
    this.#asked.delete(key);
    if (asked) this.#forget(asked);
    const operations = this.#begun.get(key) ?? new Set();
    const forget = () => {
      if (this.#begun.get(key) === operations) this.#begun.delete(key);
    };
    const operation: SocketOperation = {
      hasEnded: false,
      hasBegun: false,
      result: undefined,
      begin: (parsed, executedWith) => {
        if (asked) this.#answered(asked);
        return this.#begin(key, payload, parsed, executedWith);
      },
      stop() {
        operation.hasEnded = true;
        operations.delete(operation);
        if (operations.size === 0) forget();
        operation.onStop();
      },
      onStop() {},
    };
    this.#begun.set(key, operations.add(operation));
    return operation;
  }

  #read({ type, id, payload }: Message, bytes: number): void {
    const key = String(id);
    if (type === 'connection_init') {
      this.#ready ??= this.#connect(payload);
    } else if (type === 'subscribe' || type === 'start') {
      this.#asks(key, (payload ?? {}) as Payload, bytes);
    } else if (type === 'complete' || type === 'stop') {
      // Mercurius may still be parsing the operation, so `#unanswered` still counts it.
      const asked = this.#asked.get(key);
      if (asked) this.#forget(asked);
      for (const operation of [...(this.#begun.get(key) ?? [])]) operation.stop();
    }
  }

  #asks(id: string, payload: Payload, bytes: number): void {
    this.#unanswered++;
    this.#askedBytes += bytes;
    if (this.#unanswered > MAX_UNANSWERED || this.#askedBytes > MAX_UNANSWERED_BYTES) {
      this.#close('Too many operations wait or were rejected');
      return;
    }
    const asked: Asked = { payload, bytes, isAnswered: false };
    this.#asked.set(id, asked);
    this.#chargeUnreadable(id, payload, asked).catch(() => this.#close('Internal server error'));
  }

  /** Drops the message of an operation. */
  #forget(asked: Asked): void {
    this.#askedBytes -= asked.bytes;
    asked.bytes = 0;
    asked.payload = undefined;
  }

  /** Counts an operation as answered, once. */
  #answered(asked: Asked): void {
    if (asked.isAnswered) return;
    asked.isAnswered = true;
    this.#unanswered--;
  }

  #connect(params: unknown): Promise<unknown> {
    const connectionParams = typeof params === 'object' && params !== null ? params : {};
    this.#state = { extra: { request: this.#handshake, socket: this.#webSocket }, connectionParams };
    return this.#options.server.onConnect(this.#state);
  }

  /** Charges the fee for a text that Mercurius rejects before it opens the source. */
  async #chargeUnreadable(id: string, payload: Payload, asked: Asked): Promise<void> {
    const { server, reject } = this.#options;
    if (!(await this.#ready)) return;
    const args = typeof payload.query === 'string' ? await server.onSubscribe(this.#state!, id, payload) : undefined;
    if (args && isReadable(args)) return;
    if (this.#asked.get(id) === asked) this.#asked.delete(id);
    this.#forget(asked);
    this.#answered(asked);
    const rejected = await reject(errorOf('BAD_REQUEST', NO_TEXT));
    if (!rejected.admitted && rejected.answer.status === 429) this.#close('THROTTLED: too many rejected operations');
  }

  #close(reason: string): void {
    this.#webSocket?.close(CLOSE_CODES.TRY_LATER, reason);
  }

  async #begin(
    id: string,
    payload: Payload | undefined,
    asked: Parameters<SocketOperation['begin']>[0],
    executedWith: Parameters<SocketOperation['begin']>[1],
  ): Promise<AsyncIterable<ExecutionResult> | ExecutionResult> {
    const { server } = this.#options;
    const { query, operationName } = payload ?? {};
    // The hooks of the app have seen the document of Mercurius. No other document may be executed.
    const isSame = query === asked.document && (operationName ?? asked.operationName) === asked.operationName;
    if (!payload || typeof query !== 'string' || !isSame) throw errorOf('BAD_REQUEST', NO_TEXT);
    if (!(await this.#ready)) throw errorOf('BAD_REQUEST', 'the connection has not been accepted');
    const args = await server.onSubscribe(this.#state!, id, payload);
    if (!args) throw errorOf('BAD_REQUEST', NO_TEXT);
    const { contextValue } = executedWith;
    Object.assign(contextValue, { req: this.#handshake });
    await server.context({ ...this.#state, contextValue }, id, payload, args);
    return server.subscribe({ ...args, ...executedWith });
  }
}

/** Returns whether a document can be read, and Mercurius finds the field of its subscription. */
function isReadable({ schema, document, operationName }: ExecutionArgs): boolean {
  const found = getOperationAST(document, operationName);
  const fields = schema.getSubscriptionType()?.getFields() ?? {};
  if (found?.operation !== 'subscription') return false;
  return found.selectionSet.selections.every(({ kind, ...field }) => {
    return kind !== Kind.FIELD || Object.hasOwn(fields, (field as { name: { value: string } }).name.value);
  });
}

function messageOf(data: unknown, isBinary: boolean): Message | undefined {
  try {
    const message: unknown = JSON.parse(isBinary ? (data as string) : String(data));
    return typeof message === 'object' && message !== null ? message : undefined;
  } catch {
    // Mercurius answers with an error.
    return undefined;
  }
}
