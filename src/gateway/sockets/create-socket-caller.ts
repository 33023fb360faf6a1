import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { Subject } from '../../model/subject.js';
import type { Connections } from '../../protection/connections/create-connections.js';
import { createCredentialCheck } from '../../protection/connections/create-credential-check.js';
import { TIMINGS } from '../../runtime/timings.js';
import type { GatewayOptions } from '../create-gateway.js';
import { headersOfPayload, type SocketCredential } from './socket-credential.js';

interface SocketCallerOptions extends Pick<GatewayOptions, 'identify' | 'callerKey' | 'subscriptions'> {
  socketCredentials: readonly SocketCredential[];
  connections: Connections;
}

interface OpenedSocket {
  readonly request: IncomingMessage;
  /** Caller that the handshake identifies. */
  readonly subject: Subject;
  readonly caller: string;
  /** Frees what the socket occupies of the limits of the gateway. */
  letGo(): void;
  /** Closes the socket, because the gateway stops. */
  end(): void;
  /** Closes the socket, because its credential is no longer valid. */
  expire(reason: string): void;
}

/** Caller of a WebSocket, first by its handshake and then by the payload of `connection_init`. */
export interface SocketCaller {
  /** Request that identifies the caller: that of the handshake, with the credentials of the payload. */
  readonly request: IncomingMessage;
  readonly subject: Subject;
  readonly caller: string;
  /**
   * Identifies the caller by a payload, and takes the slots of this caller.
   * @throws GraphQLError if a credential is not valid, or a limit denies the connection
   */
  identify(payload: unknown): Promise<void>;
  /** Frees the slots. Call it when the socket has closed. */
  close(): void;
}

/** Interval at which a credential is checked again, in milliseconds. */
const RECHECK_MS = 60_000;

/** Creates the caller of a socket. */
export function createSocketCaller(options: SocketCallerOptions, socket: OpenedSocket): SocketCaller {
  const { identify, callerKey, connections, subscriptions, socketCredentials } = options;
  let { request, subject, caller, letGo } = socket;
  let isClosed = false;
  let stopChecks = () => {};
  let freeSlot = () => {};

  /** Each check needs another request, because the caller of a request is identified only once. */
  const copyOf = (headers: IncomingMessage['headers']) =>
    Object.create(socket.request, { headers: { value: headers, enumerable: true } }) as Request;

  function watch(): void {
    const { headers } = request;
    const { nextMs, check } = createCredentialCheck({
      authorization: headers.authorization,
      subject,
      identify: () => identify(copyOf(headers)),
      recheckMs: RECHECK_MS,
      end: socket.expire,
    });
    const next = () => {
      if (!isClosed) stopChecks = TIMINGS.schedule(() => void check().then(next), nextMs());
    };
    next();
  }

  /** Counts the socket for its caller, and no longer for the address of the handshake. */
  async function move(): Promise<void> {
    caller = callerKey(subject);
    letGo();
    const tooMany = subscriptions.rejection(caller);
    if (tooMany) throw tooMany.toRequestError();
    letGo = subscriptions.occupy(caller);
    const opened = await connections.open({ subject, part: 'CALLER', end: socket.end });
    if (!opened.admitted) throw opened.error;
    freeSlot = opened.close;
  }

  function free(): void {
    letGo();
    freeSlot();
  }

  return {
    get request() {
      return request;
    },
    get subject() {
      return subject;
    },
    get caller() {
      return caller;
    },
    async identify(payload) {
      if (socketCredentials.length > 0) {
        request = copyOf({ ...socket.request.headers, ...headersOfPayload(socketCredentials, payload) });
        subject = await identify(request as Request);
        if (!isClosed) await move();
      }
      if (isClosed) free();
      else watch();
    },
    close() {
      isClosed = true;
      stopChecks();
      free();
    },
  };
}
