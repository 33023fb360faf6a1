import { createServer, connect as openSocket, type Server, type Socket } from 'node:net';
import { commandParserOf } from './parse-commands.js';
import { freePort } from './servers.js';

/** Behavior of the network, or of the server behind it, towards its clients. */
export type Fault =
  /** No fault: bytes pass as they arrive. */
  | { kind: 'pass' }
  /** Every reply is delayed by this time. */
  | { kind: 'delay'; ms: number }
  /** Requests arrive and are executed, but their replies wait until the fault ends. */
  | { kind: 'hold-replies' }
  /**
   * Requests arrive and are executed, but their replies are lost. After a lost reply, the proxy
   * forwards nothing more on that connection. Otherwise, the client would take the next reply for
   * the lost one. Connections without a lost reply continue.
   */
  | {
      kind: 'drop-replies';
      /**
       * Number of replies (chunks that the server sends together) that are lost before replies pass
       * again. @default all
       */
      count?: number;
      /** Text of the requests whose replies are lost, such as `evalsha`. @default any */
      to?: string;
      /** Effect of the loss for the client: no bytes at all, or a reset. @default 'silence' */
      seenAs?: 'silence' | 'reset';
    }
  /** Connections are reset at the commands for which `at` returns a point; other bytes pass. */
  | {
      kind: 'cut';
      /**
       * Returns when to cut the connection of this command, or undefined to keep the connection.
       * The parts of a command are arguments of Redis, or messages of PostgreSQL.
       */
      at: (command: readonly Buffer[]) => CutPoint | undefined;
    }
  /**
   * No bytes arrive, without an error. They arrive when the fault ends, as retransmitted packets
   * do.
   */
  | { kind: 'black-hole' }
  /** The open connections are dead without an error; new ones pass. */
  | { kind: 'half-open' }
  /** Every open connection is reset, and each new connection as soon as it is open. */
  | { kind: 'reset' }
  /** Every open connection is reset, and the port does not accept new connections. */
  | { kind: 'refuse' };

/**
 * Time of a cut: before the proxy forwards the command, after it has forwarded the command, or when
 * the reply arrives. With `reply`, the client does not get the reply.
 */
export type CutPoint = 'before' | 'sent' | 'reply';

/**
 * A proxy in front of a server, with faults that can be switched on and off. The server itself runs
 * without faults.
 */
export interface TcpProxy {
  port: number;
  /** URL of the server through the proxy. */
  url: string;
  /** Sets the fault from now on, for open connections too. */
  set(fault: Fault): Promise<void>;
  /** Returns the number of open connections of clients. */
  connections(): number;
  /** Returns the number of replies that `drop-replies` has lost. */
  dropped(): number;
  /** Returns the number of replies that wait to be forwarded. */
  delayed(): number;
  close(): Promise<void>;
}

/** One client's connection and the connection to the server that was opened for it. */
interface Pair {
  near: Socket;
  far: Socket;
  /** Bytes, and the end of the connection, that wait to be forwarded, by direction. */
  requests: Parcel[];
  replies: Parcel[];
  /** Whether the proxy has forwarded a request whose reply it will discard. */
  owesLoss: boolean;
  /** Whether the proxy forwards no more bytes in either direction, and reports no error. */
  dead: boolean;
  /** Bytes of a command that is not complete yet. */
  unparsed: Buffer;
}

interface Parcel {
  bytes: Buffer | 'end';
  atMs: number;
}

