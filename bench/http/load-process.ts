// The process of the load generator. For each request message it keeps a fixed number of
// connections busy, or sends at a fixed rate, and returns throughput and latencies. The process
// ends when the benchmark disconnects.
import { Agent, request as httpRequest } from 'node:http';
import { keepInFlight } from '../frame/keep-in-flight.js';
import { sendAtRate } from '../frame/send-at-rate.js';
import { percentile } from '../frame/statistics.js';
import type { LoadRequest, LoadResult } from './load.js';
import { OPERATIONS } from './operations.js';

/** All runs share one agent, so that no measurement includes the time to open connections. */
const agent = new Agent({ keepAlive: true });

process.on('message', async (message: LoadRequest) => {
  process.send?.(await generateLoad(message));
});

async function generateLoad(load: LoadRequest): Promise<LoadResult> {
  const { url, operation, connections, callers, durationMs, ratePerSecond } = load;
  const { query, variables } = OPERATIONS[operation];
  const document = load.documentId === undefined ? { query } : { documentId: load.documentId };
  const bodyOf = (call: number) => JSON.stringify({ ...document, variables: variables(call) });
  const latencies: number[] = [];
  if (ratePerSecond !== undefined) {
    const send = (call: number) => post(url, call % callers, bodyOf(call));
    const elapsedMs = await sendAtRate(ratePerSecond, durationMs, send, latencies);
    return resultOf(latencies.length, elapsedMs, latencies);
  }
  const { done, elapsedMs } = await keepInFlight(connections, durationMs, async (call) => {
    const start = performance.now();
    await post(url, call % callers, bodyOf(call));
    latencies.push(performance.now() - start);
  });
  return resultOf(done, elapsedMs, latencies);
}

function resultOf(requests: number, elapsedMs: number, latencies: number[]): LoadResult {
  return { requests, elapsedMs, p50Ms: percentile(latencies, 0.5), p99Ms: percentile(latencies, 0.99) };
}

/**
 * Sends one operation as the caller with this number. Rejects unless the response is 200 with data.
 */
function post(url: string, caller: number, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-caller': String(caller),
    };
    const request = httpRequest(url, { agent, method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const answer = Buffer.concat(chunks);
        // Apollo writes `errors` before `data`, so the first bytes show whether there are errors.
        if (response.statusCode === 200 && answer.subarray(0, 7).toString() === '{"data"') resolve();
        else reject(new Error(`HTTP ${response.statusCode}: ${answer.toString().slice(0, 500)}`));
      });
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server closed the idle connection before it read any part of this request, so it is
      // safe to send the request again.
      if (request.reusedSocket && error.code === 'ECONNRESET') resolve(post(url, caller, body));
      else reject(error);
    });
    request.end(body);
  });
}
