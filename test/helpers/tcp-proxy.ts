import { createServer, connect as openSocket, type Server, type Socket } from 'node:net';
import { commandParserOf } from './parse-commands.js';
import { freePort } from './servers.js';

/** What the network, or the server behind it, does to its clients. */
export type Fault =
  /** Nothing: bytes go through as they come. */
  | { kind: 'pass' }
  /** Every answer takes this much longer. */
  | { kind: 'delay'; ms: number }
  /** Requests arrive and are carried out; the answers wait until it heals. */
  | { kind: 'hold-replies' }
  /**
   * Requests arrive and are carried out; the answers are lost, and with each the rest of its
   * connection: bytes that came after a gap would be taken for the answer to another question.
   * Connections that have lost nothing go on.
   */
  | {
      kind: 'drop-replies';
      /** How many answers (of what the server sends in one go) are lost before it passes again. @default all */
      count?: number;
      /** Only answers to a request that contains this text, such as `evalsha`. @default any */
      to?: string;
      /** What the client sees of the loss: nothing at all, or a reset. @default 'silence' */
      seenAs?: 'silence' | 'reset';
    }
  /** One connection is reset at a command that the client sends; everything else passes. */
  | {
      kind: 'cut';
      /**
       * When the connection of this command is cut; undefined: not. Its parts are arguments of
       * Redis, or messages of PostgreSQL.
       */
      at: (command: readonly Buffer[]) => CutPoint | undefined;
    }
  /** Nothing arrives, and nobody says so. What was sent arrives when it heals, as retransmitted packets do. */
  | { kind: 'black-hole' }
  /** The connections that are open are dead and do not know it; new ones pass. */
  | { kind: 'half-open' }
  /** Every connection is reset, and each new one as soon as it is open. */
  | { kind: 'reset' }
  /** Every connection is reset, and nobody listens. */
  | { kind: 'refuse' };

/** Before the server receives the command, once it has been sent, or once its reply is here and is lost. */
export type CutPoint = 'before' | 'sent' | 'reply';

/** A way to a server on which faults can be switched on and off. The server itself does not notice. */
export interface TcpProxy {
  port: number;
  /** The URL of the server, by way of the proxy. */
  url: string;
  /** Changes what happens from now on, to open connections too. */
  set(fault: Fault): Promise<void>;
  /** How many connections of clients are open. */
  connections(): number;
  /** How many answers were lost by `drop-replies`. */
  dropped(): number;
  /** How many answers are here and wait to go on. */
  delayed(): number;
  close(): Promise<void>;
}

/** One client's connection and the one to the server that was opened for it. */
interface Pair {
  near: Socket;
  far: Socket;
  /** What waits to go on, by direction, and an end where there is nothing more to come. */
  requests: Parcel[];
  replies: Parcel[];
  /** A request has passed whose answer is to be lost. */
  owesLoss: boolean;
  /** Nothing reaches either side any more, and neither is told. */
  dead: boolean;
  /** Bytes of a command that has not arrived as a whole. */
  unparsed: Buffer;
}

interface Parcel {
  bytes: Buffer | 'end';
  atMs: number;
}

/** Starts a proxy on a free port of loopback before the server of `url`. */
export async function startTcpProxy(url: string): Promise<TcpProxy> {
  const target = new URL(url);
  const parseCommands = commandParserOf(target.protocol);
  const pairs = new Set<Pair>();
  let fault: Fault = { kind: 'pass' };
  let server: Server | undefined;
  // None of those that the system gives to connections: one of them might take it while nobody listens.
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
    // A server that was told nothing of its client's end is let go of with the proxy, at the latest.
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
    // An end arrives like all else, or does not: until then the other side does not end either.
    from.once('end', () => (pair.dead ? from.destroy() : put('end')));
    from.once('close', () => put('end'));
  }

  /** Sends on what may go, in order. */
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

  /** What was written before arrives: the server executes it, and finds that nobody waits for its reply. */
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
