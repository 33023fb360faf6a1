import type { ExecutionResult, GraphQLSchema } from 'graphql';
import type { Protect } from '../any-server/protect.js';
import type { ProtectedSockets } from '../graphql-ws/protect-web-sockets.js';
import type { SocketOptions } from '../graphql-ws/socket-options.js';
import { errorOf } from '../model/errors.js';
import { createObjectNotes } from '../runtime/create-object-notes.js';
import type { FastifyApp, FastifyReply, FastifyRequest, WebSocketOfFastify } from './fastify-app.js';
import { type HandshakeOfMercurius, MercuriusSocket } from './mercurius-socket.js';
import { operationIn, setOperation, wrapSubscriptions } from './wrap-subscriptions.js';

/** The part of a Tollgate that protects WebSockets. */
export interface SocketTollgate<Context extends object> {
  readonly protect: Protect<Context>;
  webSockets<Options extends object>(
    options: Options,
    sockets?: SocketOptions,
    contextOf?: (request: never) => Context,
  ): ProtectedSockets<Options>;
}

interface MercuriusSockets {
  /** Decides about the handshake of a WebSocket. Resolves to false if it has been answered. */
  accept(request: FastifyRequest, reply: FastifyReply): Promise<boolean>;
}

const REPLACED =
  'this subscription cannot be priced: subscription.context and subscription.onConnect of Mercurius must not replace `request`';
const NOT_SUBSCRIPTION =
  'operations other than subscriptions over the WebSockets of Mercurius have no price: send them over HTTP';

/**
 * Protects the WebSockets of Mercurius (`subscription: true`), with `webSockets` of Tollgate. Mercurius
 * has no hook that gets the variables of a subscription, that may skip an event, or that runs at each
 * kind of end. Tollgate therefore reads the messages of the clients too, and provides the source of
 * each subscription: see `wrapSubscriptions`.
 */
export function protectMercuriusSockets<Context extends object>(
  app: FastifyApp,
  tollgate: SocketTollgate<Context>,
  options: SocketOptions | undefined,
): MercuriusSockets {
  const sockets = createObjectNotes<object, MercuriusSocket>();
  const ofHandshake = createObjectNotes<object, MercuriusSocket>();
  const listened = createObjectNotes<object, true>();
  const live = tollgate.webSockets(
    { context: ({ contextValue }: { contextValue: object }) => contextValue, onConnect: () => true },
    options,
    (handshake: HandshakeOfMercurius) => ({ req: handshake, ...handshake.fastify }) as unknown as Context,
  );

  app.graphql.addHook('preSubscriptionExecution', async (schema, _document, context, id) => {
    const socket = sockets.get((context as { request?: object }).request ?? context);
    if (!socket) throw errorOf('BAD_REQUEST', REPLACED);
    wrapSubscriptions(schema);
    setOperation(context, socket.take(id));
  });
  app.graphql.addHook('onSubscriptionResolution', async (execution, context) => {
    const result = operationIn(context)?.result;
    if (!result) return;
    for (const name of Object.keys(execution)) delete execution[name as keyof ExecutionResult];
    Object.assign(execution, result);
  });
  app.graphql.addHook('preExecution', async (_schema: GraphQLSchema, _document, context) => {
    const { reply, request } = context as { reply?: object; request?: object };
    if (reply === undefined && request && sockets.get(request)) throw errorOf('BAD_REQUEST', NOT_SUBSCRIPTION);
    return undefined;
  });

  /** Reads the messages of each WebSocket, before Mercurius does. */
  function listen(server: FastifyRequest['server']): void {
    const webSockets = server.websocketServer!;
    if (listened.get(webSockets)) return;
    listened.set(webSockets, true);
    webSockets.on('connection', (opened: WebSocketOfFastify, raw: object) => ofHandshake.get(raw)?.open(opened));
  }

  return {
    async accept(request, reply) {
      const { raw, headers } = request;
      // Mercurius adds the parameters of the client to the headers of its request, when the first
      // subscription begins. They must not identify a caller, unless `headersOf` reads them.
      const handshake: HandshakeOfMercurius = Object.create(raw as object, {
        headers: { value: { ...headers }, enumerable: true },
      });
      handshake.fastify = {
        request: Object.create(request as object, { headers: { value: handshake.headers } }),
        reply,
      };
      const denial = await new Promise<{ status: number; body: string; headers: Record<string, string> } | undefined>(
        (resolve) => {
          live.verifyClient({ req: handshake }, (isAccepted, status = 500, body = '', answered = {}) =>
            resolve(isAccepted ? undefined : { status, body, headers: answered }),
          );
        },
      );
      if (denial) {
        reply.code(denial.status).headers(denial.headers).send(denial.body);
        return false;
      }
      const socket = new MercuriusSocket(handshake, {
        server: live.options as never,
        reject: (error) => {
          const contextValue = { req: handshake, ...handshake.fastify } as unknown as Context;
          return tollgate.protect({ rejection: [error], headers: handshake.headers, contextValue });
        },
      });
      sockets.set(request, socket);
      ofHandshake.set(raw as object, socket);
      listen(request.server);
      return true;
    },
  };
}
