import { once } from 'node:events';
import { Agent, get, type IncomingMessage, type RequestListener } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { listen } from '../../../src/server/http/listen.js';
import { until } from '../../helpers/until.js';

/**
 * Returns a handler that sends each response when the test releases it. The response contains the
 * path.
 */
function holding() {
  const waiting: (() => void)[] = [];
  const handler: RequestListener = (request, response) => waiting.push(() => response.end(`answer to ${request.url}`));
  return { handler, waiting };
}

it('responses that are pending at a stop contain Connection: close, so that each connection ends with its response', async () => {
  const { handler, waiting } = holding();
  const server = await listen({ handler, host: '127.0.0.1', port: 0 });
  const agent = new Agent({ keepAlive: true });
  const asked = Array.from({ length: 5 }, async (_, index) => {
    const request = get({ host: '127.0.0.1', port: server.port, path: `/${index}`, agent });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.headers.connection;
  });
  await until('all requests have arrived', () => waiting.length === 5);
  const stopped = server.stop(60_000);
  const answeredAtMs = performance.now();
  for (const answer of waiting) answer();
  expect(await Promise.all(asked)).toEqual(Array.from({ length: 5 }, () => 'close'));
  await stopped;
  // The drain does not wait for idle keep-alive connections, which would stay open for five
  // seconds.
  expect(performance.now() - answeredAtMs).toBeLessThan(4000);
  agent.destroy();
});

it('a connection with several requests in flight at a stop closes after the last response', async () => {
  const { handler, waiting } = holding();
  const server = await listen({ handler, host: '127.0.0.1', port: 0 });
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.on('data', (data) => {
    received += data.toString();
  });
  const ask = (path: string) => socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
  ask('/1');
  ask('/2');
  await until('two requests have arrived', () => waiting.length === 2);
  const stopped = server.stop(60_000);
  ask('/3');
  await until('the third request has arrived', () => waiting.length === 3);
  for (const answer of waiting) answer();
  await stopped;
  expect(received.match(/answer to \/\d/g)).toEqual(['answer to /1', 'answer to /2', 'answer to /3']);
  // The header is sent only with the last response, because a client accepts no further responses
  // after it.
  expect(received.match(/connection: close/gi)).toHaveLength(1);
  expect(received.toLowerCase().lastIndexOf('connection: close')).toBeGreaterThan(received.indexOf('answer to /2'));
});
