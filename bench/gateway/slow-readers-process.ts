// An API with answers of any size, and their readers, in a process beside the proxy that is measured.
import { createServer } from 'node:http';
import { type AddressInfo, createConnection, type Socket } from 'node:net';

interface Ask {
  url: string;
  /** Who take nothing of their answers; 0: one who reads theirs. */
  readers: number;
  bytes: number;
}

const BODY = JSON.stringify({ query: '{ text }' });
const chunk = Buffer.alloc(64 * 1024, 'x');
let answerBytes = 0;
let asked = 0;

const server = createServer((request, response) => {
  asked++;
  request.resume();
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"data":{"text":"');
  let left = answerBytes;
  const go = () => {
    while (left > 0) {
      left -= chunk.length;
      if (!response.write(chunk)) return void response.once('drain', go);
    }
    response.end('"}}');
  };
  go();
});

/** Asks as one of many callers. */
function ask(url: URL, caller: number): Socket {
  const socket = createConnection({ port: Number(url.port), host: url.hostname });
  socket.on('error', () => {});
  const head = `POST ${url.pathname} HTTP/1.1\r\nHost: x\r\nX-Caller: ${caller}\r\nContent-Type: application/json\r\nConnection: close`;
  socket.write(`${head}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`);
  return socket;
}

process.on('message', async ({ url, readers, bytes }: Ask) => {
  answerBytes = bytes;
  asked = 0;
  if (readers === 0) {
    const socket = ask(new URL(url), 0).resume();
    await new Promise((resolve) => socket.once('close', resolve));
  } else {
    const sockets = Array.from({ length: readers }, (_, caller) => ask(new URL(url), caller).pause());
    while (asked < readers) await sleep(20);
    // Until nothing moves any more: what the kernel takes of the answers has to pass first.
    let sent = -1;
    for (let now = sentBytes(); now !== sent; now = sentBytes()) {
      sent = now;
      await sleep(1000);
    }
    for (const socket of sockets) socket.destroy();
  }
  process.send?.('done');
});

const connections = new Set<Socket>();
server.on('connection', (socket) => {
  connections.add(socket);
  socket.once('close', () => connections.delete(socket));
});
const sentBytes = () =>
  [...connections].reduce((sum, { bytesWritten, writableLength }) => sum + bytesWritten - writableLength, 0);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
