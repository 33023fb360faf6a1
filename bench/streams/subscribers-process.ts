// The process of the subscribers. Each subscription has its own WebSocket. The process ends when
// the bench disconnects.
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { percentile } from '../frame/statistics.js';
import { monotonicMs } from './monotonic-ms.js';
import type { FromSubscribers, ToSubscribers } from './subscribers.js';

/** Number of WebSockets that open at the same time. */
const OPENING = 100;

const QUERY = 'subscription Price($talker: Int!) { priceChanged(talker: $talker) { id amount currency sentMs } }';

const sockets = new Set<WebSocket>();
const delays: number[] = [];
let expected = Number.POSITIVE_INFINITY;

const report = (message: FromSubscribers) => process.send?.(message);

async function open(url: string, talker: number): Promise<void> {
  const socket = new WebSocket(url, 'graphql-transport-ws', { headers: { 'x-user': `user-${talker}` } });
  sockets.add(socket);
  await once(socket, 'open');
  socket.send('{"type":"connection_init"}');
  await once(socket, 'message');
  const subscribed = once(socket, 'message');
  socket.send(JSON.stringify({ type: 'subscribe', id: '1', payload: { query: QUERY, variables: { talker } } }));
  // An accepted subscription has no answer. This ping shows that the server has read it.
  socket.send('{"type":"ping"}');
  await subscribed;
  socket.on('message', (data) => receive(String(data)));
  socket.on('close', () => sockets.delete(socket));
}

function receive(text: string): void {
  const message = JSON.parse(text) as { type: string; payload?: { data?: { priceChanged: { sentMs: number } } } };
  const sentMs = message.payload?.data?.priceChanged.sentMs;
  if (sentMs === undefined) throw new Error(`expected an event, got ${text}`);
  delays.push(monotonicMs() - sentMs);
  reportDelays();
}

function reportDelays(): void {
  if (delays.length < expected) return;
  // Events of the next report may have arrived already.
  const reported = delays.splice(0, expected);
  report({ p50Ms: percentile(reported, 0.5), p99Ms: percentile(reported, 0.99) });
  expected = Number.POSITIVE_INFINITY;
}

process.on('message', async (message: ToSubscribers) => {
  if ('open' in message) {
    const { url, first, last } = message.open;
    let next = first;
    const lane = async () => {
      while (next <= last) await open(url, next++);
    };
    await Promise.all(Array.from({ length: OPENING }, lane));
    report({ opened: true });
  } else if ('expect' in message) {
    expected = message.expect;
    reportDelays();
  } else {
    const closed = [...sockets].map((socket) => once(socket, 'close'));
    for (const socket of sockets) socket.close();
    await Promise.all(closed);
    report({ closed: true });
  }
});
process.once('disconnect', () => process.exit());
