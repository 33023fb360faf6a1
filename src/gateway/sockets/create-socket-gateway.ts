import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Request } from 'express';
import { type WebSocket, WebSocketServer } from 'ws';
import { answerError, outgoing } from '../../http/reject-request.js';
import type { EndReason } from '../../protection/slots/open-subscriptions.js';
import { checkHeaderBytes } from '../headers-for-upstream.js';
import { answerUpgrade, checkHandshake } from './check-handshake.js';
import { type RelayedSocketOptions, relaySocket } from './relay-socket.js';
import { SUBPROTOCOL } from './subprotocol.js';

interface SocketGatewayOptions extends RelayedSocketOptions {
  /** Maximum size of a message of a client, in bytes. */
  maxMessageBytes: number;
  /** Origins of pages that may open WebSockets, in addition to those of the gateway's own host. */
  corsOrigins: readonly string[];
  onAnswer(status: number): void;
}

interface SocketGateway {
  /** Answers an upgrade request. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Closes the sockets when their operations have ended, because the gateway stops. */
  endAll(): void;
}

/** Creates the handler that opens WebSockets with the subprotocol of graphql-ws. */
export function createSocketGateway(options: SocketGatewayOptions): SocketGateway {
  const ends = new Set<(reason: EndReason) => void>();
  const { subscriptions, connections, corsOrigins, reject, onAnswer, onError } = options;
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: options.maxMessageBytes,
    // A small compressed message could become very large.
    perMessageDeflate: false,
    handleProtocols: () => SUBPROTOCOL,
  });

  async function open(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const overload = subscriptions.rejection();
    if (overload) throw overload.toRequestError();
    checkHeaderBytes(request.rawHeaders);
    checkHandshake(request, corsOrigins);
    const subject = await options.identify(request as Request);
    const caller = options.callerKey(subject);
    const tooMany = subscriptions.rejection(caller);
    if (tooMany) throw tooMany.toRequestError();
    if (socket.destroyed) return;
    const letGo = subscriptions.occupy(caller);
    socket.once('close', letGo);
    let end = (_reason: EndReason): void => void socket.destroy();
    // The credentials of the payload arrive after the handshake.
    const part = options.socketCredentials.length > 0 ? 'ADDRESS' : 'ALL';
    const connection = await connections.open({ subject, part, end: (reason) => end(reason) });
    if (!connection.admitted) return answerUpgrade(socket, outgoing(connection.answer), onAnswer);
    if (socket.destroyed) return connection.close();
    socket.once('close', connection.close);
    server.handleUpgrade(request, socket, head, (opened: WebSocket) => {
      onAnswer(101);
      ({ end } = relaySocket(options, { socket: opened, request, subject, caller, stream: connection.stream, letGo }));
      ends.add(end);
      opened.once('close', () => ends.delete(end));
    });
  }

  return {
    upgrade(request, socket, head) {
      // Without a listener, a reset connection would end the process.
      socket.on('error', () => {});
      open(request, socket, head).catch(async (error: unknown) => {
        try {
          const answer = await answerError(request as Request, error, reject);
          if (answer.status >= 500) onError(error);
          answerUpgrade(socket, answer, onAnswer);
        } catch (failure) {
          onError(failure);
          socket.destroy();
        }
      });
    },
    endAll() {
      for (const end of ends) end('STOP');
    },
  };
}
