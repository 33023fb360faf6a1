import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { GraphQLError } from 'graphql';
import type { OpenStream } from '../../model/open-stream.js';
import type { Subject } from '../../model/subject.js';
import { httpOfErrors } from '../../protection/answer/http-of-errors.js';
import type { Connections } from '../../protection/connections/create-connections.js';
import {
  closeReasonOf,
  createCredentialCheck,
  isCredentialError,
} from '../../protection/connections/create-credential-check.js';
import type { EndReason } from '../../protection/slots/open-subscriptions.js';
import { TIMINGS } from '../../runtime/timings.js';
import type { GatewayOptions } from '../create-gateway.js';
import type { SocketCredential } from '../gateway-settings.js';
import { headersOfPayload } from './headers-of-payload.js';

interface SocketCallerOptions extends Pick<GatewayOptions, 'identify' | 'callerKey' | 'subscriptions' | 'reject'> {
  socketCredentials: readonly SocketCredential[];
  connections: Connections;
  onError(error: unknown): void;
}

interface OpenedSocket {
  readonly request: IncomingMessage;
  /** Caller that the handshake identifies. */
  readonly subject: Subject;
  readonly caller: string;
  /** Entry of the socket in the list of open connections. */
  readonly stream: OpenStream;
  /** Frees what the socket occupies of the limits of the gateway. */
  letGo(): void;
  /** Closes the socket, because the gateway stops or an administrator ends it. */
  end(reason: EndReason): void;
  /** Closes the socket, because its credential is no longer valid. */
  expire(reason: string): void;
}

/** Caller of a WebSocket, first by its handshake and then by the payload of `connection_init`. */
interface SocketCaller {
  /** Request that identifies the caller: that of the handshake, with the credentials of the payload. */
  readonly request: IncomingMessage;
  readonly subject: Subject;
  readonly caller: string;
  /**
   * Identifies the caller by a payload, and takes the slots of this caller. Resolves to a close code
   * and a reason if the socket may not open, otherwise to undefined. Charges the fee if the payload
   * is rejected, but not for a denial.
   */
  identify(payload: unknown): Promise<readonly [code: number, reason: string] | undefined>;
  /** Frees the slots. Call it when the socket has closed. */
  close(): void;
}

/** The credential is not, or no longer, valid. A client of graphql-ws reconnects with new parameters. */
export const FORBIDDEN = 4403;

const TRY_AGAIN_LATER = 1013;
/** Interval at which a credential is checked again, in milliseconds. */
const RECHECK_MS = 60_000;

/** Creates the caller of a socket. */
export function createSocketCaller(options: SocketCallerOptions, socket: OpenedSocket): SocketCaller {
  const { identify, callerKey, connections, subscriptions, socketCredentials, reject, onError } = options;
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
    const opened = await connections.open({ subject, part: 'CALLER', stream: socket.stream, end: socket.end });
    if (!opened.admitted) throw opened.error;
    freeSlot = opened.close;
  }

  async function identifyBy(payload: unknown): Promise<void> {
    if (socketCredentials.length > 0) {
      request = copyOf({ ...socket.request.headers, ...headersOfPayload(socketCredentials, payload) });
      subject = await identify(request as Request);
      if (!isClosed) await move();
    }
    if (isClosed) free();
    else watch();
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
      try {
        await identifyBy(payload);
        return undefined;
      } catch (error) {
        if (!(error instanceof GraphQLError)) onError(error);
        else if (!isDenial(error)) void reject(request, [error]).catch(onError);
        return [codeOfError(error), closeReasonOf(error)];
      }
    },
    close() {
      isClosed = true;
      stopChecks();
      free();
    },
  };
}

/** Returns the code with which a socket closes whose caller may not open it. */
function codeOfError(error: unknown): number {
  if (isCredentialError(error)) return FORBIDDEN;
  const { status } = httpOfErrors(error instanceof GraphQLError ? [error] : []);
  return status === 400 ? 4400 : TRY_AGAIN_LATER;
}

/** Returns whether a limit has denied the connection. Denials are free. */
const isDenial = (error: GraphQLError) => error.extensions['code'] === 'THROTTLED';
