import type { Socket } from 'node:net';

const MAX_HEAD_BYTES = 64 * 1024;
const END_OF_HEAD = Buffer.from('\r\n\r\n');
/** Matches the start of an interim response. undici handles `101` itself, as an error. */
const INTERIM = /^HTTP\/1\.\d 1(?!01)\d\d/;
const INTERIM_LENGTH = 12;
const SHORT_INTERIM = /^(?:H(?:T(?:T(?:P(?:\/(?:1(?:\.(?:\d(?: (?:1\d?)?)?)?)?)?)?)?)?)?)?$/;

/** Sockets whose next bytes are the head of a response, each with the bytes received of it. */
const awaited = new WeakMap<Socket, Buffer>();
const NOTHING = Buffer.alloc(0);

/** Marks a socket: its next bytes are the head of a response. */
export function awaitHead(socket: Socket): void {
  awaited.set(socket, NOTHING);
}

/**
 * Removes interim responses (`100 Continue`, `103 Early Hints`) from the bytes of a socket. Some
 * servers send a `100` before every response. undici closes the connection at a `100` that it has
 * not requested.
 *
 * @returns the bytes without interim responses; undefined if nothing can be passed on yet
 */
export function skipInterim(socket: Socket, read: Buffer): Buffer | undefined {
  const before = awaited.get(socket);
  if (before === undefined) return read;
  let rest = before.length === 0 ? read : Buffer.concat([before, read]);
  for (;;) {
    const start = rest.toString('latin1', 0, INTERIM_LENGTH);
    const mayBeInterim = start.length < INTERIM_LENGTH ? SHORT_INTERIM.test(start) : INTERIM.test(start);
    if (!mayBeInterim) break;
    const end = rest.indexOf(END_OF_HEAD);
    if (end < 0) {
      if (rest.length > MAX_HEAD_BYTES) break;
      awaited.set(socket, Buffer.from(rest));
      return undefined;
    }
    rest = rest.subarray(end + END_OF_HEAD.length);
  }
  awaited.delete(socket);
  return rest;
}
