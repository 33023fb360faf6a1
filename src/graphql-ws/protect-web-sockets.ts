import { type ExecutionArgs, GraphQLError } from 'graphql';
import type { Protect } from '../any-server/protect.js';
import type { ProtectedExecution, Transport } from '../any-server/protect-execution.js';
import { type RequestHeaders, readHeaders } from '../any-server/request-headers.js';
import type { Identification } from '../model/identify.js';
import { countableSubject, type Subject } from '../model/subject.js';
import { answerOf } from '../protection/answer/answer-of.js';
import { CLOSE_CODES } from '../protection/connections/close-codes.js';
import type { Connections } from '../protection/connections/create-connections.js';
import {
  closeReasonOf,
  createCredentialCheck,
  isCredentialError,
} from '../protection/connections/create-credential-check.js';
import { createClientOf } from '../protection/create-client-of.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import { TIMINGS, type Timings } from '../runtime/timings.js';
import { BoundedEvents } from './bounded-events.js';
import { type Reported, reportedErrors, shownErrors, throwing } from './reported-errors.js';
import { type HandshakeRequest, type Socket, SocketConnection } from './socket-connection.js';
import { type SocketOptions, type SocketSettings, socketSettings } from './socket-options.js';

/** State of a connection in graphql-ws. */
interface SocketContext {
  readonly connectionParams?: Readonly<Record<string, unknown>> | undefined;
  readonly extra: { readonly request: HandshakeRequest; readonly socket: Socket };
}

/** Function that `ws` calls before it accepts a handshake. */
type VerifyClient = (
  info: { req: HandshakeRequest },
  callback: (isAccepted: boolean, status?: number, body?: string, headers?: Record<string, string>) => void,
) => void;

/** Options for the two constructors of a graphql-ws server. */
export interface ProtectedSockets<Options extends object> {
  /**
   * Decides about each handshake: `new WebSocketServer({ server, path, verifyClient })`. A connection
   * above a limit is answered 429. Without it, such a connection is opened and closed with 1013.
   */
  readonly verifyClient: VerifyClient;
  /** Options for `useServer` of graphql-ws. */
  readonly options: Options & ProtectedExecution;
}

interface WebSocketsOptions<Context extends object> {
  protect: Protect<Context>;
  identify: Identification<Context>;
  agentClients: readonly string[] | undefined;
  connections: Connections;
  /** Returns the options of a server, with the functions that price and charge each operation. */
  execution<Options extends object>(options: Options, transport: Transport<Context>): Options & ProtectedExecution;
  /** Counts the events that a slow client does not get. */
  subscriptions: { readonly events: { dropped: number } };
  timings?: Timings;
  /** Returns the context with which `identify` is called for a connection. */
  contextOf?: ((request: never) => Context) | undefined;
}

/** Hooks of graphql-ws that Tollgate extends. */
interface SocketHooks {
  context?: unknown;
  onConnect?(context: SocketContext): unknown;
  onError?(context: SocketContext, id: string, payload: unknown, errors: readonly GraphQLError[]): unknown;
}

/**
 * Returns the options of a graphql-ws server whose connections, operations and events are limited.
 * @throws TypeError if an option is invalid
 */
export function protectWebSockets<Context extends object, Options extends object>(
  tollgate: WebSocketsOptions<Context>,
  given: Options,
  socketOptions?: SocketOptions,
  contextOf?: (request: never) => Context,
): ProtectedSockets<Options> {
  const settings = socketSettings(socketOptions);
  const hooks: SocketHooks = given;
  const ofRequest = createObjectNotes<object, SocketConnection>();
  const ofContext = createObjectNotes<object, SocketConnection>();
  const acceptance = createAcceptance({ ...tollgate, contextOf }, settings, ofRequest);

  /** A server may create the context itself. It then contains the request. */
  function connectionOf(contextValue: object): SocketConnection | undefined {
    const { req, request } = contextValue as { req?: object; request?: object };
    return ofContext.get(contextValue) ?? ofRequest.get(req ?? contextValue) ?? ofRequest.get(request ?? contextValue);
  }

  const transport: Transport<Context> = {
    connectionOf: (contextValue) => connectionOf(contextValue)?.limited,
    bounded(contextValue, events) {
      const connection = connectionOf(contextValue);
      if (!connection) return events;
      const bounded: BoundedEvents = new BoundedEvents(events, {
        policy: settings.onSlowReader,
        reader: connection,
        onDropped: () => {
          tollgate.subscriptions.events.dropped++;
        },
        onEnd: () => ended(),
      });
      const ended = connection.hold(bounded);
      return bounded;
    },
  };
  const protectedOptions = tollgate.execution(given, transport);

  return {
    verifyClient: acceptance.verifyClient,
    options: {
      ...protectedOptions,
      async onConnect(context: SocketContext) {
        const isAccepted = await acceptance.connect(context);
        return isAccepted ? hooks.onConnect?.(context) : false;
      },
      async context(context: SocketContext, ...message: unknown[]) {
        const { context: own } = hooks;
        const value = typeof own === 'function' ? await own(context, ...message) : { ...(own as object | undefined) };
        const contextValue: object = typeof value === 'object' && value !== null ? value : {};
        const connection = ofRequest.get(context.extra.request);
        if (connection) {
          ofContext.set(contextValue, connection);
          setRequest(contextValue, connection.request, settings.headersOf !== undefined);
        }
        return contextValue;
      },
      async execute(args: ExecutionArgs) {
        const ended = connectionOf((args.contextValue ?? {}) as object)?.begin();
        try {
          return await protectedOptions.execute(args);
        } finally {
          ended?.();
        }
      },
      async subscribe(args: ExecutionArgs) {
        const result = await protectedOptions.subscribe(args);
        if (Symbol.asyncIterator in result) return result;
        return result.data === undefined && result.errors ? throwing(reportedErrors(result.errors)) : result;
      },
      async onError(context: SocketContext, id: string, payload: unknown, errors: readonly GraphQLError[]) {
        const shown: Reported = shownErrors(errors);
        return (await hooks.onError?.(context, id, payload, shown)) ?? shown.map((error) => error.toJSON());
      },
    },
  };
}

