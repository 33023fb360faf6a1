import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { type GraphQLSchema, NoSchemaIntrospectionCustomRule, specifiedRules, validate } from 'graphql';
import type { Context as SocketContext } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import { answerUpgrade, checkHandshake } from '../gateway/sockets/check-handshake.js';
import { SUBPROTOCOL } from '../gateway/sockets/subprotocol.js';
import { formatError } from '../http/format-error.js';
import { answerError, type RejectRequest } from '../http/reject-request.js';
import type { Logger } from '../model/logger.js';
import { withoutHttp } from '../protection/answer/http-of-errors.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import { isNotFound } from '../runtime/packages/load-optional.js';
import type { PlatformTollgate } from '../tollgate/create-tollgate.js';
import type { ApiContext } from './api-context.js';
import type { Config } from './config/config.js';
import type { HandlerEndpoint } from './http/create-app.js';

interface ServedSockets {
  schema: GraphQLSchema;
  tollgate: Pick<PlatformTollgate<ApiContext>, 'webSockets' | 'callers'>;
  config: Pick<Config, 'production' | 'corsOrigins' | 'maxBodyBytes'>;
  /** Returns the context of a request for the resolvers. */
  context(request: IncomingMessage): object | Promise<object>;
  reject: RejectRequest;
  logger: Logger;
}

/** Interval of pings in milliseconds. A client that does not answer is disconnected. */
const HEARTBEAT_MS = 12_000;
/** Members of `connectionParams` that identify the caller, because browsers can set no headers. */
const CREDENTIALS = ['authorization', 'x-api-key'] as const;
const PRODUCTION_RULES = [...specifiedRules, NoSchemaIntrospectionCustomRule];

/**
 * Returns the handler that opens WebSockets for operations, with graphql-ws. Returns undefined if
 * its packages are not installed.
 */
export async function serveSockets(served: ServedSockets): Promise<HandlerEndpoint['upgrade']> {
  try {
    const [{ useServer: serveOperations }, { WebSocketServer }] = await Promise.all([
      import('graphql-ws/use/ws'),
      import('ws'),
    ]);
    const { verifyClient, options } = protectedSockets(served);
    const { maxBodyBytes } = served.config;
    return (onAnswer) => {
      const server = new WebSocketServer({
        noServer: true,
        maxPayload: maxBodyBytes,
        handleProtocols: () => SUBPROTOCOL,
        verifyClient: (info, callback) =>
          verifyClient(info, (isAccepted, status, ...answer) => {
            onAnswer(isAccepted ? 101 : (status ?? 500));
            callback(isAccepted, status, ...answer);
          }),
      });
      serveOperations(options, server, HEARTBEAT_MS);
      return (request, socket, head) => {
        // Without a listener, a reset connection would end the process.
        socket.on('error', () => {});
        try {
          checkHandshake(request, served.config.corsOrigins);
          server.handleUpgrade(request, socket, head, (opened) => server.emit('connection', opened, request));
        } catch (error) {
          answerError(request as Request, error, served.reject)
            .then((answer) => answerUpgrade(socket, answer, onAnswer))
            .catch(() => socket.destroy());
        }
      };
    };
  } catch (error) {
    if (!isNotFound(error)) throw error;
    served.logger.warn(
      'Subscriptions are not served over WebSockets, because packages are not installed: npm install graphql-ws ws',
    );
    return undefined;
  }
}

type Connection = SocketContext<Record<string, unknown>, Extra>;

function protectedSockets({ schema, tollgate, config, context }: ServedSockets) {
  const { production } = config;
  /** Aborted when the client disconnects. */
  const disconnects = createObjectNotes<Connection, AbortController>();

  const credentialsOf = (params: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      CREDENTIALS.flatMap((name) => (typeof params[name] === 'string' ? [[name, params[name]] as const] : [])),
    );

  /** Returns the caller of an operation. Undefined if the credential is invalid, which rejects the operation. */
  async function callerOf({ connectionParams = {}, extra: { request } }: Connection) {
    const headers = { ...request.headers, ...credentialsOf(connectionParams) };
    const known = Object.create(request, { headers: { value: headers, enumerable: true } }) as IncomingMessage;
    return tollgate.callers.ofRequest(known).catch(() => undefined);
  }

  return tollgate.webSockets(
    {
      schema,
      ...(production && {
        validate: (served: GraphQLSchema, document: Parameters<typeof validate>[1]) =>
          validate(served, document, PRODUCTION_RULES),
      }),
      onConnect(connection: Connection) {
        const disconnect = new AbortController();
        // Each running operation of the connection has a listener.
        setMaxListeners(0, disconnect.signal);
        disconnects.set(connection, disconnect);
      },
      onPing({ extra: { socket } }: Connection) {
        // graphql-ws answers each ping. The answers of a client that does not read wait in memory.
        if (socket.bufferedAmount > config.maxBodyBytes) socket.terminate();
      },
      async context(connection: Connection) {
        const { signal: clientGone } = disconnects.get(connection)!;
        const [own, subject] = await Promise.all([context(connection.extra.request), callerOf(connection)]);
        return { ...own, ...(subject && { subject }), clientGone };
      },
      onDisconnect(connection: Connection) {
        disconnects.get(connection)?.abort();
      },
      onError: (_connection: Connection, _id: string, _payload: unknown, errors: readonly Error[]) =>
        errors.map((error) => formatError(withoutHttp(error as never), { error, production })),
    },
    {
      headersOf: credentialsOf,
    },
    (request: IncomingMessage) => ({ req: request }) as unknown as ApiContext,
  );
}
