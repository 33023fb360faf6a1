import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Outgoing } from '../../http/write-answer.js';
import { requestError } from '../../model/errors.js';
import { SUBPROTOCOL } from './subprotocol.js';

/** @throws GraphQLError for a handshake that opens no WebSocket */
export function checkHandshake({ headers }: IncomingMessage, corsOrigins: readonly string[]): void {
  const protocols = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim()) ?? [];
  if (!protocols.includes(SUBPROTOCOL)) {
    throw requestError('BAD_REQUEST', `expected the subprotocol ${SUBPROTOCOL}, got ${protocols.join(', ') || 'none'}`);
  }
  const { origin, host } = headers;
  if (origin === undefined || corsOrigins.includes(origin)) return;
  // Browsers send cookies with the handshake of any page, and do not check CORS headers.
  const isOwn = URL.canParse(origin) && new URL(origin).host === host;
  if (!isOwn)
    throw requestError('BAD_REQUEST', 'pages of this origin may not open WebSockets: add it to TOLLGATE_CORS_ORIGINS');
}

/** Answers an upgrade request without opening a WebSocket. */
export function answerUpgrade(
  socket: Duplex,
  { status, headers, body }: Outgoing,
  onAnswer: (status: number) => void,
): void {
  onAnswer(status);
  const bytes = Buffer.from(String(body));
  const lines = [...headers].map(([name, value]) => `${name}: ${String(value)}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, `content-length: ${bytes.length}`];
  socket.write(`${[...head, 'connection: close'].join('\r\n')}\r\n\r\n`);
  socket.end(bytes, () => socket.destroy());
}