/** Sets `req` of a context to the request by which the caller is identified. */
function setRequest(contextValue: object, request: HandshakeRequest, isMapped: boolean): void {
  if (!isMapped && ('req' in contextValue || 'request' in contextValue)) return;
  (contextValue as { req?: object }).req = request;
}

/** Returns the functions that decide about a connection: at its handshake, and at its `connection_init`. */
function createAcceptance<Context extends object>(
  {
    protect,
    identify,
    agentClients,
    connections,
    timings = TIMINGS,
    contextOf = (request: object) => ({ req: request }) as unknown as Context,
  }: WebSocketsOptions<Context>,
  settings: SocketSettings,
  ofRequest: ReturnType<typeof createObjectNotes<object, SocketConnection>>,
) {
  const { headersOf, recheckMs } = settings;
  const clientOf = createClientOf(agentClients);

  async function callerOf(request: HandshakeRequest): Promise<Subject> {
    const header = readHeaders(request.headers as RequestHeaders);
    return countableSubject(await identify({ header, contextValue: contextOf(request as never) }));
  }

  /** Takes the slots that the handshake alone decides about. Returns the denial if there is one. */
  async function handshake(request: HandshakeRequest) {
    const connection = new SocketConnection(request, settings, timings);
    ofRequest.set(request, connection);
    const client = clientOf(readHeaders(request.headers as RequestHeaders));
    // The parameters that `headersOf` reads arrive after the handshake.
    const part = headersOf ? 'ADDRESS' : 'ALL';
    const denied = await connection.takeSlots(connections, { subject: await callerOf(request), ...client, part });
    return denied?.answer;
  }

  /** Returns the response to a handshake whose credential is not valid, after charging the fee. */
  async function rejection(request: HandshakeRequest, error: unknown) {
    if (!(error instanceof GraphQLError)) throw error;
    const contextValue = contextOf(request as never);
    const headers = request.headers as RequestHeaders;
    if (!isCredentialError(error)) return answerOf({ errors: [error] }, undefined);
    const asked = await protect({ rejection: [error], headers, contextValue });
    return asked.admitted ? undefined : asked.answer;
  }

  /** Identifies the caller by the parameters of the client, and takes the caller's slots. */
  async function initialize(
    { connectionParams, extra }: SocketContext,
    connection: SocketConnection,
  ): Promise<Subject> {
    if (headersOf) {
      const mapped = await headersOf(connectionParams ?? {}, extra.request);
      connection.request = withHeaders(extra.request, mapped);
    }
    const subject = await callerOf(connection.request);
    if (!headersOf) return subject;
    const client = clientOf(readHeaders(connection.request.headers as RequestHeaders));
    const denied = await connection.takeSlots(connections, { subject, ...client, part: 'CALLER' });
    if (denied) throw denied.error;
    return subject;
  }

  /** Checks the credential of an open connection. */
  function watchCredential(connection: SocketConnection, subject: Subject): void {
    const { request } = connection;
    const { nextMs, check } = createCredentialCheck({
      authorization: readHeaders(request.headers as RequestHeaders)('authorization'),
      subject,
      identify: () => callerOf(request),
      recheckMs,
      end: (reason) => connection.end(CLOSE_CODES.FORBIDDEN, reason),
    });
    connection.checkEvery(nextMs, check);
  }

  const verifyClient: VerifyClient = ({ req: request }, callback) => {
    handshake(request)
      .catch((error) => rejection(request, error))
      .then(
        (answer) => {
          if (!answer) return callback(true);
          const headers = { ...answer.headers, 'Content-Type': 'application/json; charset=utf-8' };
          callback(false, answer.status, JSON.stringify(answer.body), headers);
        },
        () => callback(false, 500, 'Internal Server Error'),
      );
  };

  return {
    verifyClient,
    /** Returns whether the connection is accepted. Otherwise it is closed. */
    async connect(context: SocketContext): Promise<boolean> {
      const { request, socket } = context.extra;
      try {
        if (ofRequest.get(request) === undefined) {
          const answer = await handshake(request);
          if (answer) throw errorOfAnswer(answer);
        }
        const connection = ofRequest.get(request)!;
        connection.open(socket);
        watchCredential(connection, await initialize(context, connection));
        return !connection.isClosed;
      } catch (error) {
        if (isCredentialError(error)) void rejection(request, error).catch(() => {});
        const code = isCredentialError(error) ? CLOSE_CODES.FORBIDDEN : CLOSE_CODES.TRY_LATER;
        socket.close(code, closeReasonOf(error));
        return false;
      }
    },
  };
}

function errorOfAnswer({
  body,
}: {
  body: { errors?: readonly { message: string; extensions?: object }[] };
}): GraphQLError {
  const [error] = body.errors ?? [];
  return new GraphQLError(error?.message ?? 'Denied', { extensions: { ...error?.extensions } });
}

/** Returns the request of a handshake with further headers. */
function withHeaders(
  request: HandshakeRequest,
  mapped: Readonly<Record<string, string | undefined>>,
): HandshakeRequest {
  const own = Object.entries(mapped).map(([name, value]) => [name.toLowerCase(), value] as const);
  const headers = { ...request.headers, ...Object.fromEntries(own) };
  return Object.create(request, { headers: { value: headers, enumerable: true } }) as HandshakeRequest;
}
