import type { RequestListener } from 'node:http';
import type { Writable } from 'node:stream';

export const MANY = '{ items(first: 40) { name } }';
export const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * Faults of an upstream: its behavior, the status and code of the gateway's response, and the
 * tokens that are charged for an operation with an estimate of 40.
 */
export const FAULTS: [name: string, behave: RequestListener, status: number, code: string, paid: number][] = [
  ['resets the connection', (_, response) => response.socket!.resetAndDestroy(), 502, 'UPSTREAM_UNAVAILABLE', 40],
  [
    'resets the connection during its response',
    (_, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': 1000 });
      response.write('{"data":{"items":[', () => response.socket!.resetAndDestroy());
    },
    502,
    'UPSTREAM_UNAVAILABLE',
    40,
  ],
  [
    'sends less than its Content-Length',
    (_, response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': 1000, connection: 'close' });
      response.write('{"data":null}', () => response.socket!.end());
    },
    502,
    'UPSTREAM_INVALID_ANSWER',
    40,
  ],
  [
    'sends something other than HTTP',
    (_, response) => response.socket!.end('nonsense\r\n\r\n'),
    502,
    'UPSTREAM_INVALID_ANSWER',
    40,
  ],
  [
    'sends HTML',
    (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>secret</h1>'),
    502,
    'UPSTREAM_INVALID_ANSWER',
    40,
  ],
  [
    'returns status 500 with plain text',
    (_, response) => response.writeHead(500, { 'content-type': 'text/plain' }).end('secret'),
    502,
    'UPSTREAM_INVALID_ANSWER',
    40,
  ],
  [
    'redirects the request',
    (_, response) => response.writeHead(302, { location: 'http://secret.example' }).end(),
    502,
    'UPSTREAM_INVALID_ANSWER',
    40,
  ],
  [
    'sends incomplete JSON',
    (_, response) => response.writeHead(200, JSON_TYPE).end('{"data":{"items":'),
    502,
    'UPSTREAM_INVALID_ANSWER',
    40,
  ],
  [
    'sends JSON other than GraphQL',
    (_, response) => response.writeHead(404, JSON_TYPE).end('{"message":"secret"}'),
    502,
    'UPSTREAM_INVALID_ANSWER',
    40,
  ],
  [
    'compresses its response without being asked',
    (_, response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end('x'),
    502,
    'UPSTREAM_INVALID_ANSWER',
    40,
  ],
  ['never responds', () => {}, 504, 'UPSTREAM_TIMEOUT', 40],
  [
    'stops during its response',
    (_, response) => {
      response.writeHead(200, JSON_TYPE);
      response.write('{"data":');
    },
    504,
    'UPSTREAM_TIMEOUT',
    40,
  ],
  [
    'sends its response byte by byte without end',
    (_, response) => {
      response.writeHead(200, JSON_TYPE);
      trickle(response, ' ');
    },
    504,
    'UPSTREAM_TIMEOUT',
    40,
  ],
  [
    'never ends its headers',
    (_, response) => {
      response.socket!.write('HTTP/1.1 200 OK\r\nContent-Type: ');
      trickle(response.socket!, 'x');
    },
    504,
    'UPSTREAM_TIMEOUT',
    40,
  ],
  [
    'sends oversized headers',
    (_, response) => response.socket!.write(`HTTP/1.1 200 OK\r\nX-A: ${'x'.repeat(128 * 1024)}\r\n\r\n`),
    502,
    'UPSTREAM_INVALID_ANSWER',
    40,
  ],
  [
    'closes the connection between chunks',
    (_, response) => {
      response.writeHead(200, JSON_TYPE);
      response.write('{"data":{"items":[', () => response.socket!.end());
    },
    502,
    'UPSTREAM_UNAVAILABLE',
    40,
  ],
];

/** Writes a few bytes repeatedly, until the connection closes. */
export function trickle(to: Writable, text: string): void {
  const timer = setInterval(() => to.write(text), 20);
  to.on('error', () => {});
  to.once('close', () => clearInterval(timer));
}
