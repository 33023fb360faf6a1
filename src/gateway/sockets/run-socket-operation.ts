import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { GraphQLError } from 'graphql';
import { answerError } from '../../http/reject-request.js';
import { ERRORS, errorOf } from '../../model/errors.js';
import type { Subject } from '../../model/subject.js';
import type { GatewayOptions } from '../create-gateway.js';
import { readBody } from '../graphql-request.js';
import { findForwardable } from '../keep-inexact-body.js';
import type { UpstreamSocket } from './open-upstream-socket.js';
import { relayOperation } from './relay-operation.js';

/** A `subscribe` message of a client. */
interface SocketOperation {
  readonly id: string;
  readonly payload: unknown;
  /** The message as the client wrote it. */
  readonly text: string;
  readonly request: IncomingMessage;
  readonly subject: Subject;
  readonly upstream: UpstreamSocket;
  /** Aborted when the client ends the operation or disconnects. */
  readonly gone: AbortSignal;
  /** Maximum number of operations of the socket, if this one exceeds it. */
  readonly exceeded: number | undefined;
  send(message: string): Promise<void>;
}

interface SocketOperationOptions extends GatewayOptions {
  onError(error: unknown): void;
}

/** Runs an operation of a socket. Resolves to its last message: `complete` or `error`. */
export async function runSocketOperation(
  options: SocketOperationOptions,
  { id, payload, text, request, subject, upstream, gone, exceeded, send }: SocketOperation,
): Promise<string> {
  const shownId = JSON.stringify(id);
  const failed = (errors: string) => `{"id":${shownId},"type":"error","payload":${errors}}`;
  try {
    if (exceeded !== undefined) throw tooManyOperations(exceeded);
    const exact = findForwardable(text);
    const exactMessage = exact && (JSON.parse(exact.text) as { payload: unknown });
    const end = await relayOperation({
      protect: options.protect(),
      asked: readBody(payload, exactMessage && { restore: exact.restore, body: exactMessage.payload }),
      context: { subject, clientGone: gone },
      headers: request.headers,
      upstream,
      timeoutMs: options.timeoutMs,
      production: options.production,
      onFailure: options.onFailure,
      next: (json) => send(`{"id":${shownId},"type":"next","payload":${json}}`),
    });
    return end ? failed(end.errors) : `{"id":${shownId},"type":"complete"}`;
  } catch (error) {
    const { body, status } = await answerError(request as Request, error, options.reject);
    if (status >= 500) options.onError(error);
    return failed(JSON.stringify((JSON.parse(String(body)) as { errors: unknown }).errors));
  }
}

function tooManyOperations(max: number): GraphQLError {
  const message = `${ERRORS.THROTTLED.message}: at most ${max} operations of one WebSocket run at the same time`;
  return errorOf('THROTTLED', message, { extensions: { retryAfterMs: 1000 } });
}