/** Starts a proxy on a free loopback port in front of the server of `url`. */
export async function startTcpProxy(url: string): Promise<TcpProxy> {
  const target = new URL(url);
  const parseCommands = commandParserOf(target.protocol);
  const pairs = new Set<Pair>();
  let fault: Fault = { kind: 'pass' };
  let server: Server | undefined;
  // The port is no ephemeral port. The system might give an ephemeral port to a connection while
  // the proxy does not listen.
  const port = await freePort();
  let dropped = 0;
  let left = 0;

  function accept(near: Socket): void {
    if (fault.kind === 'reset') {
      near.on('error', () => {});
      near.resetAndDestroy();
      return;
    }
    const far = openSocket({ port: Number(target.port), host: target.hostname, allowHalfOpen: true });
    const pair: Pair = { near, far, requests: [], replies: [], owesLoss: false, dead: false, unparsed: NOTHING };
    pairs.add(pair);
    near.setNoDelay(true);
    far.setNoDelay(true);
    receive(pair, near, pair.requests);
    receive(pair, far, pair.replies);
    // A fault may hide from the server that the client has disconnected. Then `close` of the proxy
    // ends the connection to the server at the latest.
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.once('close', () => {
        if (pair.dead && one === near) far.destroy();
        if (other.destroyed) pairs.delete(pair);
      });
    }
  }

  function receive(pair: Pair, from: Socket, queue: Parcel[]): void {
    const isReply = from === pair.far;
    const put = (bytes: Buffer | 'end') => {
      const delayMs = isReply && fault.kind === 'delay' ? fault.ms : 0;
      queue.push({ bytes, atMs: performance.now() + delayMs });
      if (delayMs === 0) deliver(pair);
      else setTimeout(deliver, delayMs, pair);
    };
    from.on('data', put);
    from.on('error', () => {});
    // Faults delay the end of a connection like any bytes. Until the proxy forwards it, the other
    // side stays open.
    from.once('end', () => (pair.dead ? from.destroy() : put('end')));
    from.once('close', () => put('end'));
  }

  /** Forwards the parcels that are due, in order. */
  function deliver(pair: Pair): void {
    for (const queue of [pair.requests, pair.replies]) {
      const isHeld = fault.kind === 'black-hole' || (fault.kind === 'hold-replies' && queue === pair.replies);
      while (queue.length > 0 && !isHeld) {
        const { bytes, atMs } = queue[0]!;
        const waitMs = atMs - performance.now();
        if (waitMs > 0) {
          setTimeout(deliver, Math.ceil(waitMs), pair);
          break;
        }
        queue.shift();
        if (pair.dead) continue;
        if (queue === pair.requests) sendRequest(pair, bytes);
        else sendReply(pair, bytes);
      }
    }
  }

  function sendRequest(pair: Pair, bytes: Buffer | 'end'): void {
    if (bytes === 'end') return void pair.far.destroy();
    if (fault.kind === 'cut') return void sendUntilCut(pair, bytes, fault.at);
    if (fault.kind === 'drop-replies' && left > 0) {
      pair.owesLoss ||= fault.to === undefined || bytes.includes(fault.to);
    }
    pair.far.write(bytes);
  }

  function sendUntilCut(pair: Pair, bytes: Buffer, at: (command: readonly Buffer[]) => CutPoint | undefined): void {
    const { commands, rest } = parseCommands(Buffer.concat([pair.unparsed, bytes]));
    pair.unparsed = rest;
    for (const { args, raw } of commands) {
      if (pair.dead) return;
      const point = at(args);
      if (point !== 'before') pair.far.write(raw);
      if (point === 'reply') pair.owesLoss = true;
      else if (point !== undefined) cut(pair);
    }
  }

  /**
   * Cuts the connection of the client. Bytes that were written before still arrive: the server
   * executes the command, but its reply does not reach the client.
   */
  function cut(pair: Pair): void {
    pair.dead = true;
    pair.near.resetAndDestroy();
    pair.far.end();
  }

  function sendReply(pair: Pair, bytes: Buffer | 'end'): void {
    if (bytes === 'end') return void pair.near.destroy();
    if (pair.owesLoss && fault.kind === 'cut') return void cut(pair);
    if (!pair.owesLoss || fault.kind !== 'drop-replies' || left === 0) return void pair.near.write(bytes);
    left--;
    dropped++;
    pair.dead = true;
    if (fault.seenAs === 'reset') pair.near.resetAndDestroy();
  }

  async function open(): Promise<void> {
    const opened = createServer({ allowHalfOpen: true }, accept);
    await new Promise<void>((resolve, reject) => {
      opened.once('error', reject);
      opened.listen(port, '127.0.0.1', resolve);
    });
    server = opened;
  }

  async function shut(): Promise<void> {
    const closing = server;
    server = undefined;
    const closed = new Promise<void>((resolve) => (closing ? closing.close(() => resolve()) : resolve()));
    cutAll();
    await closed;
  }

  function cutAll(): void {
    for (const { near, far } of pairs) {
      if (!near.destroyed) near.resetAndDestroy();
      far.destroy();
    }
  }

  await open();
  const through = new URL(url);
  through.hostname = '127.0.0.1';
  through.port = String(port);
  return {
    port,
    url: through.href,
    async set(next) {
      fault = next;
      left = next.kind === 'drop-replies' ? (next.count ?? Number.POSITIVE_INFINITY) : 0;
      for (const pair of pairs) pair.owesLoss = false;
      if (next.kind === 'refuse') return shut();
      if (server === undefined) await open();
      if (next.kind === 'reset') cutAll();
      if (next.kind === 'half-open') {
        for (const pair of pairs) {
          pair.dead = true;
          pair.far.destroy();
        }
      }
      for (const pair of pairs) deliver(pair);
    },
    connections: () => [...pairs].filter(({ near }) => !near.destroyed).length,
    dropped: () => dropped,
    delayed: () => [...pairs].reduce((sum, { replies }) => sum + replies.length, 0),
    close: shut,
  };
}

const NOTHING = Buffer.alloc(0);
