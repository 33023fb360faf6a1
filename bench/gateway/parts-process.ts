// An API that answers in parts, and the one who asks it through a proxy: in one process, as their clock has to be the same.
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keepInFlight } from '../frame/keep-in-flight.js';
import { percentile } from '../frame/statistics.js';

const HEADERS = {
  'content-type': 'application/json',
  accept: 'multipart/mixed;deferSpec=20220824, application/json',
};
const BODY = JSON.stringify({ query: '{ item ... @defer { more } }' });
const FIRST = '\r\n---\r\ncontent-type: application/json\r\n\r\n{"data":{"item":"x"},"hasNext":true}\r\n---';
const LAST =
  '\r\ncontent-type: application/json\r\n\r\n{"incremental":[{"data":{"more":"y"},"path":[]}],"hasNext":false}\r\n-----\r\n';
/** Between the parts: the first one must not wait for the next. */
const PAUSE_MS = 20;

let sentAtMs = 0;
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    response.writeHead(200, { 'content-type': 'multipart/mixed; boundary="-"' });
    sentAtMs = performance.now();
    response.write(FIRST);
    setTimeout(() => response.end(LAST), PAUSE_MS);
  });
});

/** Resolves to how much later than the upstream has sent it the first part is here. */
function ask(url: string, caller: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      url,
      { method: 'POST', headers: { ...HEADERS, 'x-caller': String(caller) } },
      (response) => {
        let text = '';
        let afterMs: number | undefined;
        response.on('data', (piece) => {
          text += piece;
          if (afterMs === undefined && text.includes('"hasNext":true}')) afterMs = performance.now() - sentAtMs;
        });
        response.on('error', reject);
        response.on('end', () => {
          if (afterMs !== undefined && text.includes('"hasNext":false')) resolve(afterMs);
          else reject(new Error(`HTTP ${response.statusCode}: ${text.slice(0, 500)}`));
        });
      },
    );
    request.on('error', reject);
    request.end(BODY);
  });
}

process.on('message', async ({ url, durationMs }: { url: string; durationMs: number }) => {
  const afterMs: number[] = [];
  await keepInFlight(1, durationMs, async (call) => afterMs.push(await ask(url, call % 1000)));
  process.send?.({ p50Ms: percentile(afterMs, 0.5), p99Ms: percentile(afterMs, 0.99) });
});

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
