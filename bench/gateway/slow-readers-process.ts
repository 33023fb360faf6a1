// Process with an API that sends responses of any size, and with clients, most of which do not
// read them. It runs in addition to the process of the measured proxy.
import { type AddressInfo, createConnection, type Socket } from 'node:net';
import { createLargeAnswers } from '../../test/helpers/large-answers.js';

interface Ask {
  url: string;
  /**
   * Number of clients that do not read their responses. 0: a single client that reads its response.
   */
  readers: number;
  bytes: number;
}

const BODY = JSON.stringify({ query: '{ text }' });
const answers = createLargeAnswers();

/** Sends a request as one of many callers. */
function ask(url: URL, caller: number): Socket {
  const socket = createConnection({ port: Number(url.port), host: url.hostname });
  socket.on('error', () => {});
  const head = `POST ${url.pathname} HTTP/1.1\r\nHost: x\r\nX-Caller: ${caller}\r\nContent-Type: application/json\r\nConnection: close`;
  socket.write(`${head}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`);
  return socket;
}

process.on('message', async ({ url, readers, bytes }: Ask) => {
  answers.answerBytes = bytes;
  answers.asked = 0;
  if (readers === 0) {
    const socket = ask(new URL(url), 0).resume();
    await new Promise((resolve) => socket.once('close', resolve));
  } else {
    const sockets = Array.from({ length: readers }, (_, caller) => ask(new URL(url), caller).pause());
    while (answers.asked < readers) await sleep(20);
    // Waits until no more bytes are sent, because the buffers of the kernel must fill first.
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
answers.server.on('connection', (socket) => {
  connections.add(socket);
  socket.once('close', () => connections.delete(socket));
});
const sentBytes = () =>
  [...connections].reduce((sum, { bytesWritten, writableLength }) => sum + bytesWritten - writableLength, 0);
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

answers.server.listen(0, '127.0.0.1', () => process.send?.((answers.server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
